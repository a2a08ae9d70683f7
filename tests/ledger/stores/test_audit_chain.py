from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from enum import StrEnum

import anyio
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.database import Database, Snapshot
from ledger.location import Location
from ledger.stores import audit, audit_chain
from ledger.stores.audit import AuditRow, Entry
from ledger.stores.audit_chain import START, link_hash, reference
from ledger.stores.audit_proof import verify
from ledger.tables.effects import audit_chain as records
from ledger.writer import Transaction
from tests.ledger.moments import START as AT


class Word(StrEnum):
    DONE = "done"


def entry(action: str = "invoked", **more: object) -> Entry:
    return Entry(AT, "key:local", action, summary=more)


def by(writer: str) -> Callable[[Transaction], Transaction]:
    return lambda tx: Transaction(tx.conn, writer=writer)


def trail(conn: Snapshot) -> list[AuditRow]:
    return audit.newest(conn, limit=1000)[::-1]


def opening(conn: Snapshot, chain: str) -> str:
    return conn.execute(sa.select(records.c.opened_with).where(records.c.id == chain)).scalar_one()


def test_links_of_a_chain_count_from_one_and_its_record_keeps_the_end(tx: Transaction) -> None:
    audit.write(tx, entry(), entry())
    audit.write(tx, entry())
    rows = trail(tx.conn)
    assert [row.link for row in rows] == [1, 2, 3]
    (record,) = tx.conn.execute(sa.select(records)).all()
    assert (record.id, record.links, record.head) == (tx.writer, 3, rows[-1].hash)
    assert record.opened_with == START


def test_a_hash_binds_the_link_before_it(tx: Transaction) -> None:
    audit.write(tx, entry("one"), entry("two"))
    first, second = trail(tx.conn)
    named = {name: getattr(second, name) for name in AuditRow.__slots__}
    assert second.hash == link_hash(str(first.hash), named)
    assert second.hash != link_hash(START, named)


@pytest.mark.parametrize(
    ("column", "other"),
    [
        ("at", AT + timedelta(microseconds=1)),
        ("actor", "key:other"),
        ("action", "settled"),
        ("capability", "x"),
        ("outcome", "x"),
        ("authority", "x"),
        ("invocation", "x"),
        ("run", "x"),
        ("summary", {"n": 2}),
        ("chain", "other"),
        ("link", 2),
    ],
)
def test_every_column_changes_the_hash(column: str, other: object, tx: Transaction) -> None:
    audit.write(tx, entry(n=1))
    (row,) = trail(tx.conn)
    named = {name: getattr(row, name) for name in AuditRow.__slots__}
    assert row.hash == link_hash(START, named)
    assert row.hash != link_hash(START, {**named, column: other})


def test_a_chain_opens_with_the_newest_link_of_all(tx: Transaction) -> None:
    one, two, three = (by(name)(tx) for name in ("one", "two", "three"))
    audit.write(one, entry())
    audit.write(two, entry())
    audit.write(one, entry("last"))
    audit.write(three, entry())
    rows = trail(tx.conn)
    assert opening(tx.conn, "two") == reference("one", 1, str(rows[0].hash))
    assert opening(tx.conn, "three") == reference("one", 2, str(rows[2].hash))
    assert verify(tx.conn).whole


def test_a_write_that_is_rolled_back_leaves_no_gap(tx: Transaction) -> None:
    audit.write(tx, entry())
    savepoint = tx.conn.begin_nested()
    audit.write(tx, entry())
    savepoint.rollback()
    audit.write(tx, entry())
    assert [row.link for row in trail(tx.conn)] == [1, 2]
    assert verify(tx.conn).whole


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    # PostgreSQL keeps neither NUL nor half a surrogate pair in a text.
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "ä", "_", "B", "10", "9"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(
    summary=st.dictionaries(st.text("abc", max_size=3), JSON, max_size=4),
    at=st.datetimes(
        datetime(1990, 1, 1),  # noqa: DTZ001  # hypothesis adds the zone itself
        datetime(2090, 1, 1),  # noqa: DTZ001
        timezones=st.sampled_from([timezone(timedelta(hours=h)) for h in (-11, 0, 2)]),
    ),
)
@settings(max_examples=60, deadline=None)
def _round_trip(tx: Transaction, summary: dict[str, object], at: datetime) -> None:
    audit.write(tx, Entry(at, "key:ä", Word.DONE, outcome=Word.DONE, summary=summary))
    assert verify(tx.conn).whole


def test_whatever_is_written_is_proved_when_it_comes_back(tx: Transaction) -> None:
    _round_trip(tx)


def test_keys_that_are_no_strings_are_hashed_as_they_come_back(tx: Transaction) -> None:
    summary: dict[object, object] = {10: 1, 9: 2, True: (1, 2), None: Word.DONE}
    audit.write(tx, Entry(AT, "key:local", "x", summary={"inner": summary}))
    assert verify(tx.conn).whole


@pytest.mark.anyio
async def test_processes_that_write_at_once_have_a_chain_each(location: Location) -> None:
    one, two = Database(location), Database(location)
    try:
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for database in (one, two):
                    for n in range(20):
                        group.start_soon(database.write, _write_of(n))
        verdict = await one.read(verify)
    finally:
        one.close()
        two.close()
    assert (verdict.rows, verdict.chains, verdict.faults) == (40, 2, ())
    assert one.worker != two.worker


def _write_of(n: int) -> Callable[[Transaction], None]:
    return lambda tx: audit.write(tx, entry(n=n))


def test_nothing_of_the_row_but_its_sequence_stays_outside_the_hash() -> None:
    assert set(AuditRow.__slots__) - set(audit_chain.HASHED) == {"seq", "hash"}


@pytest.mark.anyio
async def test_whoever_takes_a_new_identity_begins_a_new_chain(database: Database) -> None:
    before = database.worker
    await database.write(_write_of(1))
    after = database.take_identity()
    await database.write(_write_of(2))
    assert [row.chain for row in await database.read(trail)] == [before, after]
    assert (await database.read(verify)).whole
