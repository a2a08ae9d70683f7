"""What segments do, for tests."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio

Act = Callable[[str, int], Awaitable[None]]


async def nothing(_subject: str, _epoch: int) -> None:
    """A segment with nothing to do."""


@dataclass(slots=True)
class Busy:
    """Segments at work until they are let go on, all of them at once."""

    _gate: anyio.Event = field(default_factory=anyio.Event)

    async def __call__(self, _subject: str, _epoch: int) -> None:
        """What the engine calls."""
        await self._gate.wait()

    def go_on(self) -> None:
        """Let them come to their end."""
        self._gate.set()


@dataclass(slots=True)
class Endless:
    """Segments that end only where they are cut off, and tell of the first one that was."""

    cut: anyio.Event = field(default_factory=anyio.Event)

    async def __call__(self, _subject: str, _epoch: int) -> None:
        """What the engine calls."""
        try:
            await anyio.sleep_forever()
        finally:
            self.cut.set()


def failing(times: int, fault: Exception | type[Exception] = LookupError) -> Act:
    """A subject whose first so many segments fail; the next one has nothing to do."""

    async def fail(_subject: str, epoch: int) -> None:
        if epoch <= times:
            raise fault

    return fail
