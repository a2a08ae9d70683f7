"""List the download clients and the media servers."""

import anyio
from pydantic import BaseModel

from capabilities.adapters.downloader.port import Downloader, Downloaders
from capabilities.adapters.media_server.port import (
    MediaServer,
    MediaServers,
    ServerHealth,
    ServerKind,
)
from capabilities.adapters.shelf.folders import NEEDS_FOLDERS
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.outside_text import cleaned
from ledger.stores import downloads

PATIENCE_S = 10.0


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


class ServerFacts(BaseModel):
    """A media server without its address or key."""

    name: str
    kind: ServerKind
    reachable: bool
    version: str
    note: str | None


class Output(BaseModel):
    """All clients, and all media servers."""

    downloaders: list[ClientFacts]
    media_servers: list[ServerFacts]


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
    use_when="See which download clients and media servers exist, whether they answer, and how "
    "many downloads each client has in which state.",
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
    servers = await _servers(context)
    answering = sum(each.reachable for each in (*facts, *servers))
    output = Output(downloaders=facts, media_servers=servers)
    return Succeeded(output, f"{answering} of {len(facts) + len(servers)} answer.")


async def _servers(context: Context) -> list[ServerFacts]:
    """All at once, since one that is away is waited for."""
    configured = context.part_if_configured(MediaServers)
    servers = () if configured is None else configured.every
    found: dict[int, ServerFacts] = {}

    async def ask(number: int, server: MediaServer) -> None:
        health = ServerHealth(reachable=False, note=f"It did not answer within {PATIENCE_S:g} s.")
        with anyio.move_on_after(PATIENCE_S):
            health = await server.health()
        found[number] = ServerFacts(
            name=server.name,
            kind=server.kind,
            reachable=health.reachable,
            version=cleaned(health.version),
            note=health.note,
        )

    async with anyio.create_task_group() as asking:
        for number, shown in enumerate(servers):
            asking.start_soon(ask, number, shown.server)
    return [found[number] for number in sorted(found)]


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
