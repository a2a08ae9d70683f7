"""`matinee import`."""

import time
from pathlib import Path

import click

from ledger.clock import new_id
from server.cli import library_view
from server.cli.api_client import Answer, Api, Json
from server.cli.as_owner import shown_to_owner
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.running import running

PAUSE_S = 1.0
"""Between two looks at an adoption that is under way."""


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
        told = _shown(terminal, api, folder)
        adopted = None
        if not dry_run and told["state"] == "frozen":
            adopted = _agreed(terminal, api, told)
    if adopted is not None:
        terminal.speech.words(library_view.adopted(adopted))
    terminal.speech.document({**told, "adopted": adopted})
    return Exit.DONE


def _shown(terminal: Terminal, api: Api, folder: str) -> Json:
    """The plan, shown; of a folder that is no library of the settings, to the owner alone."""
    try:
        told = _planned(terminal, api, folder)
    except EndError as end:
        if end.code != "denied":
            raise
        terminal.speech.words("It is no library of your settings, so you are asked first.")
        with shown_to_owner(api):
            told = _planned(terminal, api, folder)
    terminal.speech.data(library_view.shown(told))
    return told


def _planned(terminal: Terminal, api: Api, folder: str) -> Json:
    """The plan, asked for again until the library was seen and every title of it is told."""
    before = -1
    while True:
        answer = api.invoke("inventory.plan", {"path": folder})
        if answer.outcome == "pending":  # it waits for the look itself, and tells how far that is
            terminal.speech.words(answer.sentence)
            continue
        told = answer.data
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


def _agreed(terminal: Terminal, api: Api, shown: Json) -> Json | None:
    """Carry out what was shown, once whoever sits there has proven to be the owner."""
    with shown_to_owner(api, library_view.asked(shown)):
        told = _planned(terminal, api, shown["folder"])  # a plan of the owner's own
        if told.get("payload_hash") != shown["payload_hash"]:
            raise EndError(
                Exit.FAILED,
                "The library changed while you were asked. Nothing was taken in.",
                code="conflict",
                hint="Type the same command again.",
            )
        if told["state"] != "frozen":
            return None
        return _adopted(terminal, api, told).data


def _adopted(terminal: Terminal, api: Api, told: Json) -> Answer:
    """The answer of one act; what is taken in some at a time is asked after until it is."""
    given = {"plan": told["plan"], "payload_hash": told["payload_hash"]}
    key, said = new_id("import"), False
    while (answer := api.invoke("inventory.adopt", given, key=key)).outcome == "pending":
        if not said:
            terminal.speech.words(answer.sentence)
        said = True
        time.sleep(PAUSE_S)
    return answer
