"""What must be true of an import before its slots are satisfied, and what of it is true so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from pydantic import TypeAdapter

from capabilities.rules.outside_text import cleaned

LEFT: Final = "It is no longer set up here to show this library, so nobody can ask it."


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
        shown_at: when it was seen there.
        left: whether the server is gone from the settings, and no other one was asked in its place.
        instead_of: the server that was to show the file and is gone, where ``server`` was asked in
            its place.
    """

    kind: CheckKind
    file: str
    server: str | None = None
    passed: bool = False
    why: str | None = None
    item: str | None = None
    title: str | None = None
    shown_at: datetime | None = None
    left: bool = False
    instead_of: str | None = None


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
        """Whether waiting alone does not settle it.

        The time is over, the file is not right, or a server is gone that was to show it.
        """
        stuck = any(check.left or check.kind is not CheckKind.SEEN for check in self.open)
        return not self.settled and (stuck or now >= self.until)

    def asked_of(self, servers: Sequence[str]) -> "Verification":
        """The same, with its open checks asked of servers that there are.

        What a server was to show that is gone from the settings stays open: nobody saw it there.
        It is asked of a server that no check names, which may be that one under a new name;
        where there is none, it waits for the owner, or for the server to come back. A server
        that came later, while those of before are all there, is not required.
        """
        back = [_back(check, servers) for check in self.checks]
        named = {check.server for check in back}
        gone = dict.fromkeys(
            check.server
            for check in back
            if not check.passed and check.server is not None and check.server not in servers
        )
        heirs = dict(zip(gone, (name for name in servers if name not in named), strict=False))
        return replace(self, checks=tuple(_asked(check, servers, heirs) for check in back))


def _back(check: Check, servers: Sequence[str]) -> Check:
    """An open check as the server's again in whose place another one was asked."""
    if check.passed or check.instead_of is None or check.instead_of not in servers:
        return check
    return replace(check, server=check.instead_of, instead_of=None, left=False, why=None)


def _asked(check: Check, servers: Sequence[str], heirs: Mapping[str, str]) -> Check:
    if check.passed or check.server is None:
        return check
    if check.server in servers:
        return replace(check, left=False, why=None if check.left else check.why)
    heir = heirs.get(check.server)
    if heir is None:
        return replace(check, left=True, why=LEFT)
    first = check.instead_of or check.server
    return replace(check, server=heir, instead_of=first, left=False, why=None)


_STORED: TypeAdapter[Verification] = TypeAdapter(Verification)


def verification_json(verification: Verification) -> dict[str, Any]:
    """As stored in a record."""
    return _STORED.dump_python(verification, mode="json")


def verification_from(body: dict[str, Any]) -> Verification:
    """A stored one."""
    return _STORED.validate_python(body)
