"""The owner's word about one plan, given at the controlling terminal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.cli.api_client import Answer, Api
from server.cli.passphrase import ControllingTerminal
from server.cli.refusing import refuse_read_only
from server.cli.signing_in import signed_in

QUESTION = "[a]pprove once, [d]ecline with a reason, [l]eave it waiting? "
REASON = "Reason (the run is told it): "


@dataclass(frozen=True, slots=True)
class Word:
    """Yes, or no with a reason."""

    approve: bool
    reason: str | None = None


def ask_for_word(person: ControllingTerminal) -> Word | None:
    """Ask until there is an answer; None leaves the plan waiting.

    Raises:
        NoAnswerError: the input ended.
    """
    while True:
        match person.ask(QUESTION).lower()[:1]:
            case "a":
                return Word(approve=True)
            case "d":
                if reason := person.ask(REASON):
                    return Word(approve=False, reason=reason)
            case "l":
                return None
            case _:
                person.say("Type a, d or l.")


def refuse_barred(api: Api, word: Word) -> None:
    """Refuse a yes that would not be heard; a no always is.

    Raises:
        EndError: the house is read-only.
    """
    if word.approve:
        refuse_read_only(api)


def rule(api: Api, approval: Mapping[str, Any], word: Word, person: ControllingTerminal) -> Answer:
    """Sign in with the passphrase typed at the terminal, decide, and sign out.

    The hash and revision that were shown go back with the word, so that it can cover nothing
    else.

    Raises:
        EndError: it is not the passphrase, or the server refuses; nothing was decided.
        NoAnswerError: no passphrase was typed.
    """
    refuse_barred(api, word)
    with signed_in(api, person):
        return api.call(
            f"/approvals/{approval['id']}/decision",
            {
                "approve": word.approve,
                "payload_hash": approval["payload_hash"],
                "revision": approval["revision"],
                "reason": word.reason,
            },
        )
