import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

import capabilities
from capabilities.kernel.discovery import declared_in, discovered

MODULE = """
from pydantic import BaseModel
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.spec import *

class Given(BaseModel, extra="forbid"):
    pass

class Answer(BaseModel):
    pass

@capability(
    "{id}", version=1, title="T", kind=Kind.READ, effect=Effect.NONE, replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST, scope="read", toolset=Toolset.LIBRARY, use_when="U.", not_when="N.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=5, example={{}},
)
async def look(given: Given, context: Context) -> Outcome[Answer]:
    return Succeeded(Answer(), "Done.")
"""

Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Write]:
    """Writes a module into a domain of a catalogue that holds nothing else."""
    monkeypatch.setattr(capabilities, "__path__", [str(tmp_path)])
    before = set(sys.modules)

    def add(name: str, text: str) -> None:
        domain, _, module = name.partition(".")
        (tmp_path / domain).mkdir(exist_ok=True)
        (tmp_path / domain / "__init__.py").touch()
        (tmp_path / domain / f"{module}.py").write_text(text)

    yield add
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_the_capabilities_of_every_domain_are_found_in_order_of_their_ids(write: Write) -> None:
    write("zzdomain.look", MODULE.format(id="zzdomain.look"))
    write("aadomain.look_", MODULE.format(id="aadomain.look"))
    write("aadomain.parts", "NOTHING = 1")
    assert [spec.id for spec in discovered()] == ["aadomain.look", "zzdomain.look"]


def test_a_capability_that_is_imported_elsewhere_counts_once(write: Write) -> None:
    write("aadomain.look", MODULE.format(id="aadomain.look"))
    write("aadomain.other", "from capabilities.aadomain.look import look, Given")
    assert [spec.id for spec in discovered()] == ["aadomain.look"]
    assert declared_in(sys.modules["capabilities.aadomain.other"]) == []


def test_an_id_that_is_declared_twice_is_refused(write: Write) -> None:
    write("aadomain.look", MODULE.format(id="aadomain.look"))
    write("aadomain.look_", MODULE.format(id="aadomain.look"))
    with pytest.raises(ValueError, match=r"'aadomain\.look' is declared twice"):
        discovered()


def test_a_capability_in_the_wrong_place_keeps_the_house_from_starting(write: Write) -> None:
    write("aadomain.elsewhere", MODULE.format(id="aadomain.look"))
    with pytest.raises(ValueError, match=r"must live in capabilities\.aadomain\.look"):
        discovered()


@pytest.mark.parametrize("folder", ["kernel", "rules", "adapters"])
def test_folders_that_are_no_domains_are_not_searched(write: Write, folder: str) -> None:
    write(f"{folder}.zz_broken", "raise RuntimeError")
    assert discovered() == []
