"""Subjects whose segments do what a test says, and what was seen of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio
import sqlalchemy as sa
from dbos import DBOS, WorkflowHandleAsync

from ledger.engine import Standing
from ledger.ledger import Ledger
from ledger.tables.work_to_do import segment

KIND = "task"

Act = Callable[[str, int], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Standings:
    """A subject's row."""

    n: int
    epoch: int
    tries: int
    state: Standing


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

    async def start(self, subject: str, act: Act, delay_s: float = 0) -> None:
        """Start ``subject``, whose segments do ``act``."""
        self.acts[subject] = act
        await self.ledger.write(
            lambda tx: self.ledger.engine.start(tx, KIND, subject, delay_s=delay_s)
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

    async def standing(self, subject: str) -> Standings:
        """The row of ``subject`` now."""
        row = await self.ledger.read(
            lambda conn: conn.execute(sa.select(segment).where(segment.c.subject == subject)).one()
        )
        return Standings(row.n, row.epoch, row.tries, Standing(row.state))

    async def comes_to(self, subject: str, state: Standing) -> Standings:
        """Wait until ``subject`` stands at ``state``."""
        with anyio.fail_after(5):
            while (found := await self.standing(subject)).state is not state:  # noqa: ASYNC110  # the engine's own writes ring no bell
                await anyio.sleep(0.01)
            return found


async def workflow_has_ended(id_: str) -> None:
    """Wait until the library has put a segment behind it."""
    workflow: WorkflowHandleAsync[None] = await DBOS.retrieve_workflow_async(id_)
    with anyio.fail_after(5):
        await workflow.get_result(polling_interval_sec=0.05)


async def workflow_is(id_: str, status: str) -> None:
    """Wait until the library says ``status`` of a segment."""
    workflow: WorkflowHandleAsync[None] = await DBOS.retrieve_workflow_async(id_)
    with anyio.fail_after(5):
        while (await workflow.get_status()).status != status:  # noqa: ASYNC110  # it rings no bell
            await anyio.sleep(0.01)
