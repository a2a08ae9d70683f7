"""How often a secret that a person remembers may be guessed.

A try is counted in the ledger before the secret is looked at and forgiven on success: tries side
by side cannot outrun the count, and a restart does not reset it. The console is locked for a while
after too many. The terminal only grows slower, since whoever could lock it could keep the owner
from turning a switch; that its socket is the owner's alone stands before it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from ledger.stores import access
from ledger.writer import Transaction
from server.guard.faults import LockedError


class Door(StrEnum):
    """Where people knock; the terminal is the local Unix socket, the console everything else."""

    CONSOLE = "console"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True)
class Limits:
    """How many wrong tries the console hears, and how the terminal slows down.

    Attributes:
        tries: that the console hears within `window`, whoever they come from.
        weary_after: wrong tries at all doors within `memory` after which the console hears
            `weary_tries` per window only.
        at_once: wrong tries within `window` after which the terminal begins to pause.
        pause_s: its first pause; every further wrong try doubles it, up to `longest_pause_s`.
    """

    tries: int = 5
    window: timedelta = timedelta(minutes=5)
    weary_after: int = 20
    memory: timedelta = timedelta(hours=1)
    weary_tries: int = 1
    at_once: int = 3
    pause_s: float = 1
    longest_pause_s: float = 8

    def pause_after(self, wrong: int, door: Door) -> float:
        """Seconds that a try waits before it is looked at, after so many wrong ones."""
        if door is Door.CONSOLE or wrong < self.at_once:
            return 0
        # The exponent is bounded, so that no count of tries is too long a number.
        return min(self.longest_pause_s, self.pause_s * 2 ** min(wrong - self.at_once, 16))


def count_try(tx: Transaction, door: Door, at: datetime, limits: Limits) -> int:
    """Count one try before it is looked at; how many wrong ones came before it in the window.

    Raises:
        LockedError: the console hears no more tries for now; this one was not counted.
    """
    heard = access.failures_since(tx.conn, door, at - limits.window)
    if door is Door.CONSOLE and heard >= _allowed(tx, at, limits):
        raise LockedError(int(limits.window.total_seconds()))
    access.note_failure(tx, door, at)
    return heard


def forgive(tx: Transaction, door: Door) -> None:
    """Forget the tries of a door after a success; one at the terminal opens all doors again."""
    for each in Door if door is Door.TERMINAL else (door,):
        access.forget_failures(tx, each)


def _allowed(tx: Transaction, at: datetime, limits: Limits) -> int:
    lately = sum(access.failures_since(tx.conn, each, at - limits.memory) for each in Door)
    return limits.tries if lately < limits.weary_after else limits.weary_tries
