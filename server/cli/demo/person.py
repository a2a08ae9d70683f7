"""``--ask``: the person at the controlling terminal decides."""

from dataclasses import dataclass, field

from server.cli.ruling import Word, ask_for_word
from server.cli.signing_in import PROMPT, asking


@dataclass(frozen=True, slots=True)
class Answer:
    """What the person typed; the passphrase is checked by the server, not here."""

    word: Word | None
    passphrase: str = field(repr=False, default="")


def answer_of_the_person(card: str) -> Answer:
    """Show the card at the controlling terminal, and take a word and a passphrase there.

    Raises:
        EndError: there is no controlling terminal, or nothing was typed.
    """
    with asking() as person:
        person.say(card)
        word = ask_for_word(person)
        return Answer(word, person.ask_secretly(PROMPT) if word is not None else "")
