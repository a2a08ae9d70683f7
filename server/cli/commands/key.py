"""`matinee key`."""

from collections.abc import Sequence

import click

from server.cli.api_client import Json
from server.cli.as_owner import as_owner, shown_to_owner
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.given import Terminal, with_terminal
from server.cli.ids import confirmed, refuse_strange
from server.cli.known_names import refuse_unknown_scopes
from server.cli.running import running
from server.cli.sorts import KEY

DAYS = 90


@click.group("key", epilog="\b\nExample:\n  matinee key list")
def command() -> None:
    """Make, list and revoke the keys of clients; each asks for your passphrase."""


@command.command(
    "create",
    cls=Command,
    example="matinee key create laptop --scope read --scope plan",
    document='{"id": "...", "name": "...", "scopes": [...], "expires_at": "...", "secret": "..."}',
)
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, required=True, help="What it may do; repeatable.")
@click.option("--days", type=click.IntRange(1, 3650), default=DAYS, show_default=True)
@with_terminal
def create(terminal: Terminal, name: str, scopes: Sequence[str], days: int) -> None:
    """Make a key for a client. Its secret is shown this once."""
    body = {"name": name, "scopes": list(scopes), "expires_in_days": days}
    with running(terminal.home) as api:
        refuse_unknown_scopes(api, scopes)
        with shown_to_owner(api):
            made = api.post("/keys", body)
    terminal.speech.words("The key's secret, shown this once; give it as MATINEE_KEY:")
    terminal.speech.data(made["secret"])
    terminal.speech.document(made)


@command.command(
    "list",
    cls=Command,
    example="matinee key list",
    document='{"keys": [{"id": "...", "name": "...", "scopes": [...], ...}], "scopes": {...}}',
)
@with_terminal
def list_(terminal: Terminal) -> None:
    """List the keys, without their secrets."""
    with as_owner(terminal.home) as (api, _):
        found = api.get("/keys")
    rows = [
        [key["id"], key["name"], _state(key), ", ".join(key["scopes"])] for key in found["keys"]
    ]
    terminal.speech.data(columns(rows))
    terminal.speech.document(found)


@command.command(
    "revoke",
    cls=Command,
    example="matinee key revoke key_0197c1f2e4b07d3e",
    document='{"revoked": "..."}',
)
@click.argument("id_", metavar="ID")
@with_terminal
def revoke(terminal: Terminal, id_: str) -> None:
    """Revoke a key for ever; `local` is the one of this computer."""
    refuse_strange(id_, KEY)
    with as_owner(terminal.home) as (api, person):
        whole = confirmed(api, id_, KEY, person)
        api.delete(f"/keys/{whole}")
    terminal.speech.words("Revoked. Whoever holds it is a stranger from now on.")
    terminal.speech.document({"revoked": whole})


def _state(key: Json) -> str:
    if key["revoked_at"] is not None:
        return "revoked"
    used = key["last_used_at"]
    return "never used" if used is None else f"last used {used[:10]}"
