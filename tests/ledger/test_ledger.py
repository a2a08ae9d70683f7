from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest

from ledger.clock import Clock
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger, opened
from ledger.location import database_file
from ledger.stores import events
from ledger.writer import Transaction

AT = datetime(2026, 1, 1, tzinfo=UTC)


def write(tx: Transaction) -> str:
    events.append(tx, "something", {}, AT)
    return "written"


@pytest.mark.anyio
async def test_an_empty_home_gets_its_ledger(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        assert await ledger.write(write) == "written"
        assert [event.type for event in await ledger.read(events.page)] == ["something"]
    assert database_file(tmp_path).exists()


@pytest.mark.anyio
async def test_what_was_written_is_there_at_the_next_opening(home: Path) -> None:
    async with opened(home) as ledger:
        await ledger.write(write)
        first = ledger.worker
    async with opened(home) as ledger:
        assert len(await ledger.read(events.page)) == 1
        assert ledger.worker != first


@pytest.mark.anyio
async def test_listeners_are_rung_after_the_commit_and_before_the_writer_goes_on(
    home: Path,
) -> None:
    async with opened(home) as ledger, ledger.feed.listening() as bell:
        await ledger.write(write)
        bell.receive_nowait()
        assert len(await ledger.read(events.page)) == 1


@pytest.mark.anyio
async def test_a_write_that_was_rolled_back_rings_nobody(home: Path) -> None:
    def fail(tx: Transaction) -> None:
        write(tx)
        raise LookupError

    async with opened(home) as ledger, ledger.feed.listening() as bell:
        with pytest.raises(LookupError):
            await ledger.write(fail)
        with pytest.raises(anyio.WouldBlock):
            bell.receive_nowait()
        assert await ledger.read(events.page) == []


@pytest.mark.anyio
async def test_rows_bear_the_time_of_the_given_clock(home: Path) -> None:
    async with opened(home, Clock(now=lambda: AT)) as ledger:
        assert ledger.now() == AT


@pytest.mark.anyio
async def test_it_is_closed_also_when_its_user_is_cancelled(home: Path) -> None:
    held: list[Ledger] = []

    async def use() -> None:
        async with opened(home) as ledger:
            held.append(ledger)
            users.cancel_scope.cancel()
            await anyio.sleep_forever()

    async with anyio.create_task_group() as users:
        users.start_soon(use)
    with pytest.raises(LedgerUnavailableError, match="closed"):
        await held[0].write(write)
