"""How much of the processor's time something may take, counted in the thread that does it."""

import time


class Budget:
    """A time that begins to run when it is made.

    It is the thread's own time: a machine that is busy otherwise does not use it up.
    """

    def __init__(self, seconds: float, within: "Budget | None" = None) -> None:
        """Begin; one within another ends with it at the latest."""
        self._end = time.thread_time() + seconds
        self._within = within

    @property
    def left(self) -> float:
        """Seconds that are left, 0 when none are."""
        left = max(0.0, self._end - time.thread_time())
        return left if self._within is None else min(left, self._within.left)
