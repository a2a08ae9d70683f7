"""Which downloads stand still for want of disk space, and which of those may go on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

SLACK_SHARE: Final = 0.1
LEAST_SLACK: Final = 100_000_000
"""Bytes above the floor before anything goes on, so that it does not stand still again at once."""


@dataclass(frozen=True, slots=True)
class Load:
    """A download of ours that is not complete.

    Attributes:
        owed: bytes that are still to come; 0 also where nobody knows yet.
        since: when it was submitted.
        running: whether it takes room now.
        held: whether it stands still for want of space, by us.
    """

    id: str
    owed: int
    since: datetime
    running: bool = True
    held: bool = False


@dataclass(frozen=True, slots=True)
class Relief:
    """Ids of what is to stand still and of what goes on, in the order in which to do it.

    ``left``: bytes that will be free when all that runs then has come.
    """

    pause: tuple[str, ...]
    resume: tuple[str, ...]
    left: int


def relief(free: int, floor: int, loads: Sequence[Load]) -> Relief:
    """Pause the youngest, as many as it takes; let the oldest go on where there is room to spare.

    Args:
        free: bytes on the disk now.
        floor: bytes that must stay free.
        loads: what is under way.
    """
    running = sorted((one for one in loads if one.running), key=lambda one: one.since)
    left = free - sum(one.owed for one in running)
    pause: list[str] = []
    for one in reversed(running):
        # What owes nothing that is known is of no help, unless the floor is reached already.
        if left < floor and (one.owed or free < floor):
            pause.append(one.id)
            left += one.owed
    if pause or left < floor:
        return Relief(tuple(pause), (), left)
    ceiling = floor + max(int(floor * SLACK_SHARE), LEAST_SLACK)
    resume: list[str] = []
    for one in sorted((one for one in loads if one.held), key=lambda one: one.since):
        if left - one.owed < ceiling:
            break
        resume.append(one.id)
        left -= one.owed
    return Relief((), tuple(resume), left)
