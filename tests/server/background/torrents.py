"""Torrents that nobody shares, or that are not what they claim, and who follows them."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import anyio

from capabilities.adapters.downloader.embedded import EmbeddedDownloader, open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.embedded_upkeep import Timing
from capabilities.adapters.downloader.port import (
    AddRequest,
    ClientState,
    Downloaders,
    Transfer,
)
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.patience import Patience
from ledger.stores.downloads import DownloadRow
from server.background.results import Result
from server.background.tracking import Tracker
from tests.scene import Scene
from world.indexer_feed import Offer
from world.seeder import make_torrent

IMPATIENT = Timing(stall_after_s=0.05, look_every_s=0.05)
SINTEL = 45745
MIB = 1 << 20
FIRST = "Sintel.2010.1080p.BluRay.x264-ONE"
SECOND = "Sintel.2010.1080p.BluRay.x264-TWO"
SHORT = AcquisitionPolicy(
    patience=Patience(stalled_minutes=2, last_candidate_minutes=4, metadata_minutes=1)
)
"""Two minutes for one of many, four for the only one."""


def tracker(scene: Scene, *clients: EmbeddedDownloader) -> Tracker:
    chosen = clients or (scene.client,)
    return Tracker(scene.ledger, Downloaders(tuple(chosen), chosen[0].name))


async def attended(scene: Scene, row: DownloadRow, by: Tracker | None = None) -> Result:
    """What one look at the torrent comes to."""
    task = (await scene.tasks(row.id))["track"]
    return await (by or tracker(scene)).attend(task)


async def looked_at(scene: Scene, *rows: DownloadRow, minutes: int) -> None:
    """Look at these once a minute for so many minutes, and once to begin with."""
    for _ in range(minutes + 1):
        for row in rows:
            await attended(scene, row)
        scene.base.time.ahead += timedelta(minutes=1)


@asynccontextmanager
async def impatient(folder: Path) -> AsyncGenerator[EmbeddedDownloader]:
    """A client in whose eyes everything is stalled soon."""
    files = folder / "files"
    files.mkdir(parents=True, exist_ok=True)
    async with open_embedded(folder / "state", files, LoopbackProfile(), timing=IMPATIENT) as c:
        yield c


async def until_state(client: EmbeddedDownloader, info_hash: str, state: ClientState) -> Transfer:
    with anyio.fail_after(20):
        async with client.changes() as changes:
            while True:
                transfer = await client.transfer(info_hash)
                if transfer is not None and transfer.state is state:
                    return transfer
                await anext(changes)


@asynccontextmanager
async def slow(scene: Scene) -> AsyncGenerator[None]:
    scene.stage.seed.limit(1)
    try:
        yield
    finally:
        scene.stage.seed.limit(0)


def torrent_of(folder: Path, title: str, *besides: str, size: int = MIB) -> bytes:
    """A torrent of a film that nobody shares, with further files of these names."""
    source = folder / title
    source.mkdir(parents=True)
    (source / f"{title}.mkv").write_bytes(bytes(size))
    for name in besides:
        (source / name).write_bytes(b"MZ" * 64)
    return make_torrent(source)


def offer_of(folder: Path, title: str, *besides: str, seeders: int = 5) -> Offer:
    """An indexer's offer of such a torrent."""
    torrent = torrent_of(folder, title, *besides)
    return Offer(title, MIB, seeders=seeders, torrent=torrent, tmdb_id=SINTEL)


@asynccontextmanager
async def offering(scene: Scene, folder: Path, titles: Sequence[str]) -> AsyncGenerator[Scene]:
    """The house with one indexer that lists films which nobody shares, the best first."""
    offers = [offer_of(folder, title, seeders=50 - number) for number, title in enumerate(titles)]
    async with scene.offering(*offers) as offered:
        yield offered


async def instead(scene: Scene, row: DownloadRow, torrent: bytes) -> DownloadRow:
    """Let the client have another torrent under a download, which nobody has looked into."""
    added = await scene.client.add(AddRequest(torrent, scene.folders.downloads))
    await scene.turn(row.id, "submitted", info_hash=added.key, facts={})
    return await scene.download(row.id)
