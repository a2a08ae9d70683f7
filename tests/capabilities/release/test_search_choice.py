from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded
from capabilities.rules.policy import AcquisitionPolicy
from ledger.stores import shelf
from tests.scene import KEY, OWNER, Scene
from tests.stage_set import catalogue_of
from world.indexer_feed import Offer
from world.metadata import serving_metadata
from world.metadata_parts import (
    GroupedEpisode,
    KnownEpisode,
    KnownGroup,
    KnownOrder,
    KnownSeason,
)
from world.metadata_works import KnownSeries
from world.stage import GB, RELEASE, SINTEL


def reasons(candidate: dict[str, Any]) -> dict[str, str]:
    return {each["rule"]: each["sentence"] for each in candidate["reasons"]}


@pytest.mark.anyio
async def test_a_series_is_searched_by_season_and_episode(scene: Scene) -> None:
    offers = [
        Offer(
            f"Lantern.Street.S01E0{number}.1080p.WEB-DL.x264-OPEN",
            GB // 4,
            torrent=scene.stage.seed.torrent_bytes,
            tmdb_id=900001,
            season=1,
            episode=number,
            categories=(5040,),
        )
        for number in (1, 2)
    ]
    work = await scene.work(id_="tmdb:series:900001")
    async with scene.offering(*offers) as series:
        found = await series.candidates(work=work, season=1, episode=2)
    assert list(found) == [offers[1].title]
    assert found[offers[1].title]["identity"]["verdict"] == "same"


def _running(today: date) -> KnownSeries:
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


@pytest.mark.anyio
@pytest.mark.parametrize("season", [1, None])
async def test_a_pack_of_a_season_that_is_still_on_the_air_is_refused(
    scene: Scene, season: int | None
) -> None:
    pack, aired = (
        Offer(
            f"Signal.Hill.{said}.1080p.WEB-DL.x264-OPEN",
            GB // 4,
            torrent=scene.stage.seed.torrent_bytes,
            tmdb_id=900_700,
            season=1,
            categories=(5040,),
        )
        for said in ("S01", "S01E01")
    )
    async with serving_metadata() as metadata, scene.offering(pack, aired) as house:
        metadata.know(_running(scene.ledger.now().date()))
        told = catalogue_of(scene.base, credential=metadata.token, address=metadata.address)
        running = house.having(told)
        work = await running.work(id_="tmdb:series:900700")
        found = await running.candidates(work=work, season=season)
    assert not found[pack.title]["accepted"]
    assert reasons(found[pack.title])["unaired"].startswith("it claims all of season 1")
    assert "unaired" not in reasons(found[aired.title])


SHOW = 900_701
LONG_AGO = date(2020, 1, 6)


def _ended(*totals: int, orders: tuple[KnownOrder, ...] = ()) -> KnownSeries:
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
    plain = _running(LONG_AGO).model_dump()
    changed = {"id": SHOW, "imdb_id": "tt99000701", "tvdb_id": 990_701}
    return KnownSeries.model_validate(
        {**plain, **changed, "seasons": seasons, "episode_groups": orders}
    )


def _offer(scene: Scene, said: str, gb: float = 0.25, **more: Any) -> Offer:
    title = f"Signal.Hill.{said}.1080p.WEB-DL.x264-OPEN"
    torrent = scene.stage.seed.torrent_bytes
    given: dict[str, Any] = {"tmdb_id": SHOW, "season": 1, "categories": (5040,), **more}
    return Offer(title, round(gb * GB), torrent=torrent, **given)


@asynccontextmanager
async def _house(scene: Scene, show: KnownSeries, *offers: Offer) -> AsyncGenerator[Scene]:
    """The house with a series, and with what one indexer offers of it."""
    async with serving_metadata() as metadata, scene.offering(*offers) as house:
        metadata.know(show)
        told = catalogue_of(scene.base, credential=metadata.token, address=metadata.address)
        yield house.having(told)


async def _searched(house: Scene, **given: Any) -> dict[str, Any]:
    work = await house.work(id_=f"tmdb:series:{SHOW}")
    asked: dict[str, Any] = {"work": work, "season": 1, **given}
    return await house.answer("release.search", **asked)


def _takes(found: dict[str, Any]) -> dict[str, list[str]]:
    return {
        each["title"].split(".")[2]: each["take"]["targets"]["names"]
        for each in found["candidates"]
        if "take" in each
    }


async def _held(scene: Scene, *episodes: int) -> None:
    """Put episodes of the first season on the shelf."""
    work = await scene.id_of(await scene.work(id_=f"tmdb:series:{SHOW}"))
    for episode in episodes:
        await scene.write(
            lambda tx, episode=episode: shelf.move_slot(
                tx, work, 1, episode, state="satisfied", asset_id=None
            )
        )


@pytest.mark.anyio
async def test_one_release_of_a_film_is_to_be_taken_and_the_others_say_why_not(
    scene: Scene,
) -> None:
    found = await scene.answer("release.search", work=await scene.work())
    choice = found["choice"]
    assert choice["missing"]["targets"] == {"count": 1, "names": ["film"], "left_out": 0}
    assert (choice["takes"], choice["uncovered"]["count"]) == (1, 0)
    (taken,) = [each for each in found["candidates"] if "take" in each]
    assert taken["title"] == RELEASE
    assert taken["take"]["sentence"].startswith("brings the film at ")
    others = [each for each in found["candidates"] if each["accepted"] and "take" not in each]
    assert {each["passed_over"] for each in others} <= {f"the film is taken from {RELEASE}"}


@pytest.mark.anyio
async def test_words_ask_for_nothing_that_could_be_missing(scene: Scene) -> None:
    found = await scene.answer("release.search", query="Sintel 1080p")
    assert "choice" not in found
    assert not any({"take", "passed_over"} & each.keys() for each in found["candidates"])


@pytest.mark.anyio
async def test_what_is_on_its_way_is_not_missing_and_the_answer_says_so(scene: Scene) -> None:
    await scene.submitted()
    outcome = await scene.call("release.search", work=await scene.work())
    assert isinstance(outcome, Succeeded)
    assert "Nothing of it is missing now." in outcome.sentence
    data: Any = outcome.data
    assert (data.choice.missing.targets.count, data.choice.takes) == (0, 0)


@pytest.mark.anyio
async def test_a_pack_is_taken_where_a_season_is_missing_and_singles_where_little_is(
    scene: Scene,
) -> None:
    singles = [_offer(scene, f"S01E0{number}", 0.3, episode=number) for number in range(1, 5)]
    pack = _offer(scene, "S01", 1)
    async with _house(scene, _ended(4), pack, *singles) as house:
        whole = await _searched(house)
        await _held(house, 1, 2, 3)
        rest = await _searched(house)
        await _held(house, 4)
        nothing = await _searched(house)
    assert _takes(whole) == {"S01": ["S01"]}
    passed = [each["passed_over"] for each in whole["candidates"] if "passed_over" in each]
    assert f"S01E03 is taken from {pack.title}" in passed
    assert rest["choice"]["missing"]["targets"]["names"] == ["S01E04"]
    assert list(_takes(rest).values()) == [["S01E04"]]
    assert (_takes(nothing), nothing["choice"]["missing"]["open"]) == ({}, False)


@pytest.mark.anyio
async def test_the_scope_of_the_question_bounds_what_is_missing(scene: Scene) -> None:
    offers = [_offer(scene, "S01"), _offer(scene, "S02", season=2)]
    async with _house(scene, _ended(3, 2), *offers) as house:
        everything = await _searched(house, season=None)
        one = await _searched(house, episode=2)
        unknown = await _searched(house, season=9)
    assert everything["choice"]["missing"]["targets"]["names"] == ["S01", "S02"]
    assert _takes(everything) == {"S01": ["S01"], "S02": ["S02"]}
    assert one["choice"]["missing"]["targets"]["names"] == ["S01E02"]
    assert unknown["choice"]["missing"]["targets"]["count"] == 0
    assert unknown["choice"]["missing"]["remarks"] == [
        "season 9: the metadata source does not know it"
    ]


@pytest.mark.anyio
async def test_what_nobody_offers_is_told_as_uncovered(scene: Scene) -> None:
    async with _house(scene, _ended(3), _offer(scene, "S01E02", episode=2)) as house:
        found = await _searched(house)
    assert _takes(found) == {"S01E02": ["S01E02"]}
    assert found["choice"]["uncovered"] == {
        "count": 2,
        "names": ["S01E01", "S01E03"],
        "left_out": 0,
    }


@pytest.mark.anyio
async def test_what_is_to_be_taken_is_shown_before_what_ranks_higher(scene: Scene) -> None:
    spare = [
        _offer(scene, "S01E01", 0.2, episode=1, seeders=900 + n, tags=(f"n{n}",)) for n in (1,)
    ]
    offers = [_offer(scene, f"S01E0{number}", episode=number) for number in (1, 2)]
    async with _house(scene, _ended(2), *spare, *offers) as house:
        found = await _searched(house, limit=2)
        less = await _searched(house, limit=1)
    assert len(_takes(found)) == 2
    assert found["choice"]["takes_left_out"] == 0
    assert (less["choice"]["takes"], less["choice"]["takes_left_out"]) == (2, 1)


@pytest.mark.anyio
async def test_absolute_numbers_stand_where_the_metadata_source_puts_them(scene: Scene) -> None:
    run = tuple(
        GroupedEpisode(season_number=season, episode_number=number)
        for season in (1, 2)
        for number in (1, 2, 3)
    )
    group = KnownGroup(name="All", order=1, episodes=run)
    order = KnownOrder(id="a1", name="Absolute", type=2, groups=(group,))
    torrent = scene.stage.seed.torrent_bytes
    title = "[OPEN] Signal Hill - 05 [1080p][WEB-DL]"
    offer = Offer(title, GB // 4, torrent=torrent, tmdb_id=SHOW, season=2, categories=(5040,))
    async with _house(scene, _ended(3, 3, orders=(order,)), offer) as house:
        (counted,) = (await _searched(house, season=2))["candidates"]
    async with _house(scene, _ended(3, 3), offer) as house:
        (unknown,) = (await _searched(house, season=2))["candidates"]
    assert counted["take"]["targets"]["names"] == ["S02E02"]
    assert "take" not in unknown


async def _delayed(scene: Scene, minutes_ago: int) -> tuple[Offer, datetime]:
    """An offer of the film under a policy that lets releases wait for two hours."""
    await scene.publish(AcquisitionPolicy(delay_minutes=120))
    published = scene.ledger.now().replace(microsecond=0) - timedelta(minutes=minutes_ago)
    torrent = scene.stage.seed.torrent_bytes
    offer = Offer(RELEASE, GB // 3, torrent=torrent, tmdb_id=SINTEL, published=published)
    return offer, published + timedelta(hours=2)


@pytest.mark.anyio
async def test_what_waits_is_shown_with_its_time(scene: Scene) -> None:
    offer, ready = await _delayed(scene, 30)
    async with scene.offering(offer) as house:
        found = await house.answer("release.search", work=await house.work())
    (shown,) = found["candidates"]
    (waits,) = found["choice"]["waiting"]
    assert not shown["accepted"]
    assert (waits["release"], waits["targets"]["names"]) == (shown["release"], ["film"])
    assert waits["until"] == ready.isoformat(timespec="minutes")
    assert found["choice"]["uncovered"]["count"] == 0


@pytest.mark.anyio
async def test_an_owner_who_searches_lifts_the_delay_for_nobody_else(scene: Scene) -> None:
    offer, ready = await _delayed(scene, 30)
    async with scene.offering(offer) as house:
        release = await house.identified()
        (hers,) = (await house.candidates(OWNER)).values()
        refused = await house.refusal(Code.PRECONDITION, "download.plan", release=release)
        assert await house.answer("download.plan", OWNER, release=await house.id_of(release))
    assert hers["accepted"]
    assert hers["take"]["targets"]["names"] == ["film"]
    assert f"it waits for better ones until {ready:%Y-%m-%d %H:%M}" in refused.sentence
    assert refused.needs["ready_at"] == ready.isoformat(timespec="seconds")


@pytest.mark.anyio
async def test_a_delay_that_is_over_refuses_no_plan(scene: Scene) -> None:
    offer, _ = await _delayed(scene, 30)
    async with scene.offering(offer) as house:
        release = await house.identified()
        await house.refusal(Code.PRECONDITION, "download.plan", release=release)
        scene.base.time.ahead = timedelta(minutes=91)
        assert await house.answer("download.plan", KEY, release=release)
