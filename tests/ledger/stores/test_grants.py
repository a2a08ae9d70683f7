from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from ledger.stores import claims, grants
from ledger.stores.claims import ClaimState, Settlement
from ledger.stores.grants import NewGrant, Scope, Terms, Used
from ledger.writer import Transaction
from tests.ledger.moments import START, later
from tests.ledger.rows import new_claim

TERMS = Terms(Scope.of({"works": ["work_1"]}), 3, 1_000, may_replace=False, expires_at=later(60))
NEW = NewGrant("download.submit", TERMS, "while away", "acquisition", 4)
CLAIM = new_claim(
    actor="run:1", principal="owner:ann", run="run_1", authority="grant_1", bytes_reserved=400
)


def test_a_grant_is_kept_as_it_was_made(tx: Transaction) -> None:
    id_ = grants.add(tx, NEW, "owner:ann", START)
    found = grants.by_id(tx.conn, id_)
    assert found is not None
    assert found.terms == TERMS
    assert (found.action, found.note, found.made_by) == (
        "download.submit",
        "while away",
        "owner:ann",
    )
    assert (found.policy_kind, found.policy_version, found.scope) == (
        "acquisition",
        4,
        {"works": ["work_1"]},
    )
    assert grants.by_id(tx.conn, "grant_none") is None


def test_a_grant_stands_until_its_end_to_the_moment(tx: Transaction) -> None:
    id_ = grants.add(tx, NEW, "owner:ann", START)
    just_before = later(60) - timedelta(microseconds=1)
    assert [one.id for one in grants.standing(tx.conn, just_before)] == [id_]
    assert grants.standing(tx.conn, later(60)) == []
    found = grants.by_id(tx.conn, id_)
    assert found is not None
    assert (found.stands(just_before), found.stands(later(60))) == (True, False)


def test_a_withdrawn_grant_stands_no_more_and_says_why(tx: Transaction) -> None:
    id_ = grants.add(tx, NEW, "owner:ann", START)
    assert grants.withdraw(tx, id_, by="owner:ann", reason="enough", at=later(1))
    assert not grants.withdraw(tx, id_, by="owner:bo", reason="again", at=later(2))
    found = grants.by_id(tx.conn, id_)
    assert found is not None
    assert (found.withdrawn_at, found.withdrawn_by, found.reason) == (
        later(1),
        "owner:ann",
        "enough",
    )
    assert (found.stands(later(2)), grants.standing(tx.conn, later(2))) == (False, [])


def test_new_terms_replace_the_old_ones(tx: Transaction) -> None:
    id_ = grants.add(tx, replace(NEW, terms=replace(TERMS, expires_at=None)), "owner:ann", START)
    smaller = Terms(Scope.of({"works": ["a", "b"], "kinds": ["film"]}), 1, 10, False, later(9))
    grants.set_terms(tx, id_, smaller)
    found = grants.by_id(tx.conn, id_)
    assert found is not None
    assert found.terms == smaller


def test_grants_are_listed_newest_first_in_pages(tx: Transaction) -> None:
    ids = [grants.add(tx, NEW, "owner:ann", later(n)) for n in range(3)]
    grants.withdraw(tx, ids[0], by="owner:ann", reason="", at=later(4))
    shown, total = grants.listing(tx.conn, limit=2)
    assert ([one.id for one in shown], total) == ([ids[2], ids[1]], 3)
    rest, _ = grants.listing(tx.conn, limit=2, offset=2)
    assert [one.id for one in rest] == [ids[0]]
    living, total = grants.listing(tx.conn, standing_at=later(5))
    assert ([one.id for one in living], total) == ([ids[2], ids[1]], 2)
    assert grants.listing(tx.conn, standing_at=later(60)) == ([], 0)


WIDER = Scope.of({"works": ["a", "b"], "kinds": ["film"]})


@pytest.mark.parametrize(
    ("scope", "within"),
    [
        (WIDER, True),
        (Scope.of({"works": ["a"], "kinds": ["film"]}), True),
        (Scope.of({"works": ["a"], "kinds": ["film"], "folders": ["Films"]}), True),
        (Scope.of({"works": ["a", "c"], "kinds": ["film"]}), False),
        (Scope.of({"works": ["a"]}), False),
        (Scope(), False),
    ],
)
def test_a_scope_is_within_a_wider_one(scope: Scope, *, within: bool) -> None:
    assert scope.within(WIDER) is within
    assert scope.within(Scope())


def act(tx: Transaction, n: int, at: datetime, **changed: object) -> claims.Claim:
    new = replace(CLAIM, **{"key": f"k{n}", "call_id": f"c{n}", "request": f"r{n}", **changed})
    return claims.claim(tx, new, at)


DAY = datetime(2026, 3, 1, tzinfo=UTC)


def test_a_days_use_is_counted_from_midnight_to_midnight_in_utc(tx: Transaction) -> None:
    tick = timedelta(microseconds=1)
    for n, at in enumerate((DAY - tick, DAY, DAY + grants.DAY - tick, DAY + grants.DAY)):
        act(tx, n, at)
    assert grants.used(tx.conn, "grant_1", DAY + timedelta(hours=7)) == Used(2, 800)
    east = (DAY + timedelta(hours=1)).astimezone(timezone(timedelta(hours=14)))
    assert grants.used(tx.conn, "grant_1", east) == Used(2, 800)
    assert grants.used(tx.conn, "grant_1", DAY - tick) == Used(1, 400)
    assert grants.used(tx.conn, "grant_2", DAY) == Used(0, 0)


@pytest.mark.parametrize("state", ClaimState)
def test_only_what_failed_gives_its_share_back(tx: Transaction, state: ClaimState) -> None:
    made = act(tx, 1, DAY)
    act(tx, 2, DAY, bytes_reserved=None)
    if state is not ClaimState.RUNNING:
        assert claims.settle(tx, made.id, made.token, Settlement(state), DAY)
    expected = Used(1, 0) if state is ClaimState.FAILED else Used(2, 400)
    assert grants.used(tx.conn, "grant_1", DAY) == expected


@pytest.mark.parametrize("mark", ["left_partly_done", "verified_not_done", "may_be_tried_again"])
def test_what_failed_and_left_something_behind_gives_nothing_back(
    tx: Transaction, mark: str
) -> None:
    made = act(tx, 1, DAY)
    end = Settlement(ClaimState.FAILED, evidence={mark: True})
    assert claims.settle(tx, made.id, made.token, end, DAY)
    expected = Used(1, 400) if mark == claims.LEFT_PARTLY else Used(0, 0)
    assert grants.used(tx.conn, "grant_1", DAY) == expected


def test_an_attempt_that_is_made_anew_counts_on_its_own_day(tx: Transaction) -> None:
    made = act(tx, 1, DAY)
    claims.settle(tx, made.id, made.token, Settlement(ClaimState.FAILED), DAY)
    next_day = DAY + grants.DAY
    act(tx, 1, next_day)
    assert grants.used(tx.conn, "grant_1", DAY) == Used(0, 0)
    assert grants.used(tx.conn, "grant_1", next_day) == Used(1, 400)
