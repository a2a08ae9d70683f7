"""`matinee capabilities`."""

import json
from collections.abc import Iterator

import click

from server.cli.api_client import Json
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.given import Terminal, with_terminal
from server.cli.hints import Hints
from server.cli.running import running


@click.command(
    cls=Command,
    example="matinee capabilities download.plan",
    document='{"capabilities": [{"id": "...", "title": "...", ...}]}, with an ID that one '
    "with its input_schema and an example",
)
@click.argument("id_", metavar="[ID]", required=False)
@with_terminal
def command(terminal: Terminal, id_: str | None) -> None:
    """What can be called; with an ID, how it is called."""
    with running(terminal.home) as api:
        found = api.get("/capabilities" if id_ is None else f"/capabilities/{id_}")
    terminal.speech.data(
        _overview(found) if id_ is None else "\n".join(_page(found, terminal.speech.hints))
    )
    terminal.speech.document(found)


def _overview(found: Json) -> str:
    return columns([[each["id"], each["kind"], each["title"]] for each in found["capabilities"]])


def _page(found: Json, hints: Hints) -> Iterator[str]:
    yield f"{found['id']}: {found['title']} ({found['kind']}, scope {found['scope']})"
    yield f"\n{found['use_when']}\n{found['not_when']}\n"
    yield "Input:"
    required = found["input_schema"].get("required", ())
    for name, schema in found["input_schema"].get("properties", {}).items():
        needed = ", required" if name in required else ""
        yield f"  {name} ({schema.get('type', 'any')}{needed}): {schema.get('description', '')}"
    call = hints.line("call", found["id"], json.dumps(found["example"], ensure_ascii=False))
    yield f"\nExample:\n  {call}"
