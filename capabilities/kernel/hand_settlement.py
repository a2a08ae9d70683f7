"""The owner's own word about an act of which nobody knows whether it happened."""

from dataclasses import dataclass

from pydantic import BaseModel

from capabilities.kernel import switches
from capabilities.kernel.actors import Actor
from capabilities.kernel.claiming import settle_in
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Outcome, Refused, Succeeded
from capabilities.kernel.reconcile import cause_of
from ledger.ledger import Ledger
from ledger.stores import claims, decisions
from ledger.stores.claims import NOT_DONE, Claim, ClaimState, Settlement
from ledger.writer import Transaction

DONE_FOLLOWS = (
    "It counts as done and is not done again, whoever asks. Matinee has not seen it, so nothing "
    "else was recorded of it: what it would have brought is not followed and not in the library."
)
UNDONE_FOLLOWS = (
    "It counts as not done: whoever asks again lets it be done, and if it had happened after all, "
    "it happens twice. The approval that it had is still good until it runs out."
)


class SettledByHand(BaseModel):
    """How an act stands by the owner's word, and what follows from that."""

    invocation: str
    state: ClaimState
    capability: str
    run: str | None
    follows: str


@dataclass(frozen=True, slots=True)
class Word:
    """What the owner says of an act; ``reason`` is kept with it."""

    done: bool
    by: Actor
    reason: str


async def settle_by_hand(ledger: Ledger, invocation: str, word: Word) -> Outcome[SettledByHand]:
    """Settle an act of unknown outcome as done or as not done.

    Settlement, audit row, the closing of its decision and the waking of the run that waits become
    durable together; from then on nothing stands in the way of other acts on the same thing. Only
    the owner can, only with a reason, only while it is unknown, and not in a read-only house.
    """
    if refused := refusal(word):
        return refused
    return await ledger.write(lambda tx: settle_by_hand_in(tx, ledger, invocation, word))


def refusal(word: Word) -> Refused | None:
    """Why this word is not taken, whatever it is about."""
    if not word.by.decides:
        return Refused(Code.DENIED, "Only the signed-in owner settles by hand.", {"who": "owner"})
    if not word.reason.strip():
        return Refused(
            Code.INVALID_INPUT,
            "Settling by hand needs a reason; it is kept with it. Nothing was changed.",
            {"reason": "text"},
        )
    return None


def settle_by_hand_in(
    tx: Transaction, ledger: Ledger, invocation: str, word: Word
) -> Outcome[SettledByHand]:
    """The same inside a transaction, for a ``word`` that `refusal` lets pass."""
    claim = claims.by_id(tx.conn, invocation)
    if claim is None:
        return Refused(Code.NOT_FOUND, "There is no such act.")
    if claim.state is not ClaimState.UNKNOWN:
        return _not_unknown(claim)
    if refused := switches.read_only(tx.conn):
        return refused
    end = _settlement(word)
    settle_in(tx, ledger, claim, end, by=str(word.by))
    decisions.close_for(
        tx,
        cause_of(claim.id),
        by=str(word.by),
        resolution=f"{end.state} by hand: {word.reason.strip()}",
        at=ledger.now(),
    )
    if claim.run is not None:
        ledger.engine.wake(tx, "run", claim.run)
    settled = SettledByHand(
        invocation=claim.id,
        state=end.state,
        capability=claim.capability,
        run=claim.run,
        follows=DONE_FOLLOWS if word.done else UNDONE_FOLLOWS,
    )
    said = "Settled as done." if word.done else "Settled as not done."
    return Succeeded(settled, f"{said} {settled.follows}")


def _settlement(word: Word) -> Settlement:
    by_hand = {"verified_by": str(word.by), "reason": word.reason.strip()}
    if word.done:
        sentence = "The owner settled it by hand as done."
        return Settlement(ClaimState.SUCCEEDED, {}, sentence=sentence, evidence=by_hand)
    return Settlement(
        ClaimState.FAILED,
        code=Code.UNAVAILABLE,
        sentence="The owner settled it by hand as not done.",
        evidence={NOT_DONE: True, **by_hand},
    )


def _not_unknown(claim: Claim) -> Refused:
    if claim.state is ClaimState.RUNNING:
        return Refused(
            Code.CONFLICT,
            "This is being worked at right now, so there is nothing to settle by hand. Nothing "
            "was changed; look again when it has ended.",
            {"state": claim.state},
        )
    return Refused(
        Code.CONFLICT,
        f"This is known already: it is {claim.state}. Nothing was changed.",
        {"state": claim.state},
    )
