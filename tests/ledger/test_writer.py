import asyncio
import sqlite3
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import anyio
import pytest
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError

from ledger.database import writing_engine
from ledger.faults import LedgerUnavailableError
from ledger.location import SqliteFile
from ledger.writer import MOST_IN_ONE_COMMIT, Transaction, Writer


@pytest.fixture
def engine(tmp_path: Path) -> Generator[sa.Engine]:
    made = writing_engine(SqliteFile(tmp_path / "file"))
    with made.begin() as conn:
        conn.exec_driver_sql("CREATE TABLE seen (name TEXT PRIMARY KEY)")
        conn.exec_driver_sql(
            "CREATE TABLE leaf (of TEXT REFERENCES seen (name) DEFERRABLE INITIALLY DEFERRED)"
        )
    yield made
    made.dispose()


@pytest.fixture
def writer(engine: sa.Engine) -> Generator[Writer]:
    made = Writer(engine)
    yield made
    made.close()


class Gate:
    """Holds the writer's thread inside a job, so that other jobs gather behind it."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()

    def hold(self, _: Transaction) -> None:
        self.entered.set()
        assert self.opened.wait(5)


def note(name: str) -> Callable[[Transaction], str]:
    def write(tx: Transaction) -> str:
        tx.conn.execute(sa.text("INSERT INTO seen VALUES (:name)"), {"name": name})
        return name

    return write


def names(tmp_path: Path) -> set[str]:
    with sqlite3.connect(tmp_path / "file") as other:
        rows = other.execute("SELECT name FROM seen").fetchall()
    other.close()
    return {name for (name,) in rows}


@pytest.mark.anyio
async def test_a_write_is_durable_when_its_result_is_returned(
    writer: Writer, tmp_path: Path
) -> None:
    assert await writer.write(note("one")) == "one"
    assert names(tmp_path) == {"one"}


@pytest.mark.anyio
async def test_callers_that_come_together_share_commits_of_bounded_size(
    engine: sa.Engine, writer: Writer, tmp_path: Path
) -> None:
    commits: list[None] = []

    def count(_: sa.Connection) -> None:
        commits.append(None)

    event.listen(engine, "commit", count)
    gate, told = Gate(), dict[str, str]()

    async def tell(name: str) -> None:
        told[name] = await writer.write(note(name))

    many = [f"name {n}" for n in range(MOST_IN_ONE_COMMIT + 1)]
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(writer.write, gate.hold)
            await anyio.to_thread.run_sync(gate.entered.wait)
            for name in many:
                callers.start_soon(tell, name)
            await anyio.wait_all_tasks_blocked()
            gate.opened.set()
    assert told == {name: name for name in many}
    assert names(tmp_path) == set(many)
    assert len(commits) == 3


@pytest.mark.anyio
async def test_a_failing_caller_rolls_back_only_itself_and_gets_its_own_error(
    writer: Writer, tmp_path: Path
) -> None:
    gate, ends = Gate(), dict[str, BaseException | str]()

    def half_done(tx: Transaction) -> None:
        note("half")(tx)
        note("taken")(tx)
        note("taken")(tx)

    def confused(tx: Transaction) -> None:
        note("confused")(tx)
        raise LookupError("nobody")

    async def tell(name: str, work: Callable[[Transaction], object]) -> None:
        try:
            ends[name] = str(await writer.write(work))
        except (IntegrityError, LookupError) as error:
            ends[name] = error

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(writer.write, gate.hold)
            await anyio.to_thread.run_sync(gate.entered.wait)
            callers.start_soon(tell, "before", note("before"))
            callers.start_soon(tell, "half", half_done)
            callers.start_soon(tell, "confused", confused)
            callers.start_soon(tell, "after", note("after"))
            await anyio.wait_all_tasks_blocked()
            gate.opened.set()
    assert ends["before"] == "before"
    assert isinstance(ends["half"], IntegrityError)
    assert isinstance(ends["confused"], LookupError)
    assert ends["after"] == "after"
    assert names(tmp_path) == {"before", "after"}


@pytest.mark.anyio
async def test_a_commit_that_fails_fails_every_caller_in_it(writer: Writer, tmp_path: Path) -> None:
    gate, refused = Gate(), list[str]()
    rung: list[str] = []

    def orphan(tx: Transaction) -> None:
        tx.conn.exec_driver_sql("INSERT INTO leaf VALUES ('nobody')")

    def innocent(tx: Transaction) -> None:
        tx.after_commit(lambda: rung.append("innocent"))
        note("innocent")(tx)

    async def tell(name: str, work: Callable[[Transaction], object]) -> None:
        with pytest.raises(LedgerUnavailableError, match="could not be written"):
            await writer.write(work)
        refused.append(name)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(writer.write, gate.hold)
            await anyio.to_thread.run_sync(gate.entered.wait)
            callers.start_soon(tell, "innocent", innocent)
            callers.start_soon(tell, "orphan", orphan)
            await anyio.wait_all_tasks_blocked()
            gate.opened.set()
    assert sorted(refused) == ["innocent", "orphan"]
    assert rung == []
    assert names(tmp_path) == set()
    assert await writer.write(note("later")) == "later"


@pytest.mark.anyio
async def test_a_fault_of_the_writer_itself_is_told_and_does_not_stop_it(
    engine: sa.Engine, writer: Writer
) -> None:
    def broken(_: sa.Connection) -> None:
        raise LookupError("not a fault of the database")

    event.listen(engine, "commit", broken)
    with pytest.raises(LedgerUnavailableError, match="the writer failed"):
        await writer.write(note("one"))
    event.remove(engine, "commit", broken)
    assert await writer.write(note("two")) == "two"


@pytest.mark.anyio
async def test_a_full_disk_is_told_as_unavailable_and_passes(
    writer: Writer, tmp_path: Path
) -> None:
    def limit(pages: int) -> Callable[[Transaction], None]:
        return lambda tx: tx.conn.exec_driver_sql(f"PRAGMA max_page_count={pages}").close()

    await writer.write(limit(6))
    with pytest.raises(LedgerUnavailableError, match="full"):
        await writer.write(note("x" * 100_000))
    assert names(tmp_path) == set()
    await writer.write(limit(100_000))
    assert await writer.write(note("y" * 100_000))


@pytest.mark.anyio
async def test_what_follows_a_commit_finds_it_durable_and_runs_before_the_caller_goes_on(
    writer: Writer, tmp_path: Path
) -> None:
    found: list[set[str]] = []

    def write(tx: Transaction) -> None:
        tx.after_commit(lambda: found.append(names(tmp_path)))
        note("one")(tx)
        assert found == []

    await writer.write(write)
    assert found == [{"one"}]


@pytest.mark.anyio
async def test_what_would_follow_a_rolled_back_write_does_not_run(writer: Writer) -> None:
    rung: list[str] = []

    def write(tx: Transaction) -> None:
        tx.after_commit(lambda: rung.append("rung"))
        raise LookupError

    with pytest.raises(LookupError):
        await writer.write(write)
    await writer.write(note("later"))
    assert rung == []


@pytest.mark.anyio
async def test_a_caller_is_answered_even_if_what_follows_its_commit_fails(
    writer: Writer, tmp_path: Path
) -> None:
    loop, told = asyncio.get_running_loop(), list[object]()
    loop.set_exception_handler(lambda _, context: told.append(context["exception"]))

    def write(tx: Transaction) -> str:
        def fail() -> None:
            raise LookupError("a broken bell")

        tx.after_commit(fail)
        return note("one")(tx)

    with anyio.fail_after(5):
        assert await writer.write(write) == "one"
    loop.set_exception_handler(None)
    assert names(tmp_path) == {"one"}
    assert [type(error) for error in told] == [LookupError]


@pytest.mark.anyio
async def test_the_write_of_a_caller_that_was_cancelled_still_lands(
    writer: Writer, tmp_path: Path
) -> None:
    gate, rung = Gate(), list[str]()

    def write(tx: Transaction) -> None:
        tx.after_commit(lambda: rung.append("rung"))
        note("left alone")(tx)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(writer.write, gate.hold)
            await anyio.to_thread.run_sync(gate.entered.wait)
            async with anyio.create_task_group() as impatient:
                impatient.start_soon(writer.write, write)
                await anyio.wait_all_tasks_blocked()
                impatient.cancel_scope.cancel()
            gate.opened.set()
        await writer.write(note("later"))
    assert names(tmp_path) == {"left alone", "later"}
    assert rung == ["rung"]


def test_a_caller_whose_loop_is_gone_does_not_stop_the_writer(
    writer: Writer, tmp_path: Path
) -> None:
    gate = Gate()

    async def leave() -> None:
        waiting = asyncio.ensure_future(writer.write(gate.hold))
        await asyncio.to_thread(gate.entered.wait)
        waiting.cancel()

    async def come() -> str:
        with anyio.fail_after(5):
            return await writer.write(note("later"))

    asyncio.run(leave())
    gate.opened.set()
    assert asyncio.run(come()) == "later"
    assert names(tmp_path) == {"later"}


@pytest.mark.anyio
async def test_closing_finishes_what_is_queued_and_refuses_what_comes_later(
    engine: sa.Engine, tmp_path: Path
) -> None:
    writer, gate = Writer(engine), Gate()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(writer.write, gate.hold)
            await anyio.to_thread.run_sync(gate.entered.wait)
            callers.start_soon(writer.write, note("queued"))
            await anyio.wait_all_tasks_blocked()
            threading.Timer(0.05, gate.opened.set).start()
            writer.close()
            writer.close()
            assert names(tmp_path) == {"queued"}
    with pytest.raises(LedgerUnavailableError, match="closed"):
        await writer.write(note("late"))


@pytest.mark.anyio
async def test_closing_an_idle_writer_ends_its_thread(engine: sa.Engine) -> None:
    before = set(threading.enumerate())
    writer = Writer(engine)
    await writer.write(note("one"))
    (thread,) = set(threading.enumerate()) - before
    writer.close()
    assert not thread.is_alive()
