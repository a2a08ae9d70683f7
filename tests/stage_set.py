"""What the tests of a module share: a staged world, a ledger with its engine, one client."""

import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from anyio.lowlevel import checkpoint

from capabilities.adapters.downloader.embedded import EmbeddedDownloader, open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.embedded_upkeep import Timing
from capabilities.adapters.indexer.torznab import Torznab
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.shelf.folders import Folders
from ledger.clock import Clock
from ledger.ledger import Ledger, opened
from ledger.tables.declared import declared
from ledger.transact import Lane
from ledger.writer import Transaction
from server.first_start import publish_defaults
from world.scripts import say
from world.stage import Stage, staged

MIB = 1 << 20
QUICK = Timing(look_every_s=0.05)
LANES: dict[str, Lane] = {"run": "agent", "task": "background"}

Segment = Callable[[str, int], Awaitable[None]]


@dataclass
class Time:
    """Wall time that a test may move on."""

    ahead: timedelta = timedelta()

    def now(self) -> datetime:
        return Clock().now() + self.ahead


@dataclass
class Base:
    """What a module's tests share.

    Attributes:
        segments: who continues a ``run`` or ``task``; nobody at first.
    """

    folder: Path
    time: Time
    ledger: Ledger
    stage: Stage
    outbound: Outbound
    client: EmbeddedDownloader
    folders: Folders
    segments: dict[str, Segment] = field(default_factory=dict[str, Segment])

    async def empty(self) -> None:
        """Forget everything: rows, torrents and files."""
        self.time.ahead = timedelta()
        self.segments.clear()
        for transfer in await self.client.transfers():
            await self.client.remove(transfer.hashes.key, delete_data=True)
        for folder in (self.folders.downloads, self.folders.films, self.folders.series):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        await self.ledger.write(_delete_all)
        await publish_defaults(self.ledger)


def _delete_all(tx: Transaction) -> None:
    for table in reversed(declared().sorted_tables):
        tx.conn.execute(table.delete())


def tmdb_of(base: Base, **changed: str) -> Tmdb:
    """The metadata source of the stage, or one that differs from it."""
    metadata = base.stage.metadata
    given = {"credential": metadata.token, "address": metadata.address, **changed}
    return Tmdb(base.outbound, given["credential"], address=given["address"])


def catalogue_of(base: Base, **changed: str) -> Catalogue:
    """A catalogue of that source alone."""
    return Catalogue([tmdb_of(base, **changed)])


def torznab_of(base: Base, name: str = "loopback", priority: int = 25, **changed: str) -> Torznab:
    """The indexer of the stage, or one that differs from it."""
    indexer = base.stage.indexer
    given = {"address": indexer.address, "key": indexer.api_key, **changed}
    return Torznab(name, given["address"], given["key"], outbound=base.outbound, priority=priority)


async def at_once(seconds: float) -> None:
    """Pauses between tries are no part of what is tested here."""
    del seconds
    await checkpoint()


@asynccontextmanager
async def set_up(folder: Path) -> AsyncGenerator[Base]:
    """Everything that a module's tests share, below ``folder``."""
    time = Time()
    home, world = folder / "home", folder / "world"
    folders = Folders(folder / "downloads", folder / "films", folder / "series")
    for each in (home, world, folders.downloads, folders.films, folders.series):
        each.mkdir()
    async with (
        staged(world, say("That was all."), size=MIB) as stage,
        opened(home, Clock(now=time.now)) as ledger,
        Outbound(version="0", wait=at_once) as outbound,
        open_embedded(
            home / "torrents", folders.downloads, LoopbackProfile(), timing=QUICK
        ) as embedded,
    ):
        base = Base(folder, time, ledger, stage, outbound, embedded, folders)
        for kind, lane in LANES.items():
            ledger.engine.handle(kind, lane, _Dispatch(base, kind).segment)
        await ledger.engine.launch()
        yield base


@dataclass(frozen=True)
class _Dispatch:
    base: Base
    kind: str

    async def segment(self, subject: str, epoch: int) -> None:
        segment = self.base.segments.get(self.kind)
        if segment is not None:
            await segment(subject, epoch)
