"""Subjects whose segments do what a test says, and what was seen of them."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest
from dbos import DBOS, WorkflowHandleAsync

from ledger import segments
from ledger.clock import Clock
from ledger.database import Database
from ledger.engine import Engine, Standing
from ledger.ledger import Ledger
from ledger.location import Location, SqliteFile, database_file
from ledger.pace import Pace
from ledger.segments import Segment
from tests.ledger.homes import furnish
from tests.postgres import Server

KIND = "task"
DATABASES = ["sqlite", "postgresql"]

AT_ONCE = Pace(first_pause_s=0)
"""What failed is tried again without a pause: the library's timer ticks once a second only."""

Act = Callable[[str, int], Awaitable[None]]


@dataclass(slots=True)
class Stage:
    """Plays the handler of one kind: each subject has its own act, and its entries are counted."""

    ledger: Ledger
    acts: dict[str, Act] = field(default_factory=dict[str, Act])
    epochs: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _bell: anyio.Event = field(default_factory=anyio.Event)

    async def handle(self, subject: str, epoch: int) -> None:
        """What the engine calls."""
        self.epochs.setdefault(subject, []).append(epoch)
        self._bell.set()
        self._bell = anyio.Event()
        await self.acts[subject](subject, epoch)

    async def entered(self, subject: str, times: int) -> list[int]:
        """Wait until segments of ``subject`` began so often; returns their epochs."""
        with anyio.fail_after(5):
            while len(self.epochs.get(subject, [])) < times:
                await self._bell.wait()
        return self.epochs[subject]

    async def start(self, subject: str, act: Act, delay_s: float = 0, priority: int = 0) -> None:
        """Start ``subject``, whose segments do ``act``."""
        self.acts[subject] = act
        await self.ledger.write(
            lambda tx: self.ledger.engine.start(
                tx, KIND, subject, delay_s=delay_s, priority=priority
            )
        )

    async def suspend(self, subject: str, timeout_s: float = 3600) -> None:
        """End the segment that calls this."""
        await self.ledger.write(
            lambda tx: self.ledger.engine.suspend(tx, KIND, subject, timeout_s=timeout_s)
        )

    async def wake(self, subject: str) -> bool:
        """Wake ``subject``."""
        return await self.ledger.write(lambda tx: self.ledger.engine.wake(tx, KIND, subject))

    async def nudge(self, subject: str) -> bool:
        """Nudge ``subject``."""
        return await self.ledger.write(lambda tx: self.ledger.engine.nudge(tx, KIND, subject))

    async def cancel(self, subject: str) -> bool:
        """Cancel ``subject``."""
        return await self.ledger.write(lambda tx: self.ledger.engine.cancel(tx, KIND, subject))

    async def standing(self, subject: str, kind: str = KIND) -> Segment:
        """The row of ``subject`` now."""
        row = await self.ledger.read(lambda conn: segments.of(conn, kind, subject))
        assert row is not None
        return row

    async def comes_to(self, subject: str, state: Standing, kind: str = KIND) -> Segment:
        """Wait until ``subject`` stands at ``state``."""

        async def there() -> bool:
            return (await self.standing(subject, kind)).state is state

        await eventually(there)
        return await self.standing(subject, kind)


async def eventually(holds: Callable[[], Awaitable[bool]], within_s: float = 5) -> None:
    """Wait until ``holds``: what the engine or another process writes rings no bell here."""
    with anyio.fail_after(within_s):
        while not await holds():  # noqa: ASYNC110  # see above
            await anyio.sleep(0.01)


@contextmanager
def place(request: pytest.FixtureRequest, folder: Path) -> Generator[Location]:
    """A migrated, empty ledger on the database that a fixture's parameter names."""
    if request.param == "sqlite":
        furnish(folder)
        yield SqliteFile(database_file(folder))
        return
    server: Server = request.getfixturevalue("postgres")
    made = server.create()
    yield made
    server.drop(made)


@asynccontextmanager
async def ledger_at(
    location: Location, clock: Clock | None = None, pace: Pace | None = None
) -> AsyncGenerator[Ledger]:
    """The ledger at ``location``, opened; its engine is closed at the end."""
    clock = clock or Clock()
    database = Database(location)
    ledger = Ledger(database, Engine(database, clock, pace), clock=clock)
    try:
        yield ledger
    finally:
        with anyio.CancelScope(shield=True):
            await ledger.engine.close(0)
            database.close()


async def launched(ledger: Ledger) -> Stage:
    """Work on the subjects of `KIND`."""
    stage = Stage(ledger)
    ledger.engine.handle(KIND, "background", stage.handle)
    await ledger.engine.launch()
    return stage


async def nothing(_subject: str, _epoch: int) -> None:
    """A segment with nothing to do."""


async def workflow_has_ended(id_: str) -> None:
    """Wait until the library has put a segment behind it."""
    workflow: WorkflowHandleAsync[None] = await DBOS.retrieve_workflow_async(id_)
    with anyio.fail_after(5):
        await workflow.get_result(polling_interval_sec=0.05)


async def workflow_is(id_: str, status: str) -> None:
    """Wait until the library says ``status`` of a segment."""
    workflow: WorkflowHandleAsync[None] = await DBOS.retrieve_workflow_async(id_)

    async def there() -> bool:
        return (await workflow.get_status()).status == status

    await eventually(there)
