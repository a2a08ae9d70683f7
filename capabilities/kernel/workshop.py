"""Where long effects go on after their callers were told that they are under way."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup

from capabilities.kernel.outcomes import AnyOutcome

ANSWER_WITHIN_S = 40.0
"""No call takes longer than 45 s: what does is answered as pending, and goes on here."""


class Workshop:
    """A task group that outlives the calls that bring it work."""

    def __init__(self) -> None:
        """Closed; until it is opened, everybody does their work themselves."""
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[None]:
        """Take work; at the end what is still under way is cancelled, and awaited.

        An exception of the block leaves it as it was raised, not in a group.
        """
        try:
            async with anyio.create_task_group() as tasks:
                self._tasks = tasks
                try:
                    yield
                finally:
                    self._tasks = None
                    tasks.cancel_scope.cancel()
        except BaseExceptionGroup as raised:
            only, *others = raised.exceptions
            if others:
                raise
            raise only from only.__cause__

    async def do(
        self, work: Callable[[], Awaitable[AnyOutcome]], patience_s: float
    ) -> AnyOutcome | None:
        """What ``work`` comes to, or None where it goes on after ``patience_s`` seconds.

        ``work`` settles its own claim and raises nothing but a cancellation. A caller that is
        cancelled does not end it.
        """
        if self._tasks is None:
            return await work()
        done = anyio.Event()
        outcomes: list[AnyOutcome] = []

        async def carry_out() -> None:
            try:
                outcomes.append(await work())
            finally:
                done.set()

        self._tasks.start_soon(carry_out)
        with anyio.move_on_after(patience_s):
            await done.wait()
        return outcomes[0] if outcomes else None
