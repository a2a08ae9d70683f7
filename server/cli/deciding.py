"""Deciding about one plan by a command of its own."""

from server.cli.card import card, now
from server.cli.finding import approval_of, whole_id
from server.cli.given import Terminal
from server.cli.ids import meant
from server.cli.refusing import refuse_ended, refuse_overdue
from server.cli.ruling import Word, refuse_barred, rule
from server.cli.running import running
from server.cli.signing_in import asking

OPEN = "requested"


def decide(terminal: Terminal, typed: str, word: Word) -> None:
    """Show the card at the controlling terminal, ask for the passphrase there, and decide.

    Raises:
        EndError: nobody can be asked, or nothing was decided.
    """
    with running(terminal.home) as api:
        id_ = whole_id(api, typed)
        approval = approval_of(api, id_)
        refuse_ended(approval, OPEN)
        refuse_overdue(approval, now())
        refuse_barred(api, word)
        with asking() as person:
            if told := meant(typed, id_):
                person.say(told)
            person.say(card(approval, now(), colour=terminal.speech.colour_for_person))
            answer = rule(api, approval, word, person)
    terminal.speech.words(answer.sentence)
    terminal.speech.document(answer.data)
