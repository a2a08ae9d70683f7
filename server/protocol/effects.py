"""Acts that go on when nobody waits for them any more."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

import anyio
from anyio.abc import TaskGroup

T = TypeVar("T")


class Effects(Generic[T]):
    """Carries out acts whose answers a client may stop waiting for.

    A client that cancels, or leaves, does not want the answer; what it asked for is still done
    and recorded, never half done.
    """

    def __init__(self, patience_s: float) -> None:
        """Nothing can be carried out before `open`; after it, acts get so many seconds to end."""
        self._patience_s = patience_s
        self._tasks: TaskGroup | None = None
        self._running = 0
        self._ended = anyio.Event()

    @property
    def running(self) -> int:
        """How many acts are under way."""
        return self._running

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[None]:
        """Carry out acts inside the block; what does not end in time after it is cancelled."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield
            finally:
                self._tasks = None
                with anyio.move_on_after(self._patience_s, shield=True):
                    while self._running:
                        await self._ended.wait()
                tasks.cancel_scope.cancel()

    async def carried_out(self, act: Callable[[], Awaitable[T]]) -> T | None:
        """Wait for what ``act`` answers; None when it was cut off by the end of the block.

        ``act`` must not raise. Cancelling the wait leaves the act alone.
        """
        if self._tasks is None:
            return None
        answers: list[T] = []
        done = anyio.Event()

        async def carry() -> None:
            try:
                answers.append(await act())
            finally:
                self._running -= 1
                done.set()
                self._ended.set()
                self._ended = anyio.Event()

        self._running += 1
        self._tasks.start_soon(carry)
        await done.wait()
        return answers[0] if answers else None
