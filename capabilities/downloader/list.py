"""List the download clients and the media servers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.media_server.port import MediaServers, ServerKind
from capabilities.adapters.shelf.folders import NEEDS_FOLDERS
from capabilities.downloader.waiting import waiting_for
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from ledger.database import Snapshot
from ledger.stores import contacts, downloads
from ledger.stores.contacts import Contact, Part

NEVER = "It was not looked at yet."
REMOVED = "It is no longer in the settings."


class Input(BaseModel, extra="forbid"):
    """Nothing to choose."""


class Facts(BaseModel):
    """What the last look saw, without addresses or credentials.

    ``reachable`` is missing where nobody has looked yet; ``last_contact`` is when it last answered,
    and ``version`` what it said then.
    """

    name: str
    enabled: bool
    reachable: bool | None
    last_contact: datetime | None
    looked_at: datetime | None
    version: str
    note: str | None


class ClientFacts(Facts):
    """A client, and how many downloads it has in which state."""

    kind: str
    default: bool
    downloads: dict[str, int]


class ServerFacts(Facts):
    """A media server, what it is to show, and how many imports wait for it to show them."""

    kind: ServerKind
    shows: list[str]
    waiting: int


class Output(BaseModel):
    """All clients, and all media servers."""

    downloaders: list[ClientFacts]
    media_servers: list[ServerFacts]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What our records say, by the names of clients and servers."""

    clients: Mapping[str, Contact]
    servers: Mapping[str, Contact]
    downloads: Mapping[str, dict[str, int]]
    waiting: Mapping[str, int]


@capability(
    "downloader.list",
    version=1,
    title="List download clients and media servers",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ACQUIRE,
    use_when="See which download clients and media servers exist, when each last answered, and "
    "how many downloads each client has in which state. From records only; nobody is asked.",
    not_when="For single downloads use download__list.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=10,
    example={},
)
async def list_(given: Input, context: Context) -> Outcome[Output]:
    """Tell what the background looks wrote down, and count our own records."""
    del given
    kept = await context.ledger.read(_records)
    configured = context.part_if_configured(MediaServers)
    facts = _clients(context, kept, needed=configured is None)
    servers = [] if configured is None else _servers(configured, kept)
    output = Output(downloaders=facts, media_servers=servers)
    told = [*facts, *servers]
    answering = sum(each.reachable is True for each in told)
    return Succeeded(output, f"{answering} of {len(told)} answered when last looked at.")


def _records(conn: Snapshot) -> _Kept:
    return _Kept(
        clients=contacts.every(conn, Part.CLIENT),
        servers=contacts.every(conn, Part.MEDIA_SERVER),
        downloads=downloads.counts(conn),
        waiting=waiting_for(conn),
    )


def _clients(context: Context, kept: _Kept, *, needed: bool) -> list[ClientFacts]:
    """Those of the settings, and those that are gone from there and still have downloads."""
    if needed:
        configured: Downloaders | None = context.part(Downloaders, "download client", NEEDS_FOLDERS)
    else:
        configured = context.part_if_configured(Downloaders)
    clients = () if configured is None else configured.clients
    default = None if configured is None else configured.default_name
    gone = sorted(kept.downloads.keys() - {client.name for client in clients})
    return [
        *(_client(one.name, one.kind, kept, default=one.name == default) for one in clients),
        *(_client(name, _kind(name, kept), kept, removed=True) for name in gone),
    ]


def _client(
    name: str, kind: str, kept: _Kept, *, default: bool = False, removed: bool = False
) -> ClientFacts:
    seen = _seen(name, kept.clients)
    if removed:
        seen = seen.model_copy(update={"enabled": False, "note": REMOVED})
    counts = kept.downloads.get(name, {})
    return ClientFacts(**seen.model_dump(), kind=kind, default=default, downloads=counts)


def _kind(name: str, kept: _Kept) -> str:
    known = kept.clients.get(name)
    return "" if known is None else known.kind


def _servers(configured: MediaServers, kept: _Kept) -> list[ServerFacts]:
    return [
        ServerFacts(
            **_seen(shown.server.name, kept.servers).model_dump(),
            kind=shown.server.kind,
            shows=sorted(kind.value for kind in shown.kinds),
            waiting=kept.waiting.get(shown.server.name, 0),
        )
        for shown in configured.every
    ]


def _seen(name: str, looks: Mapping[str, Contact]) -> Facts:
    look = looks.get(name)
    return Facts(
        name=name,
        enabled=True,
        reachable=None if look is None else look.reachable,
        last_contact=None if look is None else look.answered_at,
        looked_at=None if look is None else look.looked_at,
        version="" if look is None else look.version,
        note=NEVER if look is None else look.note,
    )
