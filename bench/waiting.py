"""A thousand subjects that wait: what they hold, and how soon one that is woken goes on."""

import os
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import anyio.to_thread

from bench.measured import Figure
from ledger.clock import new_id
from ledger.database import Database
from ledger.engine import Engine
from ledger.location import Location, located
from ledger.migrate import migrate
from ledger.segments import Standing, of
from ledger.transact import POLL_S
from ledger.writer import Transaction

WAITING = 1000
WOKEN = 100
BATCH = 100
KIND = "bench"
LONG_S = 86_400
MB = 1_000_000

_STATM = Path("/proc/self/statm")


async def measure() -> list[Figure]:
    """Milliseconds to wake and to start beside a thousand that wait, and what they weigh.

    The floor of the times is the queue's own poll. On PostgreSQL too where
    ``MATINEE_DATABASE_URL`` names a server.
    """
    figures: list[Figure] = []
    address = os.environ.get("MATINEE_DATABASE_URL")
    for where in [None] if address is None else [None, address]:
        with tempfile.TemporaryDirectory() as folder:
            figures += await _measured(located(Path(folder), where))
    return figures


async def _measured(location: Location) -> list[Figure]:
    async with _bench(location) as bench:
        before = _resident()
        names = [new_id("waits") for _ in range(WAITING)]
        for first in range(0, WAITING, BATCH):
            await bench.suspend(names[first : first + BATCH])
        for name in names:
            await bench.waits(name)
        grown = max(_resident() - before, 0) / MB
        woken = [await bench.woken(name) for name in names[:: WAITING // WOKEN]]
        begun = [await bench.begun() for _ in range(WOKEN)]
    poll = POLL_S * 1000
    where = location.dialect
    return [
        Figure(f"wake, p95, {where}", "ms", _p95(woken), poll, "<= 4.00"),
        Figure(f"start beside 1000, p95, {where}", "ms", _p95(begun), poll, "<= 4.00"),
        Figure(f"memory of 1000 waiting, {where}", "MB", grown, await _tasks_weigh(), "<= 10.00"),
    ]


@dataclass(slots=True)
class _Bench:
    """An engine whose subjects suspend at once, and end when they are woken."""

    database: Database
    engine: Engine
    entered: dict[str, anyio.Event] = field(default_factory=dict[str, anyio.Event])

    async def segment(self, subject: str, epoch: int) -> None:
        if epoch == 1 and subject not in self.entered:
            await self.database.write(
                lambda tx: self.engine.suspend(tx, KIND, subject, timeout_s=LONG_S)
            )
        else:
            self.entered[subject].set()

    async def suspend(self, names: list[str]) -> None:
        """Start subjects that suspend at once."""

        def write(tx: Transaction) -> None:
            for name in names:
                self.engine.start(tx, KIND, name)

        await self.database.write(write)

    async def waits(self, name: str) -> None:
        """Return once it has suspended itself."""
        while not await self.database.read(lambda conn: _is_waiting(of(conn, KIND, name))):  # noqa: ASYNC110  # the engine rings no bell
            await anyio.sleep(POLL_S)

    async def woken(self, name: str) -> float:
        """Milliseconds from asking to the handler."""
        self.entered[name] = anyio.Event()
        begun = time.perf_counter()
        await self.database.write(lambda tx: self.engine.wake(tx, KIND, name))
        await self.entered[name].wait()
        return (time.perf_counter() - begun) * 1000

    async def begun(self) -> float:
        """Milliseconds from starting a fresh subject to its handler."""
        name = new_id("fresh")
        self.entered[name] = anyio.Event()
        begun = time.perf_counter()
        await self.database.write(lambda tx: self.engine.start(tx, KIND, name))
        await self.entered[name].wait()
        return (time.perf_counter() - begun) * 1000


@asynccontextmanager
async def _bench(location: Location) -> AsyncGenerator[_Bench]:
    await anyio.to_thread.run_sync(lambda: migrate(location))
    database = Database(location)
    engine = Engine(database)
    bench = _Bench(database, engine)
    engine.handle(KIND, "background", bench.segment)
    await engine.launch()
    try:
        for _ in range(3):
            await bench.begun()
        yield bench
    finally:
        await engine.close()
        database.close()


def _is_waiting(row: object) -> bool:
    return getattr(row, "state", None) is Standing.WAITING


async def _tasks_weigh() -> float:
    """Megabytes of as many tasks that wait in memory, and are lost with the process."""
    before = weight = _resident()
    async with anyio.create_task_group() as group:
        for _ in range(WAITING):
            group.start_soon(anyio.sleep_forever)
        await anyio.wait_all_tasks_blocked()
        weight = _resident() - before
        group.cancel_scope.cancel()
    return max(weight, MB) / MB


def _resident() -> int:
    """Bytes of this process in memory (Linux; 0 elsewhere, so that nothing seems to grow)."""
    if not _STATM.exists():
        return 0
    return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]
