from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import svcs
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS
from pydantic import BaseModel

from capabilities.kernel.actors import Actor, client
from capabilities.kernel.outcomes import Succeeded
from capabilities.kernel.registry import Registry
from capabilities.kernel.spec import Spec
from ledger.ledger import Ledger, opened
from server.protocol.catalogue import Catalogue
from server.protocol.door import INSTRUCTIONS
from tests.server.protocol.stage import Said, Stage, always, spec

pytestmark = pytest.mark.anyio
READER = client("reader", frozenset({"read"}))
WRITER = client("writer", frozenset({"read", "plan", "run"}))
yes = always(Succeeded(Said(text="yes"), "Yes."))


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncGenerator[Ledger]:
    async with opened(tmp_path) as one:
        yield one


def catalogue(ledger: Ledger, specs: list[Spec] | None = None, *, page: int = 50) -> Catalogue:
    shown = Stage().specs() if specs is None else specs
    return Catalogue(Registry(shown, ledger, svcs.Container(svcs.Registry())), page)


def all_names(catalogue: Catalogue, actor: Actor) -> list[list[str]]:
    pages: list[list[str]] = []
    cursor = None
    while True:
        page = catalogue.page(actor, cursor)
        pages.append([tool.name for tool in page.tools])
        cursor = page.next_cursor
        if cursor is None:
            return pages


async def test_a_tool_is_told_completely(ledger: Ledger) -> None:
    tools = {tool.name: tool for tool in catalogue(ledger).page(WRITER, None).tools}
    assert tools["library__echo"].model_dump(by_alias=True, exclude_none=True) == {
        "name": "library__echo",
        "title": "library echo",
        "description": "Use it to try the door. Not for anything else.",
        "inputSchema": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "text": {"type": "string", "description": "What to say.", "maxLength": 200}
            },
            "required": ["text"],
        },
        "annotations": {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }
    assert tools["library__whoami"].input_schema == {
        "type": "object",
        "additionalProperties": False,
        "properties": {},
    }


async def test_pages_together_are_the_list_in_its_order(ledger: Ledger) -> None:
    (whole,) = all_names(catalogue(ledger), WRITER)
    pages = all_names(catalogue(ledger, page=4), WRITER)
    assert [len(page) for page in pages] == [4, 4, 3]
    assert [name for page in pages for name in page] == whole


async def test_a_list_that_fills_its_last_page_ends_there(ledger: Ledger) -> None:
    assert [len(page) for page in all_names(catalogue(ledger, page=11), WRITER)] == [11]


async def test_a_key_is_shown_what_its_scopes_allow(ledger: Ledger) -> None:
    (names,) = all_names(catalogue(ledger), READER)
    assert not {"act", "library__note", "admin__wipe", "agent__peek"} & set(names)
    assert "library__echo" in names


async def test_an_actor_without_any_scope_sees_nothing(ledger: Ledger) -> None:
    assert all_names(catalogue(ledger), client("none", frozenset())) == [[]]


@pytest.mark.parametrize("cursor", ["", "?", "bm9fX3N1Y2g=", "YWdlbnRfX3BlZWs=", "/w=="])
async def test_a_cursor_that_is_none_of_ours_is_refused_alike(ledger: Ledger, cursor: str) -> None:
    with pytest.raises(MCPError) as refused:
        catalogue(ledger).page(WRITER, cursor)
    assert refused.value.error.code == INVALID_PARAMS
    assert "list from the start" in refused.value.error.message


async def test_a_name_too_long_to_be_one_is_told_shortened(ledger: Ledger) -> None:
    with pytest.raises(MCPError) as refused:
        catalogue(ledger).find("x" * 1_000_000, WRITER)
    assert refused.value.error.message == f"Unknown tool: {'x' * 128}"


class Misleading(BaseModel):
    outcome: str


WRONG = [
    spec("library.Echo", yes),
    spec(f"library.{'x' * 40}", yes),
    spec("library.echo", yes, use_when="x" * 600),
    spec("library.echo", yes, answer=Misleading),
]


@pytest.mark.parametrize("wrong", WRONG, ids=["case", "length", "description", "answer"])
async def test_what_clients_would_not_get_intact_stops_the_start(
    ledger: Ledger, wrong: Spec
) -> None:
    with pytest.raises(ValueError, match=r"library\."):
        catalogue(ledger, [wrong])


def test_the_instructions_fit_every_client() -> None:
    assert len(INSTRUCTIONS) <= 600
