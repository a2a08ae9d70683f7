import pytest

from ledger.stores import leases, workers
from ledger.writer import Transaction
from tests.ledger.moments import START, later

NAME = "downloader:embedded"


@pytest.fixture
def two(tx: Transaction) -> Transaction:
    """Two live workers."""
    for id_ in ("one", "two"):
        workers.register(tx, id_, role="all", host="here", at=START)
    return tx


def test_a_free_lease_is_taken_and_others_are_refused(two: Transaction) -> None:
    assert leases.holder_of(two.conn, NAME) is None
    assert leases.acquire(two, NAME, "one", START) == 1
    assert leases.acquire(two, NAME, "two", START) is None
    assert leases.holder_of(two.conn, NAME) == "one"
    assert leases.holds(two.conn, NAME, "one", 1)
    assert not leases.holds(two.conn, NAME, "two", 1)
    assert leases.acquire(two, "another name", "two", START) == 1


def test_each_acquisition_has_a_higher_fence_also_by_the_same_holder(two: Transaction) -> None:
    assert leases.acquire(two, NAME, "one", START) == 1
    assert leases.acquire(two, NAME, "one", later(1)) == 2
    assert leases.release(two, NAME, "one")
    assert leases.acquire(two, NAME, "two", later(2)) == 3
    assert not leases.holds(two.conn, NAME, "two", 2)
    assert leases.holds(two.conn, NAME, "two", 3)


@pytest.mark.parametrize("over", ["buried", "ended"])
def test_the_lease_of_a_worker_that_is_gone_is_free(two: Transaction, over: str) -> None:
    assert leases.acquire(two, NAME, "one", START) == 1
    if over == "buried":
        workers.bury(two, "one", 0, later(30))
    else:
        workers.end(two, "one", later(30))
    assert leases.holder_of(two.conn, NAME) is None
    assert not leases.holds(two.conn, NAME, "one", 1)
    assert leases.acquire(two, NAME, "two", later(31)) == 2
    assert leases.holder_of(two.conn, NAME) == "two"


def test_a_worker_that_is_gone_is_given_nothing(two: Transaction) -> None:
    workers.bury(two, "one", 0, later(30))
    assert leases.acquire(two, NAME, "one", later(31)) is None
    assert leases.acquire(two, NAME, "never heard of", later(31)) is None
    assert leases.holder_of(two.conn, NAME) is None


def test_only_the_holder_gives_a_lease_up_and_only_once(two: Transaction) -> None:
    assert leases.acquire(two, NAME, "one", START) == 1
    assert not leases.release(two, NAME, "two")
    assert leases.release(two, NAME, "one")
    assert not leases.release(two, NAME, "one")
    assert leases.holder_of(two.conn, NAME) is None
    assert not leases.holds(two.conn, NAME, "one", 1)
    assert not leases.holds(two.conn, "no such name", "one", 1)
