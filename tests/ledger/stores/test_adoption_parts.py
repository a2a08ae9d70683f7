from ledger.stores import adoption_parts
from ledger.writer import Transaction
from tests.ledger.moments import START


def test_parts_are_taken_in_their_order_and_once(tx: Transaction) -> None:
    for n in (2, 1, 3):
        adoption_parts.put(tx, "plan_1", n, {"files": [n]}, START)
    adoption_parts.put(tx, "plan_2", 1, {}, START)
    part = adoption_parts.first(tx.conn, "plan_1")
    assert part is not None
    assert (part.n, part.body, part.at) == (1, {"files": [1]}, START)
    assert adoption_parts.drop(tx, "plan_1", 1)
    assert not adoption_parts.drop(tx, "plan_1", 1)
    assert adoption_parts.left(tx.conn, "plan_1") == 2
    assert adoption_parts.left(tx.conn, "plan_2") == 1


def test_an_earlier_try_leaves_nothing_behind(tx: Transaction) -> None:
    for n in (1, 2, 3):
        adoption_parts.put(tx, "plan_1", n, {"try": 1}, START)
    adoption_parts.put(tx, "plan_1", 1, {"try": 2}, START)
    assert adoption_parts.drop_from(tx, "plan_1", 2, limit=1) == 1
    assert adoption_parts.drop_from(tx, "plan_1", 2, limit=9) == 1
    assert adoption_parts.drop_from(tx, "plan_1", 2, limit=9) == 0
    part = adoption_parts.first(tx.conn, "plan_1")
    assert part is not None
    assert part.body == {"try": 2}
    adoption_parts.drop(tx, "plan_1", 1)
    assert adoption_parts.first(tx.conn, "plan_1") is None
