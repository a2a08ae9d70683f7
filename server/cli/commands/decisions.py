"""`matinee decisions`."""

from collections.abc import Iterator

import click

from capabilities.rules.outside_text import cleaned
from server.cli.api_client import Api, Json
from server.cli.card import card, now
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.given import Terminal, with_terminal
from server.cli.running import running

MOST = 100


@click.command(
    cls=Command,
    example="matinee decisions",
    document='{"decisions": [{"id": "...", "kind": "...", "title": "...", "approval": ...}], '
    '"page": {...}}, with an ID that one decision',
)
@click.argument("id_", metavar="[ID]", required=False)
@with_terminal
def command(terminal: Terminal, id_: str | None) -> None:
    """What waits for your decision; with an ID, all that is known about it."""
    with running(terminal.home) as api:
        if id_ is None:
            found = api.get("/decisions", {"limit": MOST})
            terminal.speech.data(_listed(found))
        else:
            found = api.get(f"/decisions/{id_}")
            terminal.speech.data("\n".join(_page(api, found)))
    terminal.speech.document(found)


def _listed(found: Json) -> str:
    rows = [
        [each["severity"], each["kind"].replace("_", " "), each["title"], _handle(each)]
        for each in found["decisions"]
    ]
    return columns(rows) if rows else "Nothing waits for you."


def _handle(decision: Json) -> str:
    return decision["approval"] or decision["id"]


def _page(api: Api, decision: Json) -> Iterator[str]:
    if decision["approval"] is not None:
        approval = api.get(f"/approvals/{decision['approval']}")
        yield card(approval, now(), colour=False)
        yield f"{approval['state']}; `matinee approve {approval['id']}` or `matinee decline …`."
        return
    yield f"{cleaned(decision['title'])} ({decision['state'].replace('_', ' ')})"
    for name, held in decision["evidence"].items():
        yield f"  {name.replace('_', ' ')}: {cleaned(str(held))}"
    for option in decision["options"]:
        yield f"  option {option['id']}: {cleaned(str(option.get('title', '')))}"
    if decision["resolution"] is not None:
        yield f"Settled by {decision['resolved_by']}: {cleaned(decision['resolution'])}"
