"""Deciding about one plan by a command of its own."""

from server.cli.card import card, now
from server.cli.exits import EndError, Exit
from server.cli.finding import approval_of
from server.cli.given import Terminal
from server.cli.ruling import Word, rule
from server.cli.running import running
from server.cli.signing_in import asking

OPEN = "requested"


def decide(terminal: Terminal, typed: str, word: Word) -> None:
    """Show the card at the controlling terminal, ask for the passphrase there, and decide.

    Raises:
        EndError: nobody can be asked, or nothing was decided.
    """
    with running(terminal.home) as api:
        approval = approval_of(api, typed)
        if approval["state"] != OPEN:
            raise EndError(
                Exit.FAILED,
                f"This is {approval['state']} already. Nothing was changed.",
                code="conflict",
            )
        with asking() as person:
            person.say(card(approval, now(), colour=terminal.speech.colour_for_person))
            answer = rule(api, approval, word, person)
    terminal.speech.words(answer.sentence)
    terminal.speech.document(answer.data)
