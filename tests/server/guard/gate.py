"""A guard over a ledger whose clock a test may move."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST

from ledger.clock import Clock
from ledger.ledger import Ledger, opened
from server.guard.guard import Guard
from server.guard.passphrases import Passphrases
from server.guard.tries import Limits
from tests.server.api.shelf import SHELF

MORNING = datetime(2026, 5, 1, 8, tzinfo=UTC)
PASSPHRASE = "correct horse battery"
IMPATIENT = Limits(longest_pause_s=0)
"""The terminal does not pause."""


@dataclass
class Wall:
    """The clock on the wall."""

    at: datetime = MORNING

    def now(self) -> datetime:
        return self.at


@dataclass
class Gate:
    ledger: Ledger
    wall: Wall

    @property
    def at(self) -> datetime:
        return self.wall.at

    def later(self, **amount: float) -> None:
        self.wall.at += timedelta(**amount)

    def guard(self, limits: Limits = IMPATIENT) -> Guard:
        """A new guard over the same ledger, as after a restart."""
        quick = Passphrases(PasswordHasher.from_parameters(CHEAPEST))
        return Guard(self.ledger, SHELF, limits=limits, passphrases=quick)


@asynccontextmanager
async def gate(home: Path) -> AsyncGenerator[Gate]:
    wall = Wall()
    async with opened(home, Clock(now=wall.now)) as ledger:
        yield Gate(ledger, wall)
