from dataclasses import replace

import anyio
import pytest

from ledger.database import Database
from ledger.stores import decisions
from ledger.stores.decisions import (
    Decision,
    DecisionKind,
    DecisionState,
    NewDecision,
    Severity,
)
from ledger.writer import Transaction
from tests.ledger.moments import START, later

NEW = NewDecision(
    DecisionKind.DOWNLOAD_STALLED,
    "download_stalled:dl_1",
    "No peers",
    Severity.MEDIUM,
    evidence={"peers": 0},
    options=[{"id": "retry", "title": "Try again"}],
    run="run_1",
    subject="dl_1",
)


def test_a_decision_waits_with_its_evidence_and_options(tx: Transaction) -> None:
    id_ = decisions.raise_(tx, NEW, START)
    found = decisions.by_id(tx.conn, id_)
    assert found is not None
    assert found == decisions.open_for(tx.conn, NEW.dedupe_key)
    kept = set(NewDecision.__slots__) & set(Decision.__slots__)
    assert {"kind", "title", "evidence", "options", "subject"} <= kept
    assert all(getattr(found, name) == getattr(NEW, name) for name in kept)
    assert (found.state, found.created_at) == (DecisionState.AWAITING_USER, START)
    assert decisions.by_id(tx.conn, "dec_none") is None


def test_one_root_cause_has_one_open_decision(tx: Transaction) -> None:
    first = decisions.raise_(tx, NEW, START)
    assert decisions.raise_(tx, replace(NEW, title="Still no peers"), later(1)) == first
    assert decisions.raise_(tx, replace(NEW, dedupe_key="another"), later(1)) != first
    assert decisions.listing(tx.conn)[1] == 2


def test_of_a_decision_that_waits_more_may_be_said_and_offered(tx: Transaction) -> None:
    id_ = decisions.raise_(tx, NEW, START)
    options = [{"id": "next", "title": "Take another one"}]
    decisions.amend(tx, id_, evidence={"next": "x"}, options=options)
    found = decisions.by_id(tx.conn, id_)
    assert found is not None
    assert (found.evidence, found.options) == ({"next": "x"}, options)
    decisions.close(tx, id_, by="owner:ann", resolution="next", at=later(1))
    decisions.amend(tx, id_, evidence={}, options=[])
    closed = decisions.by_id(tx.conn, id_)
    assert closed is not None
    assert closed.options == options


def test_a_cause_that_comes_back_after_it_was_settled_is_asked_anew(tx: Transaction) -> None:
    first = decisions.raise_(tx, NEW, START)
    assert decisions.close(tx, first, by="owner:ann", resolution="retry", at=later(1))
    second = decisions.raise_(tx, NEW, later(2))
    assert second != first
    closed = decisions.by_id(tx.conn, first)
    assert closed is not None
    assert (closed.state, closed.resolved_by, closed.resolution, closed.resolved_at) == (
        DecisionState.RESOLVED,
        "owner:ann",
        "retry",
        later(1),
    )


def test_the_first_resolution_counts(tx: Transaction) -> None:
    id_ = decisions.raise_(tx, NEW, START)
    assert decisions.close(tx, id_, by="owner:ann", resolution="retry", at=later(1))
    assert not decisions.close(tx, id_, by="owner:bo", resolution="dismiss", at=later(2))
    found = decisions.by_id(tx.conn, id_)
    assert found is not None
    assert found.resolved_by == "owner:ann"


def test_a_cause_that_went_away_closes_its_decision_if_there_is_one(tx: Transaction) -> None:
    id_ = decisions.raise_(tx, NEW, START)
    for _ in range(2):
        decisions.close_for(tx, NEW.dedupe_key, by="system:track", resolution="moves", at=later(1))
    assert decisions.open_for(tx.conn, NEW.dedupe_key) is None
    found = decisions.by_id(tx.conn, id_)
    assert found is not None
    assert found.resolved_by == "system:track"


@pytest.mark.anyio
async def test_of_many_that_raise_the_same_cause_at_once_one_opens_it(database: Database) -> None:
    ids: set[str] = set()

    async def raise_one() -> None:
        ids.add(await database.write(lambda tx: decisions.raise_(tx, NEW, START)))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as raisers:
            for _ in range(32):
                raisers.start_soon(raise_one)
    assert len(ids) == 1
    assert (await database.read(decisions.listing))[1] == 1


def test_decisions_are_listed_by_urgency_then_age(tx: Transaction) -> None:
    wanted = {
        "old low": (Severity.LOW, 0),
        "new high": (Severity.HIGH, 3),
        "old medium": (Severity.MEDIUM, 1),
        "new medium": (Severity.MEDIUM, 2),
        "old high": (Severity.HIGH, 1),
    }
    for title, (severity, second) in wanted.items():
        new = replace(NEW, dedupe_key=title, title=title, severity=severity)
        decisions.raise_(tx, new, later(second))
    found, total = decisions.listing(tx.conn)
    assert [each.title for each in found] == [
        "old high",
        "new high",
        "old medium",
        "new medium",
        "old low",
    ]
    assert total == 5
    middle, still = decisions.listing(tx.conn, limit=2, offset=1)
    assert ([each.title for each in middle], still) == (["new high", "old medium"], 5)


def test_a_listing_can_be_narrowed_to_a_kind_and_to_states(tx: Transaction) -> None:
    stalled = decisions.raise_(tx, NEW, START)
    other = decisions.raise_(
        tx, replace(NEW, kind=DecisionKind.NO_SPACE, dedupe_key="space"), START
    )
    decisions.close(tx, stalled, by="owner:ann", resolution="retry", at=later(1))

    def ids(**narrow: object) -> list[str]:
        return [each.id for each in decisions.listing(tx.conn, **narrow)[0]]  # pyright: ignore[reportArgumentType]  # any of its keywords

    assert ids() == [other]
    assert ids(states=(DecisionState.RESOLVED,)) == [stalled]
    assert ids(kind=DecisionKind.NO_SPACE) == [other]
    assert ids(kind=DecisionKind.DOWNLOAD_STALLED) == []


def test_what_a_run_asked_is_found_by_kind_and_state_oldest_first(tx: Transaction) -> None:
    second = decisions.raise_(tx, replace(NEW, dedupe_key="b"), later(1))
    first = decisions.raise_(tx, replace(NEW, dedupe_key="a"), START)
    closed = decisions.raise_(tx, replace(NEW, dedupe_key="c"), later(2))
    decisions.close(tx, closed, by="owner:ann", resolution="retry", at=later(3))
    decisions.raise_(tx, replace(NEW, dedupe_key="d", run="run_2"), START)
    decisions.raise_(tx, replace(NEW, dedupe_key="e", kind=DecisionKind.NO_SPACE), START)

    def ids(*states: DecisionState) -> list[str]:
        found = decisions.of_run(tx.conn, "run_1", DecisionKind.DOWNLOAD_STALLED, *states)
        return [each.id for each in found]

    assert ids(DecisionState.AWAITING_USER) == [first, second]
    assert ids(DecisionState.RESOLVED) == [closed]
    assert ids(DecisionState.AWAITING_USER, DecisionState.RESOLVED) == [first, second, closed]
