"""Subjects whose segments do what a test says, and what was seen of them."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, MutableMapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import anyio
import pytest
from dbos import DBOS, WorkflowHandleAsync

from ledger import segments
from ledger.attempts import GivenUp
from ledger.clock import Clock
from ledger.database import Database
from ledger.engine import Engine
from ledger.ledger import Ledger
from ledger.location import Location
from ledger.pace import Pace
from ledger.segments import Segment, Standing
from ledger.stores import workers
from ledger.stores.workers import Worker
from ledger.writer import Transaction
from tests.ledger.acts import Act

KIND = "task"
T = TypeVar("T")


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

    async def begun(self, subject: str, act: Act) -> int:
        """Start ``subject`` and wait until its first segment does ``act``; returns its epoch."""
        await self.start(subject, act)
        (epoch,) = await self.entered(subject, 1)
        return epoch

    async def over(self, subject: str, act: Act) -> Segment:
        """Start ``subject``, whose segments do ``act``, and wait until it has ended."""
        await self.start(subject, act)
        return await self.comes_to(subject, Standing.ENDED)

    async def asleep(self, subject: str) -> Segment:
        """Start ``subject``, and wait until it waits to be woken; after that it ends."""
        await self.start(subject, self.waiting())
        return await self.comes_to(subject, Standing.WAITING)

    def waiting(self, times: int = 1, timeout_s: float = 3600) -> Act:
        """Segments that suspend themselves so many times before their subject ends."""

        async def wait(subject: str, epoch: int) -> None:
            if epoch <= times:
                await self.suspend(subject, timeout_s)

        return wait

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

    async def prioritise(self, subject: str, priority: int) -> None:
        """Give ``subject`` another priority."""
        await self.ledger.write(
            lambda tx: self.ledger.engine.prioritise(tx, KIND, subject, priority)
        )

    async def owns(self, subject: str, epoch: int, kind: str = KIND) -> bool:
        """Whether ``epoch`` is the one that may write for ``subject``."""
        return await self.ledger.write(lambda tx: segments.owns(tx, kind, subject, epoch))

    async def rolled_back(self, write: Callable[[Transaction], T]) -> T:
        """Do ``write`` in a transaction that fails behind it; returns what it said."""
        said: list[T] = []

        def fail(tx: Transaction) -> None:
            said.append(write(tx))
            raise LookupError

        with pytest.raises(LookupError):
            await self.ledger.write(fail)
        return said[0]

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


async def launched(
    ledger: Ledger,
    acts: Mapping[str, Act] | None = None,
    *,
    kind: str = KIND,
    given_up: GivenUp | None = None,
) -> Stage:
    """Work on the subjects of one kind, of which some may have their acts already."""
    stage = Stage(ledger, dict(acts or {}))
    ledger.engine.handle(kind, "background", stage.handle, given_up=given_up)
    await ledger.engine.launch()
    return stage


@asynccontextmanager
async def at_work(
    location: Location, acts: Mapping[str, Act] | None = None, *, pace: Pace | None = None
) -> AsyncGenerator[Stage]:
    """Open the ledger at ``location``, and work there on the subjects of `KIND`."""
    async with ledger_at(location, pace=pace) as ledger:
        yield await launched(ledger, acts)


async def connected(ledger: Ledger, kind: str = KIND) -> Stage:
    """Start and wake the subjects of one kind, and work on none."""
    stage = Stage(ledger)
    ledger.engine.handle(kind, "background", stage.handle)
    await ledger.engine.connect()
    return stage


@asynccontextmanager
async def about_to_close(ledger: Ledger) -> AsyncGenerator[None]:
    """The engine is about to close in the block, and has closed behind it."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ledger.engine.close)
        await anyio.wait_all_tasks_blocked()
        yield


async def worker_of(ledger: Ledger, id_: str) -> Worker:
    """The row of a worker now."""
    row = await ledger.read(lambda conn: workers.by_id(conn, id_))
    assert row is not None
    return row


async def logged(logs: Sequence[MutableMapping[str, Any]], event: str) -> None:
    """Wait until ``event`` stands in captured logs."""

    async def said() -> bool:
        return event in {line["event"] for line in logs}

    await eventually(said)


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
