"""The checker of histories must find what it is there to find."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ledger.stores import approvals, audit, claims, events
from ledger.stores.approvals import ApprovalState, NewApproval, PlanPin
from ledger.stores.claims import Claim, ClaimState, NewClaim, Settlement
from ledger.tables.effects import approval as approval_table
from ledger.tables.effects import invocation, owner_grant
from ledger.tables.runs import event
from ledger.writer import Transaction
from tests.history import check_history
from tests.ledger.moments import START, later
from tests.ledger.rows import new_claim

PIN = PlanPin("acquisition", "plan_1", "a" * 64, 1)
NEW = new_claim(key="k1", natural_key="btih:aa", plan="plan_1", plan_hash="a" * 64, plan_revision=1)
Break = Callable[[Transaction, Claim], None]


def settled(tx: Transaction, new: NewClaim = NEW, at: float = 0) -> Claim:
    """A claim that was claimed and has succeeded a second later, with its audit row."""
    made = claims.claim(tx, new, later(at))
    claims.settle(tx, made.id, made.token, Settlement(ClaimState.SUCCEEDED), later(at + 1))
    told(tx, made)
    found = claims.by_id(tx.conn, made.id)
    assert found is not None
    return found


def told(tx: Transaction, claim: Claim, outcome: str = "succeeded") -> None:
    summary = {"attempt": claim.attempt}
    entry = audit.Entry(
        START, "x", "settled", outcome=outcome, invocation=claim.id, summary=summary
    )
    audit.write(tx, entry)


def approved(tx: Transaction, claim: Claim | None = None, pin: PlanPin = PIN) -> str:
    """An approval; used up by ``claim`` where there is one."""
    new = NewApproval("download.submit", pin, "key:local", None, None, {}, later(60))
    id_ = approvals.request(tx, new, START)
    approvals.decide(tx, id_, approved=True, by="owner:ann", reason=None, at=START)
    if claim is not None:
        approvals.consume(tx, id_, claim.id)
    return id_


def test_an_ordinary_history_passes(tx: Transaction) -> None:
    first = settled(tx)
    approval = approved(tx, first)
    settled(tx, replace(NEW, key="k2", authority=approval), 2)
    open_ = claims.claim(tx, replace(NEW, key="k3"), later(9))
    claims.make_unknown(tx, open_.id, "cut off")
    claims.claim(tx, replace(NEW, key="k4", natural_key=None), later(9))
    for _ in range(3):
        events.append(tx, "said", {}, START, run="run_1")
    assert check_history(tx.conn) == []


def test_retried_acts_pass_with_an_audit_row_for_each_attempt(tx: Transaction) -> None:
    undone = Settlement(ClaimState.FAILED, evidence={claims.NOT_DONE: True})
    first = claims.claim(tx, NEW, START)
    claims.settle(tx, first.id, first.token, undone, later(1))
    told(tx, first, "failed")
    second = claims.claim(tx, NEW, later(2))
    assert second.attempt == 2
    assert check_history(tx.conn) == []
    claims.settle(tx, second.id, second.token, undone, later(3))
    assert check_history(tx.conn) == [
        f"Attempt 2 of {first.id} (failed) has 0 audit rows of its settlement, not 1."
    ]


def second_open(tx: Transaction, _: Claim) -> None:
    for n in (2, 3):
        claims.claim(tx, replace(NEW, key=f"k{n}"), later(n))


def second_meanwhile(tx: Transaction, _: Claim) -> None:
    settled(tx, replace(NEW, key="k2"), 0.5)


def told_twice(tx: Transaction, claim: Claim) -> None:
    told(tx, claim)


def never_told(tx: Transaction, _: Claim) -> None:
    quiet = claims.claim(tx, replace(NEW, key="k2"), later(5))
    claims.settle(tx, quiet.id, quiet.token, Settlement(ClaimState.SUCCEEDED), later(6))


def open_and_told(tx: Transaction, _: Claim) -> None:
    told(tx, claims.claim(tx, replace(NEW, key="k2"), later(5)))


def settled_without_a_time(tx: Transaction, claim: Claim) -> None:
    tx.conn.execute(invocation.update().where(invocation.c.id == claim.id).values(settled_at=None))


def used_by_nobody(tx: Transaction, claim: Claim) -> None:
    id_ = approved(tx, claim)
    tx.conn.execute(
        approval_table.update().where(approval_table.c.id == id_).values(consumed_by="inv_none")
    )


def used_by_a_failure(tx: Transaction, _: Claim) -> None:
    failed = claims.claim(tx, replace(NEW, key="k2"), later(5))
    claims.settle(tx, failed.id, failed.token, Settlement(ClaimState.FAILED), later(6))
    told(tx, failed, "failed")
    approved(tx, failed)


def by_a_lapsed_approval(tx: Transaction, _: Claim) -> None:
    settled(tx, replace(NEW, key="k2", authority=approved(tx)), 61)


def by_a_withdrawn_approval(tx: Transaction, _: Claim) -> None:
    id_ = approved(tx)
    approvals.end(tx, id_, ApprovalState.WITHDRAWN, "no", later(2))
    settled(tx, replace(NEW, key="k2", authority=id_), 3)


def by_an_approval_of_another_plan(tx: Transaction, _: Claim) -> None:
    id_ = approved(tx, pin=replace(PIN, id="plan_2"))
    settled(tx, replace(NEW, key="k2", authority=id_), 3)


def granted(tx: Transaction, **columns: object) -> str:
    tx.conn.execute(
        owner_grant.insert().values(
            id="grant_1",
            action="*",
            scope={},
            may_replace=False,
            note="",
            made_by="owner:ann",
            created_at=START,
            **columns,
        )
    )
    return "grant_1"


def by_a_withdrawn_grant(tx: Transaction, _: Claim) -> None:
    settled(tx, replace(NEW, key="k2", authority=granted(tx, withdrawn_at=later(2))), 3)


def by_a_grant_that_ran_out(tx: Transaction, _: Claim) -> None:
    settled(tx, replace(NEW, key="k2", authority=granted(tx, expires_at=later(2))), 3)


def a_gap_in_a_run(tx: Transaction, _: Claim) -> None:
    for _n in range(3):
        events.append(tx, "said", {}, START, run="run_1")
    tx.conn.execute(event.delete().where(event.c.run_seq == 2))


BROKEN: dict[Break, str] = {
    second_open: "were both under way on btih:aa",
    second_meanwhile: "were both under way on btih:aa",
    told_twice: "has 2 audit rows of its settlement, not 1",
    never_told: "has 0 audit rows of its settlement, not 1",
    open_and_told: "has 1 audit rows of its settlement, not 0",
    settled_without_a_time: "was settled at None",
    used_by_nobody: "was used up by inv_none, which did not succeed",
    used_by_a_failure: "which did not succeed",
    by_a_lapsed_approval: "which had run out",
    by_a_withdrawn_approval: "which was withdrawn by then",
    by_an_approval_of_another_plan: "about another plan and was never used for it",
    by_a_withdrawn_grant: "which had been withdrawn",
    by_a_grant_that_ran_out: "which had run out",
    a_gap_in_a_run: "The events of run_1 go from 1 to 3 in 2 rows with 2 numbers",
}


@pytest.mark.parametrize(
    ("broken", "sentence"), BROKEN.items(), ids=[each.__name__ for each in BROKEN]
)
def test_a_violation_is_found_and_said(tx: Transaction, broken: Break, sentence: str) -> None:
    broken(tx, settled(tx))
    found = check_history(tx.conn)
    assert any(sentence in each for each in found), found


def test_what_was_in_order_when_it_happened_passes(tx: Transaction) -> None:
    grant = granted(tx, withdrawn_at=later(9), expires_at=later(9))
    settled(tx, replace(NEW, key="k2", authority=grant), 3)
    ended = approved(tx)
    settled(tx, replace(NEW, key="k3", natural_key=None, authority=ended), 3)
    approvals.end(tx, ended, ApprovalState.WITHDRAWN, "later", later(8))
    assert check_history(tx.conn) == []


def test_a_use_whose_claim_was_forgotten_is_known_by_its_audit_row(tx: Transaction) -> None:
    claim = settled(tx)
    approved(tx, claim)
    tx.conn.execute(invocation.delete().where(invocation.c.id == claim.id))
    assert check_history(tx.conn) == []
