"""`matinee switch`."""

import click

from capabilities.rules.outside_text import cleaned
from server.cli.api_client import Answer, Json
from server.cli.as_owner import as_owner
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.given import Terminal, with_terminal
from server.cli.reasons import reason_option
from server.cli.running import running

NAMES = click.Choice(["master", "read_only"])
TURNED = '{"name": "...", "on": bool, "reason": "..."}'


@click.group("switch", epilog='\b\nExample:\n  matinee switch off master --reason "guests"')
def command() -> None:
    """Stop what acts by itself, or everything.

    With `master` off, no run, client or background job identifies a release, downloads, places
    files, publishes a policy or settles a decision. Looking, searching and drafting plans go on,
    and so do runs, which can then do no more than that. Your own hand still does everything: you,
    signed in with your passphrase. A `matinee call` goes by the local key and counts as a client.
    With `read_only` on, nothing is planned, asked, granted or done by anybody;
    keys, secrets and backups are still yours to handle. What is under way when a switch is turned
    is finished and recorded.
    """


@command.command(
    "show",
    cls=Command,
    example="matinee switch show",
    document='{"switches": [{"name": "...", "on": bool, "set_by": ..., "reason": ...}]}',
)
@with_terminal
def show(terminal: Terminal) -> None:
    """Show how the switches stand."""
    with running(terminal.home) as api:
        found = api.get("/switches")
    terminal.speech.data(columns([_row(each) for each in found["switches"]]))
    terminal.speech.document(found)


@command.command(
    "on",
    cls=Command,
    example='matinee switch on read_only --reason "moving the disks"',
    document=TURNED,
)
@click.argument("name", type=NAMES)
@reason_option("Told to whoever is refused.")
@with_terminal
def on(terminal: Terminal, name: str, reason: str) -> None:
    """Turn a switch on; asks for your passphrase."""
    _turn(terminal, name, reason, on=True)


@command.command(
    "off", cls=Command, example='matinee switch off master --reason "guests"', document=TURNED
)
@click.argument("name", type=NAMES)
@reason_option("Told to whoever is refused.")
@with_terminal
def off(terminal: Terminal, name: str, reason: str) -> None:
    """Turn a switch off; asks for your passphrase."""
    _turn(terminal, name, reason, on=False)


def _turn(terminal: Terminal, name: str, reason: str, *, on: bool) -> None:
    with as_owner(terminal.home) as (api, _):
        answer = Answer(**api.put("/switches", {"name": name, "on": on, "reason": reason}))
    terminal.speech.words(answer.sentence)
    terminal.speech.document(answer.data)


def _row(switch: Json) -> list[str]:
    how = "on" if switch["on"] else "off"
    if switch["set_by"] is None:
        return [switch["name"], how, ""]
    return [switch["name"], how, f"by {switch['set_by']}: {cleaned(switch['reason'])}"]
