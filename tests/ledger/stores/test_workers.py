import pytest
from sqlalchemy.exc import IntegrityError

from ledger.stores import workers
from ledger.stores.workers import Worker, WorkerState
from ledger.writer import Transaction
from tests.ledger.moments import START, later


def register(tx: Transaction, id_: str, seconds: float = 0) -> None:
    workers.register(tx, id_, role="all", host="here", at=later(seconds))


def test_a_worker_is_alive_from_its_registration_and_beats(tx: Transaction) -> None:
    register(tx, "one")
    made = workers.by_id(tx.conn, "one")
    assert made == Worker("one", "all", "here", WorkerState.ALIVE, 0, START, None)
    assert workers.beat(tx, "one")
    assert workers.beat(tx, "one")
    found = workers.by_id(tx.conn, "one")
    assert found is not None
    assert found.beat == 2
    assert workers.is_alive(tx.conn, "one")


def test_nobody_is_neither_found_nor_alive_nor_beats(tx: Transaction) -> None:
    assert workers.by_id(tx.conn, "nobody") is None
    assert not workers.is_alive(tx.conn, "nobody")
    assert not workers.beat(tx, "nobody")
    assert not workers.bury(tx, "nobody", 0, START)
    workers.end(tx, "nobody", START)


def test_an_identity_is_used_once(tx: Transaction) -> None:
    register(tx, "one")
    workers.end(tx, "one", later(1))
    with pytest.raises(IntegrityError), tx.conn.begin_nested():
        register(tx, "one")


def test_a_worker_is_buried_once_and_only_on_the_beat_that_was_seen(tx: Transaction) -> None:
    register(tx, "one")
    assert workers.beat(tx, "one")
    assert not workers.bury(tx, "one", 0, later(30))
    assert workers.is_alive(tx.conn, "one")
    assert workers.bury(tx, "one", 1, later(30))
    assert not workers.bury(tx, "one", 1, later(31))
    found = workers.by_id(tx.conn, "one")
    assert found is not None
    assert (found.state, found.ended_at) == (WorkerState.DEAD, later(30))


def test_a_buried_worker_beats_no_more_and_cannot_end_in_good_order(tx: Transaction) -> None:
    register(tx, "one")
    assert workers.bury(tx, "one", 0, later(30))
    assert not workers.beat(tx, "one")
    workers.end(tx, "one", later(40))
    found = workers.by_id(tx.conn, "one")
    assert found is not None
    assert (found.state, found.beat, found.ended_at) == (WorkerState.DEAD, 0, later(30))


def test_a_worker_that_ended_is_not_buried_afterwards(tx: Transaction) -> None:
    register(tx, "one")
    workers.end(tx, "one", later(1))
    assert not workers.bury(tx, "one", 0, later(30))
    assert not workers.beat(tx, "one")
    found = workers.by_id(tx.conn, "one")
    assert found is not None
    assert (found.state, found.ended_at) == (WorkerState.ENDED, later(1))


def test_the_live_ones_are_listed_oldest_first(tx: Transaction) -> None:
    for seconds, id_ in ((3, "a"), (1, "b"), (2, "c"), (0, "dead"), (0, "ended")):
        register(tx, id_, seconds)
    workers.bury(tx, "dead", 0, later(9))
    workers.end(tx, "ended", later(9))
    assert [each.id for each in workers.alive(tx.conn)] == ["b", "c", "a"]


def test_only_those_that_were_over_before_a_moment_are_forgotten(tx: Transaction) -> None:
    for id_ in ("alive", "dead", "ended", "ended lately"):
        register(tx, id_)
    workers.bury(tx, "dead", 0, later(10))
    workers.end(tx, "ended", later(20))
    workers.end(tx, "ended lately", later(30))
    assert workers.forget(tx, later(30)) == 2
    left = [workers.by_id(tx.conn, id_) for id_ in ("alive", "dead", "ended", "ended lately")]
    assert [each is not None for each in left] == [True, False, False, True]
