import pytest

from ledger.stores import blocklist
from ledger.stores.blocklist import NewBlock
from ledger.writer import Transaction
from tests.ledger.moments import START, later

HASH = "a" * 40
BAD = NewBlock("a fake", work="work_1", info_hash=HASH, title="T.2020", indexer="one")


def test_a_block_holds_for_its_work_until_it_is_removed(tx: Transaction) -> None:
    id_ = blocklist.add(tx, BAD, START, by="system:tracking")
    (held,) = blocklist.standing(tx.conn, "work_1")
    assert (held.id, held.info_hash, held.reason) == (id_, HASH, "a fake")
    assert (held.by, held.created_at) == ("system:tracking", START)
    assert blocklist.standing(tx.conn, "work_2") == []
    assert blocklist.standing(tx.conn, None) == []
    assert blocklist.remove(tx, id_, later(5), by="owner:ada")
    assert blocklist.standing(tx.conn, "work_1") == []
    assert not blocklist.remove(tx, id_, later(6), by="owner:ada")
    gone = blocklist.by_id(tx.conn, id_)
    assert gone is not None
    assert (gone.removed_at, gone.removed_by) == (later(5), "owner:ada")


def test_a_block_without_a_work_holds_for_all(tx: Transaction) -> None:
    blocklist.add(tx, NewBlock("dangerous", info_hash=HASH), START, by="system:tracking")
    assert len(blocklist.standing(tx.conn, "work_1")) == 1
    assert len(blocklist.standing(tx.conn, None)) == 1


def test_what_is_blocked_already_is_blocked_once(tx: Transaction) -> None:
    first = blocklist.add(tx, BAD, START, by="a")
    assert blocklist.add(tx, BAD, later(1), by="b") == first
    named = NewBlock("dead", work="work_1", title="T.2020", indexer="one")
    other = NewBlock("dead", work="work_1", title="T.2020", indexer="two")
    ids = {blocklist.add(tx, new, later(2), by="a") for new in (named, named, other)}
    assert len(ids) == 2
    blocklist.remove(tx, first, later(3), by="a")
    assert blocklist.add(tx, BAD, later(4), by="a") != first


def test_a_block_names_something(tx: Transaction) -> None:
    with pytest.raises(ValueError, match="an info-hash or a title"):
        blocklist.add(tx, NewBlock("nothing", indexer="one"), START, by="a")


def test_the_list_is_newest_first_and_keeps_what_was_removed(tx: Transaction) -> None:
    first = blocklist.add(tx, BAD, START, by="a")
    second = blocklist.add(tx, NewBlock("dead", title="T"), later(1), by="a")
    third = blocklist.add(tx, NewBlock("dead", title="U"), later(2), by="a")
    blocklist.remove(tx, second, later(3), by="a")
    rows, total = blocklist.listing(tx.conn, removed=False, limit=10)
    assert ([row.id for row in rows], total) == ([third, first], 2)
    rows, total = blocklist.listing(tx.conn, removed=True, limit=1, offset=1)
    assert ([row.id for row in rows], total) == ([second], 3)
