import pytest

from ledger.stores import audit
from ledger.stores.audit import Entry
from ledger.writer import Transaction
from tests.ledger.moments import START, later


def test_entries_are_appended_and_read_newest_first(tx: Transaction) -> None:
    first = Entry(START, "key:local", "invoked", "catalog.lookup", "succeeded")
    second = Entry(
        later(1),
        "system:import",
        "settled",
        "organize.execute",
        "failed",
        "apr_1",
        "inv_1",
        "run_1",
        {"sentence": "no room"},
    )
    audit.write(tx, first, second)
    found = audit.newest(tx.conn)
    for row, entry in zip(found, (second, first), strict=True):
        assert all(getattr(row, name) == getattr(entry, name) for name in Entry.__slots__)
    assert found[0].seq > found[1].seq
    assert [(row.chain, row.link) for row in found] == [(tx.writer, 2), (tx.writer, 1)]


def test_writing_nothing_writes_nothing(tx: Transaction) -> None:
    audit.write(tx)
    assert audit.newest(tx.conn) == []


def test_the_trail_of_one_run_can_be_read_alone(tx: Transaction) -> None:
    for n in range(5):
        audit.write(tx, Entry(START, "key:local", str(n), run=f"run_{n % 2}"))
    assert [row.action for row in audit.newest(tx.conn, run="run_0", limit=2)] == ["4", "2"]


def test_the_trail_is_read_page_by_page(tx: Transaction) -> None:
    audit.write(tx, *(Entry(START, "key:local", str(n)) for n in range(5)))
    first = audit.newest(tx.conn, limit=2)
    second = audit.newest(tx.conn, limit=2, before=first[-1].seq)
    assert [row.action for row in (*first, *second)] == ["4", "3", "2", "1"]


@pytest.mark.parametrize("what", [object(), float("nan"), float("inf")])
def test_a_summary_that_is_no_json_is_refused_before_anything_is_written(
    what: object, tx: Transaction
) -> None:
    with pytest.raises((TypeError, ValueError)):
        audit.write(tx, Entry(START, "key:local", "x", summary={"what": what}))
    assert audit.newest(tx.conn) == []
