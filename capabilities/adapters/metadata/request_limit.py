"""How often a source is asked: so many questions in a time, so many at once, and none on hold."""

import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from capabilities.kernel.faults import ThrottledError


@dataclass(frozen=True, slots=True)
class Rate:
    """What a source puts up with.

    Attributes:
        questions: most of them in any `within_s` seconds.
        at_once: most of them under way at one time.
        longest_wait_s: who would have to wait longer for a turn is sent away instead.
    """

    questions: int
    within_s: float
    at_once: int = 4
    longest_wait_s: float = 10.0


class RequestLimit:
    """Turns to ask one source, given in the order in which they are asked for.

    A source that asks to be left alone for a time is: until then nothing is sent to it.
    """

    def __init__(
        self,
        system: str,
        rate: Rate,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        """Start with every turn free; `clock` gives monotonic seconds."""
        self._system = system
        self._rate = rate
        self._clock = clock
        self._wait = wait
        self._taken: deque[float] = deque()
        self._held_until = 0.0
        self._at_once = anyio.CapacityLimiter(rate.at_once)

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """One question's time.

        Raises:
            ThrottledError: the source is on hold, or the wait would be too long.
        """
        self._refuse_on_hold()
        due = self._next()
        async with self._at_once:
            pause = due - self._clock()
            if pause > 0:
                await self._wait(pause)
            self._refuse_on_hold()
            try:
                yield
            except ThrottledError as fault:
                self._hold(fault.retry_after_s)
                raise

    def _next(self) -> float:
        """When the next turn is; taken from then on."""
        now = self._clock()
        while self._taken and self._taken[0] <= now - self._rate.within_s:
            self._taken.popleft()
        due = now
        if len(self._taken) >= self._rate.questions:
            due = self._taken[-self._rate.questions] + self._rate.within_s
        if due - now > self._rate.longest_wait_s:
            raise ThrottledError(
                self._system,
                "It is asked as often as it allows already.",
                retry_after_s=due - now,
            )
        self._taken.append(due)
        return due

    def _hold(self, seconds: float | None) -> None:
        if seconds is not None:
            self._held_until = max(self._held_until, self._clock() + seconds)

    def _refuse_on_hold(self) -> None:
        left = self._held_until - self._clock()
        if left > 0:
            raise ThrottledError(
                self._system, "It asked to be called less often.", retry_after_s=left
            )
