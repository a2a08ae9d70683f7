"""What must be true of an import before its slots are satisfied, and what of it is true so far."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter

from capabilities.rules.outside_text import cleaned


class CheckKind(StrEnum):
    """What is looked at: of each video, the last one at each media server that is to show it."""

    PLACED = "placed"
    READABLE = "readable"
    LENGTH = "length"
    SEEN = "seen"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must be true.

    Attributes:
        file: below the library's root.
        server: the name of the media server, for `CheckKind.SEEN`.
        why: a sentence; why it is not true, or what is to be said about it.
        item: the server's id of what it takes the file for, and its title there.
    """

    kind: CheckKind
    file: str
    server: str | None = None
    passed: bool = False
    why: str | None = None
    item: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Verification:
    """All checks of one organise record.

    Attributes:
        files: how many were placed, sidecars included.
        at: when they were found whole at their places.
        until: how long the servers are waited for before the owner is asked.
        looks: how often they were asked.
        told: when each server was told last.
        accepted: who took it as it is, in spite of open checks.
    """

    files: int
    at: datetime
    until: datetime
    checks: tuple[Check, ...] = ()
    looks: int = 0
    told: dict[str, datetime] = field(default_factory=dict[str, datetime])
    accepted: str | None = None

    @property
    def open(self) -> list[Check]:
        """What is not true yet."""
        return [check for check in self.checks if not check.passed]

    @property
    def settled(self) -> bool:
        """Whether nothing is waited for."""
        return self.accepted is not None or not self.open

    @property
    def reason(self) -> str | None:
        """Why it is not settled: of one file, with the number of further ones."""
        first = next(iter(self.open), None)
        if first is None:
            return None
        more = len({check.file for check in self.open}) - 1
        others = f" ({more} more like it)" if more else ""
        where = "" if first.server is None else f' on the media server "{cleaned(first.server)}"'
        return f"{cleaned(first.file)}{where}: {first.why or 'It was not looked at yet.'}{others}"

    def needs_owner(self, now: datetime) -> bool:
        """Whether waiting alone does not settle it: the time is over, or the file is not right."""
        wrong = any(check.kind is not CheckKind.SEEN for check in self.open)
        return not self.settled and (wrong or now >= self.until)

    def seen_at(self, servers: Sequence[str]) -> "Verification":
        """The same, without waiting for servers that are none of these any more."""
        return replace(self, checks=tuple(_still_asked(self.checks, servers)))


def _still_asked(checks: Sequence[Check], servers: Sequence[str]) -> Iterator[Check]:
    for check in checks:
        if check.passed or check.server is None or check.server in servers:
            yield check
        else:
            yield replace(check, passed=True, why="It is no longer to show this library.")


_STORED: TypeAdapter[Verification] = TypeAdapter(Verification)


def verification_json(verification: Verification) -> dict[str, Any]:
    """As stored in a record."""
    return _STORED.dump_python(verification, mode="json")


def verification_from(body: dict[str, Any]) -> Verification:
    """A stored one."""
    return _STORED.validate_python(body)
