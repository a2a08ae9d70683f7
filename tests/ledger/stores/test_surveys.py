from ledger.stores import surveys
from ledger.writer import Transaction
from tests.ledger.moments import START, later

SERIES = "/library/Series"


def test_a_look_is_owed_until_the_number_that_was_asked_for_is_answered(tx: Transaction) -> None:
    first = surveys.ask(tx, SERIES)
    assert (first.asked, first.is_owed) == (1, True)
    surveys.tell(tx, first.id, {"files": 7}, START)
    second = surveys.ask(tx, SERIES)
    assert (second.id, second.asked, second.seen) == (first.id, 2, {"files": 7})
    ended = later(5)
    surveys.answer(tx, first.id, 1, {"files": 9}, fault=None, begun_at=START, ended_at=ended)
    row = surveys.by_id(tx.conn, first.id)
    assert row is not None
    assert (row.is_owed, row.seen, row.ended_at) == (True, {"files": 9}, later(5))
    surveys.answer(tx, first.id, 2, {}, fault="it is off", begun_at=START, ended_at=later(9))
    row = surveys.by_path(tx.conn, SERIES)
    assert row is not None
    assert (row.is_owed, row.fault) == (False, "it is off")


def test_what_was_heard_is_counted_and_owes_nobody_an_answer(tx: Transaction) -> None:
    surveys.hear(tx, SERIES)
    row = surveys.hear(tx, SERIES)
    assert (row.heard, row.is_owed) == (2, False)
    assert surveys.by_path(tx.conn, "/library/Films") is None


def test_a_library_stays_unsettled_until_that_is_said(tx: Transaction) -> None:
    for _ in range(2):
        surveys.unsettle(tx, SERIES)
        assert surveys.of(tx, SERIES).unsettled
    surveys.settle(tx, SERIES)
    assert not surveys.of(tx, SERIES).unsettled
