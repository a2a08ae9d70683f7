"""The embedded downloader on loopback against a bare libtorrent session."""

import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.to_thread
import libtorrent as lt

from bench.measured import Figure, medians
from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import AddRequest
from world.samples import Sample, stretched
from world.seeder import Seed, seeding

SIZE = 256 * 1024 * 1024
LOOK_S = 0.01


async def measure() -> list[Figure]:
    """Megabytes per second from the call of ``add`` until every byte passed its hash."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "seeded" / "film.mkv"
        source.parent.mkdir()
        stretched(Sample.FILM_1080P, source, SIZE)
        async with seeding(source) as seed:
            ours, floor = await medians(lambda: _embedded(seed), lambda: _bare(seed))
    size = SIZE / 1e6
    return [Figure("download on loopback", "MB/s", size / ours, size / floor, ">= 0.95")]


@asynccontextmanager
async def _folder() -> AsyncGenerator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


async def _embedded(seed: Seed) -> None:
    async with _folder() as folder:
        (folder / "downloads").mkdir()
        async with (
            open_embedded(folder / "state", folder / "downloads", LoopbackProfile()) as client,
            client.changes() as changes,
        ):
            request = AddRequest(seed.torrent_bytes, folder / "downloads", peers=(seed.address,))
            hashes = await client.add(request)
            async for _ in changes:
                transfer = await client.transfer(hashes.key)
                if transfer is not None and transfer.complete:
                    return


async def _bare(seed: Seed) -> None:
    async with _folder() as folder:
        session = lt.session(LoopbackProfile().pack())
        params = lt.load_torrent_buffer(seed.torrent_bytes)
        params.save_path = str(folder)
        params.flags &= ~(lt.torrent_flags.auto_managed | lt.torrent_flags.paused)
        params.peers = [seed.address]
        handle = session.add_torrent(params)
        await anyio.to_thread.run_sync(_wait_for, handle)
        del session


def _wait_for(handle: lt.torrent_handle) -> None:
    while not handle.status().is_seeding:
        time.sleep(LOOK_S)
