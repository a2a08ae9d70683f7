from collections import Counter
from functools import partial

import anyio
import pytest

from ledger.database import Database, Snapshot
from ledger.location import Location
from ledger.stores import events
from ledger.writer import Transaction
from tests.ledger.moments import START


def test_events_are_numbered_within_their_run_and_over_all(tx: Transaction) -> None:
    events.append(tx, "started", {"n": 1}, START, run="run_1")
    events.append(tx, "noise", {}, START)
    events.append(tx, "started", {}, START, run="run_2")
    events.append(tx, "ended", {}, START, run="run_1")
    assert [(e.run_seq, e.type, e.body) for e in events.of_run(tx.conn, "run_1")] == [
        (1, "started", {"n": 1}),
        (2, "ended", {}),
    ]
    assert [(e.seq, e.run, e.run_seq) for e in events.page(tx.conn)] == [
        (1, "run_1", 1),
        (2, None, None),
        (3, "run_2", 1),
        (4, "run_1", 2),
    ]
    assert events.last_seq(tx.conn, "run_1") == 2
    assert events.last_seq(tx.conn, "run_3") == 0


def test_a_reader_goes_on_behind_what_it_has(tx: Transaction) -> None:
    for n in range(5):
        events.append(tx, str(n), {}, START, run="run_1")
    assert [e.type for e in events.of_run(tx.conn, "run_1", after=2, limit=2)] == ["2", "3"]
    assert [e.type for e in events.page(tx.conn, after=3, limit=9)] == ["3", "4"]
    assert events.page(tx.conn, after=5) == []


@pytest.mark.anyio
async def test_many_writers_leave_no_gap_in_a_run_and_no_double_also_when_some_fail(
    database: Database,
) -> None:
    def write(tx: Transaction, n: int) -> None:
        events.append(tx, "happened", {"n": n}, START, run=f"run_{n % 3}")
        if n % 5 == 0:
            raise LookupError

    async def tell(n: int) -> None:
        try:
            await database.write(lambda tx: write(tx, n))
        except LookupError:
            assert n % 5 == 0

    with anyio.fail_after(5):
        async with anyio.create_task_group() as writers:
            for n in range(60):
                writers.start_soon(tell, n)
    found = await database.read(events.page)
    numbers = [event.seq for event in found]
    assert len(numbers) == 48
    assert numbers == sorted(set(numbers))
    assert Counter(event.run for event in found) == {"run_0": 16, "run_1": 16, "run_2": 16}
    for run in ("run_0", "run_1", "run_2"):
        mine = [event.run_seq for event in found if event.run == run]
        assert mine == list(range(1, 17))


def numbers_behind(conn: Snapshot, after: int) -> list[int]:
    return [event.seq for event in events.page(conn, after=after)]


@pytest.mark.anyio
async def test_no_number_turns_up_behind_a_reader_who_is_already_further(
    shared: Location,
) -> None:
    """Two processes write at once: the numbers a reader sees only ever grow."""
    one, two = Database(shared), Database(shared)
    seen: list[int] = []

    async def write(database: Database) -> None:
        for _ in range(40):
            await database.write(lambda tx: events.append(tx, "happened", {}, START))

    async def follow() -> None:
        while len(seen) < 80:
            after = seen[-1] if seen else 0
            seen.extend(await one.read(partial(numbers_behind, after=after)))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(follow)
            tasks.start_soon(write, one)
            tasks.start_soon(write, two)
    one.close()
    two.close()
    assert seen == sorted(seen)
