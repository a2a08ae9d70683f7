"""Leaving a program in peace that does not answer, and saying so once."""

import time
from collections.abc import Callable

import structlog

from capabilities.kernel.faults import WorldFaultError

log = structlog.get_logger()


class Breaker:
    """Fails calls at once for a while after one failed; the while doubles with every failure.

    The log has a line when the program goes and a line when it is back, and none in between.
    """

    def __init__(
        self, name: str, longest_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin with trust; pauses go from an eighth of a second to ``longest_s``."""
        self._name = name
        self._longest_s = longest_s
        self._clock = clock
        self._fault: WorldFaultError | None = None
        self._until = 0.0
        self._failures = 0

    @property
    def left_s(self) -> float:
        """Seconds in which nothing is asked of it."""
        return 0.0 if self._fault is None else max(0.0, self._until - self._clock())

    def check(self) -> None:
        """Raise the last fault again while its pause lasts."""
        if self._fault is not None and self.left_s:
            raise self._fault.with_traceback(None)

    def failed(self, fault: WorldFaultError, pause_s: float = 0.0) -> None:
        """It did not answer; it is left alone for ``pause_s`` at least."""
        if self._fault is None:
            log.warning("the download client is gone", client=self._name, why=fault.sentence)
        doubled = min(self._longest_s, 0.125 * 2 ** min(self._failures, 20))
        self._fault, self._failures = fault, self._failures + 1
        self._until = self._clock() + max(pause_s, doubled)

    def worked(self) -> None:
        """It answered."""
        if self._fault is not None:
            log.info("the download client is back", client=self._name)
        self._fault, self._failures = None, 0
