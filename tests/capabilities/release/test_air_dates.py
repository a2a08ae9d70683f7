"""What is opened is judged by the air dates of its season, as what is searched for is."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.kernel.context import Context
from capabilities.release.air_dates import with_air_dates
from capabilities.release.standard import Standard, standard
from tests.scene import KEY, Scene
from tests.stage_set import catalogue_of
from world.indexer_feed import Offer
from world.metadata import serving_metadata
from world.metadata_works import KnownSeries, load_works
from world.stage import GB

SERIES = 900_710
TITLE = "Signal.Hill.2019.S02.1080p.WEB-DL.x264-OPEN"
LANTERN = "tmdb:series:900001"


def running(scene: Scene) -> KnownSeries:
    """A series whose second season has an episode that is to be aired yet."""
    (lantern,) = (one for one in load_works().series if one.id == 900_001)
    first, second = lantern.seasons[-2:]
    *aired, last = second.episodes
    day = (scene.ledger.now() + timedelta(days=10)).date().isoformat()
    episodes = (*aired, last.model_copy(update={"air_date": day}))
    changed = {
        "id": SERIES,
        "imdb_id": "tt99000710",
        "tvdb_id": 990_710,
        "title": "Signal Hill",
        "original_title": "Signal Hill",
        "alternative_titles": (),
        "translations": (),
        "seasons": (first, second.model_copy(update={"episodes": episodes})),
    }
    return lantern.model_copy(update=changed)


@asynccontextmanager
async def on_the_air(scene: Scene) -> AsyncGenerator[tuple[Scene, str]]:
    """A house that knows the series, and a pack that was identified after a search for words."""
    torrent = scene.stage.seed.torrent_bytes
    pack = Offer(TITLE, GB // 4, torrent=torrent, tmdb_id=SERIES, season=2, categories=(5040,))
    async with serving_metadata() as metadata, scene.offering(pack) as offered:
        metadata.know(running(scene))
        told = catalogue_of(scene.base, credential=metadata.token, address=metadata.address)
        house = offered.having(told)
        release = (await house.candidates(query="Signal Hill"))[TITLE]["release"]
        assert (await house.answer("identity.resolve", release=release))["accepted"]
        yield house, release


def unaired(judged: dict[str, Any]) -> list[str]:
    return [each["sentence"] for each in judged["rules"] if each["rule"] == "unaired"]


@pytest.mark.anyio
async def test_a_season_that_is_still_on_the_air_is_told_when_it_is_opened(scene: Scene) -> None:
    async with on_the_air(scene) as (house, release):
        judged = (await house.answer("release.inspect", release=release))["judged"]
    assert not judged["accepted"]
    assert unaired(judged)[0].startswith("it claims all of season 2, of which an episode airs on")
    assert "open" not in judged


@pytest.mark.anyio
@pytest.mark.parametrize("configured", [True, False])
async def test_a_source_that_is_silent_leaves_it_open_and_the_rest_is_told(
    scene: Scene, *, configured: bool
) -> None:
    dumb = catalogue_of(scene.base, credential="wrong")
    async with on_the_air(scene) as (house, release):
        silent = house.having(dumb) if configured else house.having(without=[Catalogue])
        judged = (await silent.answer("release.inspect", release=release))["judged"]
    assert unaired(judged) == []
    assert judged["open"].startswith("it is not known when its episodes are aired: ")
    assert judged["rules"]


async def by_work(scene: Scene, key: str) -> Standard:
    await scene.work(id_=key)
    by = await standard(await scene.work_id(key), context(scene))
    assert by is not None
    return by


def context(scene: Scene) -> Context:
    return Context(KEY, scene.ledger, scene.parts, "request", "call")


@pytest.mark.anyio
async def test_the_episodes_of_the_season_that_its_name_says_are_known(scene: Scene) -> None:
    by = await by_work(scene, LANTERN)
    aired = await with_air_dates(by, "Lantern.Street.S01E02.1080p", context(scene))
    assert by.work is not None
    assert aired.by.work is not None
    assert [bool(season.episodes) for season in by.work.seasons if season.number == 1] == [False]
    (first,) = (season for season in aired.by.work.seasons if season.number == 1)
    assert [episode.runtime_minutes for episode in first.episodes] == [24, 24, 26]


@pytest.mark.anyio
async def test_a_source_that_takes_too_long_is_not_waited_for(scene: Scene) -> None:
    by = await by_work(scene, LANTERN)
    fresh = scene.having(catalogue_of(scene.base))
    late = await with_air_dates(by, "Lantern.Street.S01", context(fresh), seconds=0)
    assert late.by is by
    assert late.open is not None
    assert late.open.endswith("their source did not answer within 0 s")


@pytest.mark.anyio
async def test_nobody_is_asked_for_the_episodes_of_a_film(scene: Scene) -> None:
    by = await by_work(scene, "tmdb:film:45745")
    nobody = scene.having(without=[Catalogue])
    aired = await with_air_dates(by, "Sintel.2010.1080p", context(nobody))
    assert (aired.by, aired.open) == (by, None)
