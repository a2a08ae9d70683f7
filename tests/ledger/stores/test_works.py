from ledger.stores import works
from ledger.writer import Transaction
from tests.ledger.moments import START, later


def keep(tx: Transaction, key: str, title: str, second: float = 0) -> str:
    return works.keep(
        tx,
        key=key,
        kind="film",
        title=title,
        year=2010,
        body={"titles": [title]},
        at=later(second),
    )


def test_a_work_is_found_by_id_and_by_its_source_key(tx: Transaction) -> None:
    id_ = keep(tx, "tmdb:film:45745", "Sintel")
    found = works.by_id(tx.conn, id_)
    assert found is not None
    assert found == works.by_key(tx.conn, "tmdb:film:45745")
    assert (found.kind, found.title, found.year) == ("film", "Sintel", 2010)
    assert (found.body, found.fetched_at) == ({"titles": ["Sintel"]}, START)
    assert works.by_id(tx.conn, "work_none") is None
    assert works.by_key(tx.conn, "tmdb:film:1") is None


def test_a_refreshed_work_keeps_its_id(tx: Transaction) -> None:
    id_ = keep(tx, "tmdb:film:45745", "Sintel")
    assert keep(tx, "tmdb:film:45745", "Sintel (restored)", 5) == id_
    found = works.by_id(tx.conn, id_)
    assert found is not None
    assert (found.title, found.fetched_at) == ("Sintel (restored)", later(5))
    assert found.body == {"titles": ["Sintel (restored)"]}


def test_several_works_are_read_at_once(tx: Transaction) -> None:
    one, other = keep(tx, "tmdb:film:1", "One"), keep(tx, "tmdb:film:2", "Other")
    found = works.many(tx.conn, {one, other, "work_none"})
    assert {id_: row.title for id_, row in found.items()} == {one: "One", other: "Other"}
    assert works.many(tx.conn, set()) == {}


def test_the_works_fetched_last_come_first(tx: Transaction) -> None:
    ids = [keep(tx, f"tmdb:film:{n}", f"Film {n}", n) for n in range(3)]
    assert [row.id for row in works.newest(tx.conn, limit=2)] == [ids[2], ids[1]]
