"""What a handler is given besides its input."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

import svcs

from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, Failed, HaltError, Refused
from ledger.ledger import Ledger
from ledger.stores import references
from ledger.writer import Transaction

Part = TypeVar("Part")

LONGEST_TOLD = 80
MOST_DIGITS = 9
"""More than any reference has, and less than a column of the ledger holds."""

Report = Callable[[float, float | None, str], Awaitable[None]]
Write = Callable[[Transaction], None]


class Door(Protocol):
    """The one way in, as a handler may use it to call something further."""

    async def call_within(
        self, context: "Context", capability: str, arguments: Mapping[str, object]
    ) -> AnyOutcome:
        """Call a capability as the actor of ``context``, for the same request."""
        ...

    async def check(self, invocation: str, by: Actor) -> AnyOutcome:
        """Look at the world for an act of unknown outcome; answer what is known of it."""
        ...


async def silent(done: float, total: float | None, sentence: str) -> None:
    """A progress report that nobody asked for."""
    del done, total, sentence


LISTED_BY: Final = {
    "work": "catalog__lookup",
    "rel": "release__search",
    "dl": "download__list",
    "dec": "decision__list",
    "task": "download__inspect",
    "plan": "download__plan",
}
"""Which tool names things of a kind by reference."""


@dataclass(frozen=True, slots=True)
class Context:
    """Who calls, for which request, with which parts of the house at hand.

    Attributes:
        request: the owner's request that this call serves.
        invocation: the claim under which an effect runs; None for reads.
        report: progress for whoever follows: done, total (or None), a sentence.
        staged: writes that become durable together with the settlement, or not at all.
        door: the registry that made the call; None for a handler that is called by hand.
    """

    actor: Actor
    ledger: Ledger
    parts: svcs.Container
    request: str
    call_id: str
    run: str | None = None
    invocation: str | None = None
    report: Report = silent
    staged: list[Write] = field(default_factory=list[Write])
    door: Door | None = None

    def part(self, kind: type[Part], words: str, cure: str = "") -> Part:
        """A configured part of the house, e.g. the metadata client.

        Args:
            kind: its class.
            words: what a person calls it.
            cure: what to do where it is missing and has no setting of its own.

        Raises:
            HaltError: refused, naming what is not configured.
        """
        part = self.part_if_configured(kind)
        if part is None:
            raise HaltError(
                Refused(
                    Code.PRECONDITION,
                    f"No {words} is configured, so this cannot be done.",
                    {"settings": cure or f"Configure a {words} in settings.toml, then restart."},
                )
            )
        return part

    def part_if_configured(self, kind: type[Part]) -> Part | None:
        """A part that the house can do without."""
        try:
            return self.parts.get(kind)
        except svcs.exceptions.ServiceNotFoundError:
            return None

    def stage(self, write: Write) -> None:
        """Let ``write`` commit together with this call's settlement."""
        self.staged.append(write)

    @property
    def scope(self) -> str:
        """Where references are valid: within a run, or for a key or the owner."""
        return f"run:{self.run}" if self.run is not None else self.actor.principal

    async def refer(self, kind: str, *targets: str) -> list[str]:
        """Short references for ids, in their order."""
        return await self.ledger.write(
            lambda tx: references.issue_all(tx, self.scope, kind, targets)
        )

    async def resolve(self, kind: str, given: str) -> str:
        """The full id behind a reference or a full id.

        Raises:
            HaltError: not found, naming the newest references of that kind.
        """
        prefix, _, number = given.strip().partition(":")
        if not number:
            return given.strip()
        if prefix == kind and number.isdecimal() and len(number) <= MOST_DIGITS:
            found = await self.ledger.read(
                lambda conn: references.target_of(conn, self.scope, kind, int(number))
            )
            if found is not None:
                return found
        near = await self.ledger.read(lambda conn: references.recent(conn, self.scope, kind))
        raise HaltError(
            Failed(
                Code.NOT_FOUND,
                f"There is no {given[:LONGEST_TOLD]!r} here.",
                hint=f"Known here: {', '.join(near)}." if near else _none_yet(kind),
            )
        )


def _none_yet(kind: str) -> str:
    told = "Nothing of that kind yet."
    return f"{told} {LISTED_BY[kind]} lists them." if kind in LISTED_BY else told
