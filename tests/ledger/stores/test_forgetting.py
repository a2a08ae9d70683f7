from dataclasses import replace

import pytest

from ledger.stores import claims, plans
from ledger.stores.claims import UNSETTLED, Claim, ClaimState, Settlement
from ledger.stores.forgetting import forget_claims
from ledger.stores.plans import PlanState
from ledger.writer import Transaction
from tests.ledger.moments import START, later
from tests.ledger.rows import add_run, new_plan
from tests.ledger.stores.test_claims import NEW

OLD = later(100)
"""After every claim of these tests ended."""


def claimed(tx: Transaction, key: str, state: ClaimState, run: str | None = None) -> Claim:
    made = claims.claim(tx, replace(NEW, key=key, run=run), START)
    if state is not ClaimState.RUNNING:
        claims.settle(tx, made.id, made.token, Settlement(state), later(10))
    return made


def left(tx: Transaction) -> list[str]:
    return sorted(claim.key for claim in claims.newest(tx.conn))


@pytest.mark.parametrize("state", ClaimState)
def test_what_is_over_goes_by_age_and_what_is_not_never_does(
    tx: Transaction, state: ClaimState
) -> None:
    claimed(tx, "k", state)
    assert forget_claims(tx, before=later(0), limit=9) == 0
    goes = state in {ClaimState.SUCCEEDED, ClaimState.FAILED, ClaimState.PENDING}
    assert forget_claims(tx, before=OLD, limit=9) == int(goes)
    assert left(tx) == ([] if goes else ["k"])
    assert goes or state in UNSETTLED


def test_without_a_moment_nothing_goes_by_age(tx: Transaction) -> None:
    claimed(tx, "k", ClaimState.SUCCEEDED)
    assert forget_claims(tx, before=None, limit=9) == 0
    assert left(tx) == ["k"]


def test_a_claim_ages_from_its_end(tx: Transaction) -> None:
    claimed(tx, "k", ClaimState.SUCCEEDED)
    assert forget_claims(tx, before=later(10), limit=9) == 0
    assert forget_claims(tx, before=later(11), limit=9) == 1


@pytest.mark.parametrize("before", [None, OLD], ids=["for ever", "by age"])
def test_what_a_run_did_goes_with_the_run(tx: Transaction, before: None) -> None:
    add_run(tx, "run_1", START)
    claimed(tx, "kept", ClaimState.SUCCEEDED, "run_1")
    claimed(tx, "gone", ClaimState.SUCCEEDED, "run_2")
    claimed(tx, "unknown", ClaimState.UNKNOWN, "run_2")
    assert forget_claims(tx, before=before, limit=9) == 1
    assert left(tx) == ["kept", "unknown"]


@pytest.mark.parametrize(
    ("state", "gone"), [(PlanState.SUBMITTED, 0), (PlanState.DONE, 1)], ids=str
)
def test_what_an_import_still_rests_on_stays(tx: Transaction, state: PlanState, gone: int) -> None:
    plans.add(tx, new_plan("plan_1", {}, START, state=state))
    claimed(tx, "k", ClaimState.SUCCEEDED)
    assert forget_claims(tx, before=OLD, limit=9) == gone


def test_a_batch_is_bounded_and_begins_with_the_oldest(tx: Transaction) -> None:
    for n in range(3):
        claimed(tx, f"k{n}", ClaimState.FAILED)
    assert [forget_claims(tx, before=OLD, limit=2) for _ in range(3)] == [2, 1, 0]
    assert left(tx) == []
