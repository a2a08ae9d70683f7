"""Since when nothing came of a download, and whose fault that is: its own, or its client's.

A client's word "stalled" is not asked: it means another time with every client. What counts is the
time that was seen to pass without a byte while the download ran.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from pydantic import AwareDatetime, TypeAdapter

from capabilities.rules.patience import Patience

RUNNING: Final = ("metadata", "downloading", "stalled")
"""States in which something could come; paused, queued and checking are none of them."""
LONGEST_LOOK_S: Final = 180.0
"""That may count between two looks: nobody knows what happened while nobody looked."""
WITNESS_S: Final = 1_800.0
"""How lately a byte must have come for a download to show that its client works."""
MINUTE_S: Final = 60


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of a download.

    Attributes:
        state: its word, as a download's row has it.
        done: bytes that passed their hash.
        rate: payload that comes, in bytes a second.
        has_files: whether its list of files is known.
    """

    state: str
    done: int
    rate: int
    has_files: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """How long nothing came, as of the last look.

    Attributes:
        done: bytes there were.
        quiet_s: seconds that were seen to pass without one while it ran.
        has_files: whether the list of files was known.
        ran_at: the last look, where it ran then; None where the time after it does not count.
    """

    done: int = 0
    quiet_s: float = 0.0
    has_files: bool = False
    ran_at: AwareDatetime | None = None

    def after(self, look: Look, at: AwareDatetime) -> "Clock":
        """The clock as of another look, which came at a moment ``at``."""
        runs = look.state in RUNNING
        has_files = look.has_files or self.has_files
        learned = has_files and not self.has_files
        came = look.done > self.done or look.rate > 0 or learned
        quiet_s = 0.0 if came else self.quiet_s + (self._passed(at) if runs else 0.0)
        # A check may find less than there was; what comes after that is new.
        done = max(look.done, self.done) if runs else look.done
        return Clock(done, quiet_s, has_files, at if runs else None)

    def unseen(self) -> "Clock":
        """The clock of a download whose client does not answer."""
        return Clock(self.done, self.quiet_s, self.has_files, None)

    def anew(self) -> "Clock":
        """The clock set back, for what was somebody else's fault."""
        return Clock(self.done, 0.0, self.has_files, self.ran_at)

    def _passed(self, at: AwareDatetime) -> float:
        if self.ran_at is None:
            return 0.0
        return min(max((at - self.ran_at).total_seconds(), 0.0), LONGEST_LOOK_S)


CLOCK: Final = "clock"
"""The name under which it is among the facts of a download."""
_CLOCK: Final = TypeAdapter(Clock)


def clock_json(clock: Clock) -> dict[str, object]:
    """As kept with the download."""
    return _CLOCK.dump_python(clock, mode="json")


def clock_of(facts: Mapping[str, Any]) -> Clock:
    """The clock among the facts of a download; one that nobody kept yet stands at nothing."""
    kept = facts.get(CLOCK)
    return Clock() if kept is None else _CLOCK.validate_python(kept)


def limit_s(clock: Clock, patience: Patience, *, others: bool) -> float:
    """Seconds without anything after which it is stalled.

    Args:
        clock: of the download.
        patience: of the owner.
        others: whether another release could be taken instead.
    """
    if not clock.has_files:
        return patience.metadata_minutes * MINUTE_S
    minutes = patience.stalled_minutes if others else patience.last_candidate_minutes
    return minutes * MINUTE_S


class Pulse(StrEnum):
    """What a running download says of itself and of its client.

    ``NEW`` says nothing yet: nothing came, and it could not be expected to.
    """

    MOVING = "moving"
    NEW = "new"
    SILENT = "silent"
    STALLED = "stalled"


def pulse(clock: Clock, limit: float) -> Pulse:
    """How it goes; ``limit`` as by `limit_s`."""
    if clock.quiet_s >= limit:
        return Pulse.STALLED
    if clock.quiet_s >= min(WITNESS_S, limit):
        return Pulse.SILENT
    return Pulse.MOVING if clock.done else Pulse.NEW


def is_clients_fault(pulses: Collection[Pulse]) -> bool:
    """Whether it is the client (its VPN, its DHT), by everything that runs in it.

    Two or more get nothing, one of them for too long, and none shows that anything comes at all.
    """
    quiet = [one for one in pulses if one in {Pulse.STALLED, Pulse.SILENT}]
    return Pulse.STALLED in quiet and len(quiet) > 1 and Pulse.MOVING not in pulses
