"""A house for tests: a real ledger with its engine at work, shared by the tests of a package."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import anyio
import sqlalchemy as sa

from agent.driver import Driver
from agent.models.chat_completions import ChatCompletions
from ledger.clock import Clock
from ledger.ledger import Ledger, opened
from ledger.segments import Standing
from ledger.tables.work_to_do import segment
from ledger.writer import Transaction

WITHIN_S = 8


@dataclass
class Time:
    """Wall time that a test may move on."""

    ahead: timedelta = timedelta()
    tick_s: float = 0.0
    ticked_s: float = 0.0

    def now(self) -> datetime:
        return Clock().now() + self.ahead

    def monotonic(self) -> float:
        """Runs on by ``tick_s`` with every look at it."""
        self.ticked_s += self.tick_s
        return Clock().monotonic() + self.ticked_s


@dataclass
class House:
    """A ledger with its engine at work; runs go to the scene that is on."""

    ledger: Ledger
    time: Time
    driver: Driver | None = None
    upstreams: list[ChatCompletions] = field(default_factory=list[ChatCompletions])
    scopes: dict[str, anyio.CancelScope] = field(default_factory=dict[str, anyio.CancelScope])

    async def segment(self, run: str, epoch: int) -> None:
        assert self.driver is not None
        with anyio.CancelScope() as scope:
            self.scopes[run] = scope
            await self.driver.segment(run, epoch)

    async def close_upstreams(self) -> None:
        while self.upstreams:
            await self.upstreams.pop().aclose()

    async def take_over(self, run: str) -> int:
        """Own a run as another worker would; its present segment is overtaken from now on."""

        def own(tx: Transaction) -> int:
            return tx.conn.execute(
                segment.update()
                .where(segment.c.kind == "run", segment.c.subject == run)
                .values(epoch=segment.c.epoch + 1, state=Standing.RUNNING)
                .returning(segment.c.epoch)
            ).scalar_one()

        return await self.ledger.write(own)

    async def standing(self, run: str) -> str:
        """Where a run stands with the engine."""
        return await self.ledger.read(
            lambda conn: conn.execute(
                sa.select(segment.c.state).where(segment.c.subject == run)
            ).scalar_one()
        )

    async def until_standing(self, run: str, standing: str) -> None:
        """Return once the run stands so with the engine."""
        with anyio.fail_after(WITHIN_S):
            async with self.ledger.feed.listening() as bell:
                while await self.standing(run) != standing:
                    await bell.receive()


@asynccontextmanager
async def opened_house(home: Path) -> AsyncGenerator[House]:
    time = Time()
    async with opened(home, Clock(time.now, time.monotonic)) as ledger:
        house = House(ledger, time)
        ledger.engine.handle("run", "agent", house.segment)
        await ledger.engine.launch()
        yield house
