from dataclasses import replace

import pytest

from capabilities.kernel.answers import recorded, settlement
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    Pending,
    Refused,
    Succeeded,
    Unknown,
    facts,
)
from ledger.stores import claims
from ledger.stores.claims import TRY_AGAIN, Claim, ClaimState, Settlement
from ledger.writer import Transaction
from tests.capabilities.kernel.lamps import lit_answer
from tests.ledger.moments import START
from tests.ledger.rows import new_claim

NEW = new_claim(
    capability="lamp.light", actor="key:phone", principal="key:phone", request="one", call_id="a"
)


def settled(tx: Transaction, end: Settlement) -> Claim:
    """The claim that ended so, as the ledger gives it back."""
    made = claims.claim(tx, NEW, START)
    assert claims.settle(tx, made.id, made.token, end, START)
    found = claims.by_id(tx.conn, made.id)
    assert found is not None
    return found


OUTCOMES: dict[str, AnyOutcome] = {
    "succeeded": lit_answer("hall", 1),
    "pending": Pending("lamp:1", "It warms up.", "look"),
    "unknown": Unknown("It hung up.", "look"),
    "failed": Failed(Code.PRECONDITION, "The fuse is out.", "Change it."),
    "failed, to be retried": Failed(Code.UNAVAILABLE, "Nobody answers.", retry=True),
}


@pytest.mark.parametrize("outcome", OUTCOMES.values(), ids=OUTCOMES)
def test_what_was_settled_is_answered_again_as_it_was(tx: Transaction, outcome: AnyOutcome) -> None:
    claim = settled(tx, settlement(outcome))
    again = recorded(claim)
    assert type(again) is type(outcome)
    assert again.sentence == outcome.sentence
    if isinstance(outcome, Succeeded):
        assert facts(again) == {**facts(outcome), "replayed": True}
    if isinstance(outcome, Failed):
        assert isinstance(again, Failed)
        assert (again.code, again.retry) == (outcome.code, outcome.retry)
    if isinstance(again, Pending | Unknown):
        assert claim.id in {getattr(again, "handle", None), getattr(again, "invocation", None)}


def test_only_a_failure_to_be_retried_frees_its_key(tx: Transaction) -> None:
    free = settled(tx, settlement(OUTCOMES["failed, to be retried"]))
    assert free.evidence == {TRY_AGAIN: True}
    assert not settlement(OUTCOMES["failed"]).evidence
    assert settlement(Refused(Code.DENIED, "No.")) == Settlement(
        ClaimState.FAILED, code="denied", sentence="No."
    )


def test_a_claim_without_words_is_answered_with_ours(tx: Transaction) -> None:
    bare = replace(claims.claim(tx, NEW, START), sentence=None)
    running = recorded(bare)
    assert isinstance(running, Pending)
    assert (running.handle, running.sentence) == (bare.id, "The same act is in progress.")
    for state, told in (
        (ClaimState.PENDING, "It was accepted and is not finished."),
        (ClaimState.UNKNOWN, "Whether it happened is not known yet."),
    ):
        assert recorded(replace(bare, state=state)).sentence == told
    failed = recorded(replace(bare, state=ClaimState.FAILED))
    assert isinstance(failed, Failed)
    assert failed.code == Code.INTERNAL
    empty = recorded(replace(bare, state=ClaimState.SUCCEEDED))
    assert facts(empty) == {"replayed": True}
