"""Named moments on the way of an effect, at which a test ends or stops the process.

A process that was started without ``MATINEE_FAULT`` has none: `at` does nothing then, whatever
happens to its environment later. With it, the value is ``name:n:act`` and is read anew at every
moment: at the n-th passing of ``name``, ``kill`` ends the process at once, ``pause`` stops it until
it is continued from outside (SIGCONT), and ``raise`` breaks with an error that nobody expects.
"""

import os
import signal
from collections import Counter
from collections.abc import Callable

VARIABLE = "MATINEE_FAULT"


class InjectedError(Exception):
    """A fault of nobody, made by a test."""


def _nothing(name: str) -> None:
    """Pass a moment of an ordinary process."""


class _Armed:
    """Counts the moments of a process that was started to be disturbed."""

    def __init__(self) -> None:
        self._passed: Counter[str] = Counter()

    def at(self, name: str) -> None:
        """Pass a moment, or not."""
        self._passed[name] += 1
        wanted, _, rest = os.environ.get(VARIABLE, "").partition(":")
        number, _, act = rest.partition(":")
        if wanted != name or number != str(self._passed[name]):
            return
        match act:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "pause":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "raise":
                raise InjectedError(name)
            case _:
                raise ValueError(f"{VARIABLE} knows kill, pause and raise, not {act!r}")


at: Callable[[str], None] = _nothing if VARIABLE not in os.environ else _Armed().at
