"""`matinee owner`."""

import getpass

import click

from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.one_time_code import forget
from server.cli.passphrase import ControllingTerminal
from server.cli.running import running
from server.cli.signing_in import asking

CODE = "One-time code: "
WHERE = "The server said a one-time code at its start; `matinee` on another terminal shows it."
FIRST = "New passphrase: "
AGAIN = "The same again: "


@click.command(cls=Command, example="matinee owner", document='{"owner": "..."}')
@click.option("--name", metavar="NAME", help="How you are called; by default your account's name.")
@with_terminal
def command(terminal: Terminal, name: str | None) -> None:
    """Become the owner of this home.

    Asks on this terminal for the one-time code that the server printed at its start, and twice
    for a passphrase. Only the owner decides: until there is one, nothing can be approved.
    """
    called = name or getpass.getuser()
    with running(terminal.home) as api:
        if api.get("/status")["owner_exists"]:
            raise EndError(
                Exit.FAILED, "This home has an owner already. Nothing was changed.", code="conflict"
            )
        with asking() as person:
            person.say(terminal.speech.hinted(WHERE))
            code = person.ask(CODE)
            api.post("/owner", {"code": code, "name": called, "passphrase": _passphrase(person)})
    forget(terminal.home)
    terminal.speech.words(f"You are the owner of this home, {called}.")
    terminal.speech.document({"owner": called})


def _passphrase(person: ControllingTerminal) -> str:
    from server.guard.faults import (
        DoorError,
    )  # they take Argon2 with them, which help does not need
    from server.guard.passphrases import refuse_weak

    while True:
        first = person.ask_secretly(FIRST)
        try:
            refuse_weak(first)
        except DoorError as weak:
            person.say(weak.sentence)
            continue
        if person.ask_secretly(AGAIN) == first:
            return first
        person.say("The two differ. Once more.")
