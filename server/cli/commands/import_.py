"""`matinee import`."""

from pathlib import Path

import click

from server.cli import library_view
from server.cli.api_client import Api, Json
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.passphrase import ControllingTerminal
from server.cli.running import running
from server.cli.signing_in import asking, signed_in


@click.command(
    "import",
    cls=Command,
    example="matinee import /library/Series",
    document='{"state": "frozen|nothing_new", "adopts": 0, "works": [...], "unclear": [...], '
    '"adopted": {"files": 0, "works": 0, "slots": 0, "unclear": 0} or null, ...}',
)
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only show what would be taken in.")
@with_terminal
def command(terminal: Terminal, path: Path, *, dry_run: bool) -> Exit:
    """Take a library that you have into the inventory, as it stands.

    Its files are looked at, named by their works, and shown; then it asks for your passphrase.
    No file is moved, renamed or written to. Titles are looked up a few at a time; it can be
    stopped, and goes on where it was the next time.
    """
    folder = str(path.resolve())
    with running(terminal.home) as api:
        try:
            told = _planned(terminal, api, folder)
        except EndError as end:
            if end.code != "denied":
                raise
            terminal.speech.words("It is no library of your settings, so you are asked first.")
            with asking() as person:
                with signed_in(api, person):
                    told = _planned(terminal, api, folder)
                _show(terminal, told)
                agreed = not dry_run and told["state"] == "frozen"
                adopted = _agreed(terminal, api, told, person) if agreed else None
        else:
            _show(terminal, told)
            adopted = None
            if not dry_run and told["state"] == "frozen":
                with asking() as person:
                    adopted = _agreed(terminal, api, told, person)
    if adopted is not None:
        terminal.speech.words(library_view.adopted(adopted))
    terminal.speech.document({**told, "adopted": adopted})
    return Exit.DONE


def _planned(terminal: Terminal, api: Api, folder: str) -> Json:
    """The plan, asked for again until every title of the library is told."""
    before = -1
    while True:
        told = api.invoke("inventory.plan", {"path": folder}).data
        if told["state"] != "asking":
            return told
        terminal.speech.words(library_view.progress(told))
        if told["titles_told"] <= before or (told.get("silent") and before >= 0):
            raise EndError(
                Exit.FAILED,
                f"Not every title could be looked up: {told.get('silent') or 'it takes too long'}",
                code="unavailable",
                hint="What was told is kept. Type the same command again later.",
            )
        before = told["titles_told"]


def _show(terminal: Terminal, told: Json) -> None:
    terminal.speech.data(library_view.shown(told))


def _agreed(terminal: Terminal, api: Api, shown: Json, person: ControllingTerminal) -> Json | None:
    """Carry out what was shown, once whoever sits there has proven to be the owner."""
    person.say(library_view.asked(shown))
    with signed_in(api, person):
        told = _planned(terminal, api, shown["folder"])  # a plan of the owner's own
        if told.get("payload_hash") != shown["payload_hash"]:
            raise EndError(
                Exit.FAILED,
                "The library changed while you were asked. Nothing was taken in.",
                code="conflict",
                hint="Type the same command again.",
            )
        return _adopted(api, told)


def _adopted(api: Api, told: Json) -> Json | None:
    if told["state"] != "frozen":
        return None
    given = {"plan": told["plan"], "payload_hash": told["payload_hash"]}
    return api.invoke("inventory.adopt", given).data
