"""List the download clients."""

from pydantic import BaseModel

from capabilities.adapters.downloader.port import Downloader, Downloaders
from capabilities.adapters.shelf.folders import NEEDS_FOLDERS
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from ledger.stores import downloads


class Input(BaseModel, extra="forbid"):
    """Nothing to choose."""


class ClientFacts(BaseModel):
    """A client without addresses or credentials."""

    name: str
    kind: str
    default: bool
    reachable: bool
    version: str
    note: str | None
    downloads: dict[str, int]


class Output(BaseModel):
    """All clients."""

    downloaders: list[ClientFacts]


@capability(
    "downloader.list",
    version=1,
    title="List download clients",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ACQUIRE,
    use_when="See which download clients exist, whether they answer, and how many downloads each "
    "has in which state.",
    not_when="For single downloads use download__list.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=30,
    example={},
)
async def list_(given: Input, context: Context) -> Outcome[Output]:
    """Ask each client how it is, and count our own records."""
    del given
    clients = context.part(Downloaders, "download client", NEEDS_FOLDERS)
    rows = await context.ledger.read(downloads.listing)
    counts: dict[str, dict[str, int]] = {}
    for row in rows:
        states = counts.setdefault(row.client, {})
        states[row.state] = states.get(row.state, 0) + 1
    facts = [
        await _facts(client, client.name == clients.default_name, counts.get(client.name, {}))
        for client in clients.clients
    ]
    answering = sum(each.reachable for each in facts)
    return Succeeded(Output(downloaders=facts), f"{answering} of {len(facts)} answer.")


async def _facts(client: Downloader, default: bool, counts: dict[str, int]) -> ClientFacts:
    health = await client.health()
    return ClientFacts(
        name=client.name,
        kind=client.kind,
        default=default,
        reachable=health.reachable,
        version=health.version,
        note=health.note,
        downloads=counts,
    )
