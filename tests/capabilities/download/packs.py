"""Packs of Lantern Street, a series of two seasons of three episodes, with real files."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from capabilities.kernel.actors import Actor
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.tiers import TIERS_V1
from ledger.stores import shelf
from tests.scene import KEY, Scene
from world.indexer_feed import Offer
from world.samples import Sample, stretched
from world.seeder import Seed, seeding
from world.stage import GB
from world.tracker import tracking

LANTERN = "tmdb:series:900001"
SEASON = "Lantern.Street.S01.1080p.WEB-DL.x264-OPEN"
SIZE = 300_000
SUBTITLE = "1\n00:00:01,000 --> 00:00:03,000\nThe lamp is out.\n"


def episode(number: int, season: int = 1) -> str:
    """The name of an episode's file, without ending."""
    return f"Lantern.Street.S{season:02}E{number:02}.1080p.WEB-DL.x264-OPEN"


def written(folder: Path, title: str = SEASON, names: tuple[str, ...] = ()) -> Path:
    """A pack of these videos, each with a subtitle: the three of the first season by default."""
    source = folder / title
    source.mkdir(parents=True)
    for seed, name in enumerate(names or tuple(map(episode, (1, 2, 3)))):
        stretched(Sample.EPISODE_720P, source / f"{name}.mkv", SIZE, seed=seed)
        (source / f"{name}.en.srt").write_text(SUBTITLE, encoding="utf-8")
    return source


@asynccontextmanager
async def offered(scene: Scene, source: Path) -> AsyncGenerator[tuple[Scene, Seed]]:
    """The house, with an indexer that offers the pack and a seeder that has it."""
    tiers = tuple(replace(t, least_per_minute=None, most_per_minute=None) for t in TIERS_V1)
    await scene.publish(AcquisitionPolicy(tiers=tiers))
    async with tracking() as tracker, seeding(source, tracker=tracker) as seed:
        torrent = seed.torrent_bytes
        offer = Offer(source.name, GB, torrent=torrent, tmdb_id=900001, categories=(5040,))
        async with scene.offering(offer) as house:
            yield house, seed


async def held(scene: Scene, *episodes: int, season: int = 1) -> None:
    """Put episodes on the shelf."""
    work = await scene.id_of(await scene.work(id_=LANTERN))
    for number in episodes:
        await scene.write(
            lambda tx, number=number: shelf.move_slot(
                tx, work, season, number, state="satisfied", asset_id=None
            )
        )


async def identified(house: Scene, by: Actor = KEY) -> str:
    """A reference of the one release that is offered, taken for the series."""
    work = await house.work(by, id_=LANTERN)
    (release,) = (await house.candidates(by, work=work)).values()
    assert (await house.answer("identity.resolve", by, release=release["release"]))["accepted"]
    return str(release["release"])
