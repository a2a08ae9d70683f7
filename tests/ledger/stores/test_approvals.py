from dataclasses import replace
from datetime import timedelta

import pytest

from ledger.stores import approvals
from ledger.stores.approvals import WAITS_FOR, Approval, ApprovalState, NewApproval, PlanPin
from ledger.writer import Transaction
from tests.ledger.moments import START, later
from tests.ledger.rows import add_run

PIN = PlanPin("acquisition", "plan_1", "a" * 64, 1)
NEW = NewApproval(
    "download.submit", PIN, "run:run_1", "run_1", "call", {"title": "Sintel"}, later(60)
)
OTHERS = {
    "another plan": replace(PIN, id="plan_2"),
    "another type": replace(PIN, type="organise"),
    "another hash": replace(PIN, payload_hash="b" * 64),
    "another revision": replace(PIN, revision=2),
}


def now(tx: Transaction, id_: str) -> Approval:
    found = approvals.by_id(tx.conn, id_)
    assert found is not None
    return found


def approved(tx: Transaction, new: NewApproval = NEW) -> str:
    id_ = approvals.request(tx, new, START)
    assert approvals.decide(tx, id_, approved=True, by="owner:ann", reason=None, at=later(1))
    return id_


def test_a_request_holds_what_the_owner_is_shown_and_is_no_authority(tx: Transaction) -> None:
    id_ = approvals.request(tx, NEW, START)
    found = now(tx, id_)
    assert (found.state, found.card, found.run) == ("requested", {"title": "Sintel"}, "run_1")
    assert (found.plan_type, found.plan, found.payload_hash, found.revision) == (
        PIN.type,
        PIN.id,
        PIN.payload_hash,
        PIN.revision,
    )
    assert approvals.living(tx.conn, PIN, START) is None


def test_a_yes_is_authority_for_exactly_its_plan(tx: Transaction) -> None:
    id_ = approved(tx)
    found = now(tx, id_)
    assert (found.decided_by, found.decided_at) == ("owner:ann", later(1))
    assert approvals.living(tx.conn, PIN, later(2)) == found


@pytest.mark.parametrize("pin", OTHERS.values(), ids=OTHERS)
def test_a_yes_to_one_plan_is_none_to_another(tx: Transaction, pin: PlanPin) -> None:
    found = now(tx, approved(tx))
    assert not found.covers(pin, later(2))
    assert approvals.living(tx.conn, pin, later(2)) is None


def test_a_yes_ends_at_its_expiry_to_the_moment(tx: Transaction) -> None:
    approved(tx)
    just_before = NEW.expires_at - timedelta(microseconds=1)
    assert approvals.living(tx.conn, PIN, just_before) is not None
    assert approvals.living(tx.conn, PIN, NEW.expires_at) is None


def test_a_no_is_no_authority_and_keeps_its_reason(tx: Transaction) -> None:
    id_ = approvals.request(tx, NEW, START)
    assert approvals.decide(tx, id_, approved=False, by="owner:ann", reason="too big", at=later(1))
    assert (now(tx, id_).state, now(tx, id_).reason) == (ApprovalState.DECLINED, "too big")
    assert approvals.living(tx.conn, PIN, later(2)) is None


@pytest.mark.parametrize("first", [True, False])
def test_the_first_decision_counts(tx: Transaction, *, first: bool) -> None:
    id_ = approvals.request(tx, NEW, START)
    assert approvals.decide(tx, id_, approved=first, by="owner:ann", reason=None, at=later(1))
    before = now(tx, id_)
    assert not approvals.decide(tx, id_, approved=not first, by="owner:bo", reason="", at=later(2))
    assert now(tx, id_) == before


def test_a_used_yes_is_used_up(tx: Transaction) -> None:
    id_ = approved(tx)
    approvals.consume(tx, id_, "inv_1")
    assert (now(tx, id_).state, now(tx, id_).consumed_by) == (ApprovalState.CONSUMED, "inv_1")
    assert approvals.living(tx.conn, PIN, later(2)) is None
    approvals.consume(tx, id_, "inv_2")
    assert now(tx, id_).consumed_by == "inv_1"


def test_what_was_not_approved_cannot_be_used(tx: Transaction) -> None:
    id_ = approvals.request(tx, NEW, START)
    approvals.consume(tx, id_, "inv_1")
    assert now(tx, id_).state == ApprovalState.REQUESTED


@pytest.mark.parametrize("state", [ApprovalState.WITHDRAWN, ApprovalState.LAPSED])
def test_a_request_and_a_yes_can_be_ended_unused(tx: Transaction, state: ApprovalState) -> None:
    asked = approvals.request(tx, NEW, START)
    given = approved(tx, replace(NEW, pin=OTHERS["another plan"]))
    for id_ in (asked, given):
        approvals.end(tx, id_, state, "it was too late", later(2))
        assert (now(tx, id_).state, now(tx, id_).reason) == (state, "it was too late")
        assert not approvals.decide(tx, id_, approved=True, by="owner:ann", reason="", at=later(3))
    assert approvals.living(tx.conn, PIN, later(2)) is None
    assert approvals.living(tx.conn, OTHERS["another plan"], later(2)) is None


def test_what_was_used_or_declined_stays_so(tx: Transaction) -> None:
    used = approved(tx)
    approvals.consume(tx, used, "inv_1")
    declined = approvals.request(tx, replace(NEW, pin=OTHERS["another plan"]), START)
    approvals.decide(tx, declined, approved=False, by="owner:ann", reason="no", at=later(1))
    for id_ in (used, declined):
        before = now(tx, id_)
        approvals.end(tx, id_, ApprovalState.WITHDRAWN, "", later(2))
        assert now(tx, id_) == before


def test_asking_again_for_the_same_plan_gives_the_same_request(tx: Transaction) -> None:
    first = approvals.request(tx, NEW, START)
    assert approvals.request(tx, replace(NEW, run=None), later(1)) == first


@pytest.mark.parametrize("name", ["another type", "another hash", "another revision"])
def test_a_request_for_the_changed_plan_lapses_the_one_before(tx: Transaction, name: str) -> None:
    first = approvals.request(tx, NEW, START)
    second = approvals.request(tx, replace(NEW, pin=OTHERS[name]), later(1))
    assert second != first
    assert now(tx, first).state == ApprovalState.LAPSED
    assert now(tx, second).state == ApprovalState.REQUESTED


def test_a_request_whose_time_ran_out_is_asked_anew(tx: Transaction) -> None:
    first = approvals.request(tx, NEW, START)
    second = approvals.request(tx, replace(NEW, expires_at=later(120)), NEW.expires_at)
    assert second != first
    assert now(tx, first).state == ApprovalState.LAPSED


def test_after_a_no_one_may_ask_again(tx: Transaction) -> None:
    first = approvals.request(tx, NEW, START)
    approvals.decide(tx, first, approved=False, by="owner:ann", reason="no", at=later(1))
    assert approvals.request(tx, NEW, later(2)) != first


def test_approvals_are_listed_by_state_newest_first_in_pages(tx: Transaction) -> None:
    made = [
        approvals.request(tx, replace(NEW, pin=replace(PIN, id=f"plan_{n}")), later(n))
        for n in range(4)
    ]
    approvals.decide(tx, made[0], approved=True, by="owner:ann", reason=None, at=later(5))
    approvals.end(tx, made[1], ApprovalState.LAPSED, "late", later(5))
    waiting, total = approvals.listing(tx.conn, limit=1)
    assert ([one.id for one in waiting], total) == ([made[3]], 2)
    rest, _ = approvals.listing(tx.conn, limit=1, offset=1)
    assert [one.id for one in rest] == [made[2]]
    every, total = approvals.listing(tx.conn, states=tuple(ApprovalState))
    assert ([one.id for one in every], total) == (made[::-1], 4)
    lapsed, _ = approvals.listing(tx.conn, states=(ApprovalState.LAPSED,))
    assert [one.id for one in lapsed] == [made[1]]


def test_what_is_open_past_its_end_is_overdue(tx: Transaction) -> None:
    asked = approvals.request(tx, NEW, START)
    given = approved(tx, replace(NEW, pin=OTHERS["another plan"]))
    used = approved(tx, replace(NEW, pin=replace(PIN, id="plan_3")))
    approvals.consume(tx, used, "inv_1")
    assert approvals.overdue(tx.conn, NEW.expires_at - timedelta(microseconds=1)) == []
    late = approvals.overdue(tx.conn, NEW.expires_at)
    assert {one.id for one in late} == {asked, given}


@pytest.mark.parametrize("decided", [True, False])
def test_what_was_done_otherwise_uses_up_what_is_open(tx: Transaction, *, decided: bool) -> None:
    id_ = approved(tx) if decided else approvals.request(tx, NEW, START)
    approvals.fulfil(tx, now(tx, id_), by="owner:bo", invocation="inv_1", at=later(9))
    found = now(tx, id_)
    assert (found.state, found.consumed_by) == (ApprovalState.CONSUMED, "inv_1")
    assert (found.decided_by, found.decided_at) == (
        ("owner:ann", later(1)) if decided else ("owner:bo", later(9))
    )


def test_every_run_that_waits_for_an_approval_is_found(tx: Transaction) -> None:
    id_ = approvals.request(tx, NEW, START)
    asked = {"run_1": id_, "run_2": id_, "run_3": "apr_other", "run_4": None}
    for run, approval in asked.items():
        waits = {} if approval is None else {WAITS_FOR: {"call": "c", "approval": approval}}
        add_run(tx, run, START, options={"interactive": True, **waits})
    assert approvals.waiting_runs(tx.conn, id_) == ["run_1", "run_2"]


def test_approvals_are_found_by_plan_newest_first_and_by_run(tx: Transaction) -> None:
    first = approvals.request(tx, NEW, START)
    approvals.decide(tx, first, approved=False, by="owner:ann", reason="no", at=later(1))
    second = approvals.request(tx, NEW, later(2))
    states = (ApprovalState.REQUESTED, ApprovalState.DECLINED)
    assert [a.id for a in approvals.of_plan(tx.conn, "plan_1", *states)] == [second, first]
    assert [a.id for a in approvals.of_plan(tx.conn, "plan_1", states[0])] == [second]
    assert {a.id for a in approvals.of_run(tx.conn, "run_1", *states)} == {first, second}
    assert approvals.of_run(tx.conn, "run_2", *states) == []
    assert approvals.by_id(tx.conn, "apr_none") is None
