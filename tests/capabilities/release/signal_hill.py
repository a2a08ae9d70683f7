"""A series that offers are made of, and what a search for its first season says."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from typing import Any

from ledger.stores import shelf
from tests.scene import Scene
from tests.stage_set import catalogue_of
from world.indexer_feed import Offer
from world.metadata import serving_metadata
from world.metadata_parts import KnownEpisode, KnownOrder, KnownSeason
from world.metadata_works import KnownSeries
from world.stage import GB

SHOW = 900_701
LONG_AGO = date(2020, 1, 6)


def on_the_air(today: date) -> KnownSeries:
    """A series whose only season has an episode that is to be aired yet."""
    days = [today - timedelta(days=7), today + timedelta(days=10)]
    episodes = tuple(
        KnownEpisode(
            episode_number=number, name=f"Part {number}", air_date=day.isoformat(), runtime=24
        )
        for number, day in enumerate(days, start=1)
    )
    season = KnownSeason(
        season_number=1, name="Season 1", air_date=days[0].isoformat(), episodes=episodes
    )
    return KnownSeries(
        id=900_700,
        imdb_id="tt99000700",
        tvdb_id=990_700,
        title="Signal Hill",
        original_title="Signal Hill",
        original_language="en",
        date=days[0].isoformat(),
        popularity=5.0,
        overview="",
        alternative_titles=(),
        translations=(),
        episode_run_time=(24,),
        seasons=(season,),
    )


def ended(*totals: int, orders: tuple[KnownOrder, ...] = ()) -> KnownSeries:
    """A series that ended long ago, with seasons of so many episodes."""
    seasons = tuple(
        KnownSeason(
            season_number=number,
            name=f"Season {number}",
            air_date=LONG_AGO.isoformat(),
            episodes=tuple(
                KnownEpisode(
                    episode_number=one,
                    name=f"Part {one}",
                    air_date=(LONG_AGO + timedelta(days=200 * number + one)).isoformat(),
                    runtime=24,
                )
                for one in range(1, total + 1)
            ),
        )
        for number, total in enumerate(totals, start=1)
    )
    plain = on_the_air(LONG_AGO).model_dump()
    changed = {"id": SHOW, "imdb_id": "tt99000701", "tvdb_id": 990_701}
    return KnownSeries.model_validate(
        {**plain, **changed, "seasons": seasons, "episode_groups": orders}
    )


def on_offer(scene: Scene, said: str, gb: float = 0.25, **more: Any) -> Offer:
    title = f"Signal.Hill.{said}.1080p.WEB-DL.x264-OPEN"
    given: dict[str, Any] = {
        "torrent": scene.stage.seed.torrent_bytes,
        "tmdb_id": SHOW,
        "season": 1,
        "categories": (5040,),
        **more,
    }
    return Offer(title, round(gb * GB), **given)


@asynccontextmanager
async def hill(scene: Scene, show: KnownSeries, *offers: Offer) -> AsyncGenerator[Scene]:
    """The house with a series, and with what one indexer offers of it."""
    async with serving_metadata() as metadata, scene.offering(*offers) as house:
        metadata.know(show)
        told = catalogue_of(scene.base, credential=metadata.token, address=metadata.address)
        yield house.having(told)


async def searched(house: Scene, **given: Any) -> dict[str, Any]:
    work = await house.work(id_=f"tmdb:series:{SHOW}")
    asked: dict[str, Any] = {"work": work, "season": 1, **given}
    return await house.answer("release.search", **asked)


def takes(found: dict[str, Any]) -> dict[str, list[str]]:
    return {
        each["title"].split(".")[2]: each["take"]["targets"]["names"]
        for each in found["candidates"]
        if "take" in each
    }


async def held(scene: Scene, *episodes: int) -> None:
    """Put episodes of the first season on the shelf."""
    work = await scene.id_of(await scene.work(id_=f"tmdb:series:{SHOW}"))
    for episode in episodes:
        await scene.write(
            lambda tx, episode=episode: shelf.move_slot(
                tx, work, 1, episode, state="satisfied", asset_id=None
            )
        )
