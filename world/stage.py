"""The whole world at once: everything that one home needs, on 127.0.0.1 and on free ports.

One release of Sintel is real: it is seeded by libtorrent, announced by a tracker and holds a video
that any probe can read. The others are there to be refused.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread

from world.dialogue import Script
from world.indexer import LoopbackIndexer, serving_indexer
from world.indexer_feed import Offer
from world.metadata import LoopbackMetadata, serving_metadata
from world.model import ScriptedModel, scripted_model
from world.samples import Sample, stretched
from world.seeder import Seed, make_torrent, seeding
from world.tracker import tracking

RELEASE = "Sintel.2010.1080p.BluRay.x264-OPEN"
FILM_BYTES = 64 * 1024 * 1024
SINTEL = 45745
GB = 10**9

SUBTITLE = "1\n00:00:01,000 --> 00:00:03,000\nThis blade has a dark past.\n"


@dataclass(frozen=True, slots=True)
class Stage:
    """The world while it stands.

    Attributes:
        offers: what the indexer lists; their order is shuffled at every start.
        video: the real release's video, relative to its download folder.
    """

    indexer: LoopbackIndexer
    metadata: LoopbackMetadata
    model: ScriptedModel
    seed: Seed
    offers: tuple[Offer, ...]
    video: str


@asynccontextmanager
async def staged(
    folder: Path, script: Script, *, size: int = FILM_BYTES, upload_limit: int = 0
) -> AsyncGenerator[Stage]:
    """Set the world up below ``folder`` for the time of the block.

    Args:
        folder: an existing, empty folder for the seeded files.
        script: what the model says.
        size: bytes of the real release's video.
        upload_limit: bytes per second that the seeder gives; 0 for as many as it can.
    """
    video = await anyio.to_thread.run_sync(_write_release, folder / RELEASE, size)
    fake = await anyio.to_thread.run_sync(_fake_torrent, folder)
    async with (
        tracking() as tracker,
        seeding(folder / RELEASE, tracker=tracker, upload_limit=upload_limit) as seed,
    ):
        offers = _offers(seed.torrent_bytes, fake, size)
        async with (
            serving_indexer(offers) as indexer,
            serving_metadata() as metadata,
            scripted_model(script) as model,
        ):
            yield Stage(indexer, metadata, model, seed, offers, video)


def _write_release(folder: Path, size: int) -> str:
    folder.mkdir()
    stretched(Sample.FILM_1080P, folder / f"{RELEASE}.mkv", size)
    (folder / f"{RELEASE}.en.srt").write_text(SUBTITLE, encoding="utf-8")
    return f"{RELEASE}/{RELEASE}.mkv"


def _fake_torrent(folder: Path) -> bytes:
    """A release whose one file is a program in disguise; its bytes are ours and do nothing."""
    fake = folder / "fake" / "Sintel.2010.1080p.BluRay.x265-FAKE"
    fake.mkdir(parents=True)
    (fake / "Sintel.2010.1080p.BluRay.x265-FAKE.mkv.exe").write_bytes(b"not a program" * 1000)
    return make_torrent(fake)


def _offers(real: bytes, fake: bytes, size: int) -> tuple[Offer, ...]:
    """All claim to be Sintel, as a careless indexer has it."""
    return (
        Offer(RELEASE, size, seeders=25, peers=31, torrent=real, tmdb_id=SINTEL),
        Offer("Sintel.2010.1080p.BluRay.x265-FAKE", GB, 4, torrent=fake, tmdb_id=SINTEL),
        Offer("Sintel.2010.HDCAM.x264-NOPE", GB // 2, 90, torrent=fake, tmdb_id=SINTEL),
        Offer("Sintel.2010.1080p.BluRay.x264-BULK", 60 * GB, 12, torrent=fake, tmdb_id=SINTEL),
        Offer("Sintel.2010.1080p.WEB-DL.x264-GONE", GB, 0, torrent=fake, tmdb_id=SINTEL),
        Offer("Sintel.1994.1080p.BluRay.x264-OTHER", GB, 40, torrent=fake, tmdb_id=SINTEL),
        Offer("Big.Buck.Bunny.2008.1080p.BluRay.x264", GB, 33, torrent=fake, tmdb_id=SINTEL),
    )
