"""The effects that are played to be interrupted, one for each execute capability, and more."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import svcs

from capabilities.kernel.actors import client
from capabilities.kernel.calls import Call
from capabilities.kernel.spec import Spec
from capabilities.rules.stored import work_json
from capabilities.rules.works import Work, WorkKey, WorkKind
from ledger.clock import Clock
from ledger.stores import approvals, plans, works
from ledger.stores.approvals import NewApproval
from ledger.stores.plans import Plan
from ledger.writer import Transaction
from tests.crash.place import Place
from world.client_double import Tenant

SCOPES = frozenset({"read", "plan", "download.submit", "organize.execute", "act"})
KEY = client("laptop", SCOPES)
OTHER = client("phone", SCOPES)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the world looks like.

    Attributes:
        acts: how often the effect happened.
        wrong: what must never be seen, as sentences.
    """

    acts: int
    wrong: tuple[str, ...] = ()


class Play(Protocol):
    """One effect, from an empty home to its call."""

    @property
    def spec(self) -> Spec:
        """The capability."""
        ...

    @property
    def natural(self) -> bool:
        """Whether the effect has a key of its own in the world."""
        ...

    def furnish(self, place: Place) -> None:
        """Put files where the call will find them."""
        ...

    def rows(self, tx: Transaction, place: Place) -> None:
        """Write down what came before the call."""
        ...

    def parts(self, place: Place) -> AbstractAsyncContextManager[svcs.Container]:
        """What the handler works with."""
        ...

    def call(self, *, request: str = "first") -> Call:
        """The call; another request asks for the same thing again."""
        ...

    def other(self) -> Call:
        """Another way to the same effect, by another client; where there is none, the same call."""
        ...

    def seen(self, place: Place, tenant: Tenant, *, over: bool) -> Seen:
        """Look at the world, at once after a death or when all is ``over``."""
        ...


def call_of(capability: str, request: str, **arguments: object) -> Call:
    """A call of the client's; the request is its id as well."""
    return Call(capability, arguments, KEY, f"call-{request}", request)


def sintel(tx: Transaction) -> str:
    """The film that the plays are about; returns its work."""
    at, film = Clock().now(), Work(WorkKey("tmdb", WorkKind.FILM, "45745"), "Sintel", 2010)
    return works.keep(
        tx,
        key=str(film.key),
        kind=film.key.kind,
        title=film.title,
        year=film.year,
        body=work_json(film),
        at=at,
    )


def approved(tx: Transaction, capability: str, plan: Plan) -> None:
    """A client's plan, and the owner's yes to exactly this one."""
    at = Clock().now()
    plans.add(tx, plan)
    new = NewApproval(capability, plan.pin, str(KEY), None, "before", {}, at + timedelta(days=1))
    id_ = approvals.request(tx, new, at)
    approvals.decide(tx, id_, approved=True, by="owner:ada", reason=None, at=at)


@asynccontextmanager
async def parts_of(*parts: object) -> AsyncGenerator[svcs.Container]:
    """The parts under their classes."""
    held = svcs.Registry()
    for part in parts:
        held.register_value(type(part), part)  # pyright: ignore[reportUnknownMemberType]  # it leaves ping open
    async with svcs.Container(held) as container:
        yield container
