"""The owner's grants: made, shown, made smaller and withdrawn by the signed-in owner only."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AfterValidator, AwareDatetime, BaseModel, Field
from starlette.responses import JSONResponse

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.codes import Code
from capabilities.kernel.grant_making import GrantFacts, facts_of, make, shorten, withdraw
from capabilities.kernel.grant_terms import Shortening
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.kernel.paging import Cursor, Page, page, start_of
from capabilities.rules.works import WorkKind
from ledger.database import Snapshot
from ledger.stores import grants
from ledger.stores.grants import NewGrant, Scope, Terms
from server.api.answer import Answer, answered
from server.api.approvals import Withdrawal
from server.api.callers import SignedInOwner
from server.api.parts import Parts
from server.settings import Settings

router = APIRouter(prefix="/grants", tags=["grants"])

MOST_NAMED = 200
FOLDERS = frozenset(Folders.name(kind) for kind in WorkKind)

Named = Annotated[str, Field(min_length=1, max_length=120)]
Budget = Annotated[int, Field(ge=1, le=2**53)]


def _folder(name: str) -> str:
    if name not in FOLDERS:
        raise ValueError(f"a library is one of {', '.join(sorted(FOLDERS))}")
    return name


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


Folder = Annotated[Named, AfterValidator(_folder)]
Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class ScopeGiven(BaseModel, extra="forbid"):
    """What a grant is limited to; what is left out limits nothing."""

    works: Annotated[
        list[Named] | None,
        Field(min_length=1, max_length=MOST_NAMED, description="Works, by id or key."),
    ] = None
    kinds: Annotated[list[WorkKind] | None, Field(min_length=1)] = None
    capabilities: Annotated[list[Named] | None, Field(min_length=1, max_length=MOST_NAMED)] = None
    downloaders: Annotated[
        list[Named] | None,
        Field(min_length=1, max_length=MOST_NAMED, description="Download clients, by name."),
    ] = None
    folders: Annotated[list[Folder] | None, Field(min_length=1, description="Libraries.")] = None

    def scope(self) -> Scope:
        """As the kernel takes it."""
        return Scope.of(self.model_dump(mode="json"))


class PolicyGiven(BaseModel, extra="forbid"):
    """The policy a grant is bound to: it holds as long as this version is the published one."""

    kind: Named
    version: Annotated[int, Field(ge=1)]


class GrantGiven(BaseModel, extra="forbid"):
    """A new grant. Budgets are per UTC day; left out, there is no limit."""

    action: Annotated[
        str,
        Field(
            max_length=80,
            pattern=r"^(\*|[a-z_]+\.(\*|[a-z_]+))$",
            description="A capability, all of a domain, or everything: `task.retry`, `task.*`, "
            "`*`. What always asks is never among it.",
        ),
    ]
    scope: ScopeGiven = ScopeGiven()
    calls_per_day: Budget | None = None
    bytes_per_day: Budget | None = None
    expires_at: Moment | None = None
    may_replace: Annotated[
        bool, Field(description="Also what replaces or moves files in the library.")
    ] = False
    policy: PolicyGiven | None = None
    note: Annotated[str, Field(max_length=500)] = ""

    def new(self) -> NewGrant:
        """As the kernel takes it."""
        terms = Terms(
            self.scope.scope(),
            self.calls_per_day,
            self.bytes_per_day,
            self.may_replace,
            self.expires_at,
        )
        if self.policy is None:
            return NewGrant(self.action, terms, self.note)
        return NewGrant(self.action, terms, self.note, self.policy.kind, self.policy.version)


class ShorteningGiven(BaseModel, extra="forbid"):
    """What is to become smaller; what is left out stays."""

    scope: ScopeGiven = ScopeGiven()
    calls_per_day: Budget | None = None
    bytes_per_day: Budget | None = None
    expires_at: Moment | None = None
    may_replace: bool | None = None

    def shortening(self) -> Shortening:
        """As the kernel takes it."""
        return Shortening(
            self.expires_at,
            self.calls_per_day,
            self.bytes_per_day,
            self.scope.scope(),
            self.may_replace,
        )


class GrantList(BaseModel):
    """One page of grants, newest first."""

    grants: list[GrantFacts]
    page: Page


@router.get("")
async def list_grants(
    parts: Parts,
    _: SignedInOwner,
    ended: Annotated[bool, Query(description="Also what was withdrawn or has expired.")] = False,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Cursor = None,
) -> GrantList:
    """List the grants that stand, with what is left of their day."""
    start, at = start_of(cursor), parts.ledger.now()

    def look(conn: Snapshot) -> tuple[list[GrantFacts], int]:
        found, total = grants.listing(
            conn, standing_at=None if ended else at, limit=limit, offset=start
        )
        return [facts_of(conn, grant, at) for grant in found], total

    shown, total = await parts.ledger.read(look)
    return GrantList(grants=shown, page=page(total, start, len(shown)))


@router.post("", response_model=Answer)
async def make_grant(given: GrantGiven, parts: Parts, actor: SignedInOwner) -> JSONResponse:
    """Grant acts of one sort, within a scope and a day's budget."""
    _refuse_unknown_clients(given.scope, parts.settings)
    return answered(await make(parts.ledger, parts.registry.specs, given.new(), by=actor))


@router.get("/{id_}")
async def show_grant(id_: str, parts: Parts, _: SignedInOwner) -> GrantFacts:
    """Show one grant."""
    at = parts.ledger.now()

    def look(conn: Snapshot) -> GrantFacts | None:
        grant = grants.by_id(conn, id_)
        return None if grant is None else facts_of(conn, grant, at)

    found = await parts.ledger.read(look)
    if found is None:
        raise HaltError(Refused(Code.NOT_FOUND, "There is no such grant."))
    return found


@router.post("/{id_}/shorten", response_model=Answer)
async def shorten_grant(
    id_: str, given: ShorteningGiven, parts: Parts, actor: SignedInOwner
) -> JSONResponse:
    """Make a grant smaller; what would make it wider is refused."""
    _refuse_unknown_clients(given.scope, parts.settings)
    return answered(await shorten(parts.ledger, id_, given.shortening(), by=actor))


@router.post("/{id_}/withdraw", response_model=Answer)
async def withdraw_grant(
    id_: str, given: Withdrawal, parts: Parts, actor: SignedInOwner
) -> JSONResponse:
    """End a grant for ever."""
    return answered(await withdraw(parts.ledger, id_, by=actor, reason=given.reason))


def _refuse_unknown_clients(scope: ScopeGiven, settings: Settings) -> None:
    there = settings.download_clients()
    if not set(scope.downloaders or ()) <= set(there):
        sentence = f"A download client is one of {', '.join(there)}."
        raise HaltError(Refused(Code.INVALID_INPUT, sentence))
