"""How often a secret that a person remembers may be guessed.

A try is counted in the ledger before the secret is looked at and forgiven on success: tries side
by side cannot outrun the count, and a restart does not reset it.
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
    """How many wrong tries each door hears.

    Attributes:
        tries: within `window`, per door, whoever they come from.
        weary_after: wrong tries at all doors within `memory` after which the console hears
            `weary_tries` per window only. The terminal never grows weary, so that strangers on
            the network cannot keep the owner out.
    """

    tries: int = 5
    window: timedelta = timedelta(minutes=5)
    weary_after: int = 20
    memory: timedelta = timedelta(hours=1)
    weary_tries: int = 1


def count_try(tx: Transaction, door: Door, at: datetime, limits: Limits) -> None:
    """Count one try before it is looked at.

    Raises:
        LockedError: the door hears no more tries for now; this one was not counted.
    """
    heard = access.failures_since(tx.conn, door, at - limits.window)
    if heard >= _allowed(tx, door, at, limits):
        raise LockedError(int(limits.window.total_seconds()))
    access.note_failure(tx, door, at)


def forgive(tx: Transaction, door: Door) -> None:
    """Forget the tries of a door after a success; one at the terminal opens all doors again."""
    for each in Door if door is Door.TERMINAL else (door,):
        access.forget_failures(tx, each)


def _allowed(tx: Transaction, door: Door, at: datetime, limits: Limits) -> int:
    if door is Door.TERMINAL:
        return limits.tries
    lately = sum(access.failures_since(tx.conn, each, at - limits.memory) for each in Door)
    return limits.tries if lately < limits.weary_after else limits.weary_tries
