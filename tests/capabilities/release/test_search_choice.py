from pathlib import Path
from typing import Any

import pytest

from capabilities.kernel.outcomes import Succeeded
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from tests.capabilities.release.signal_hill import (
    SHOW,
    ended,
    held,
    hill,
    on_offer,
    on_the_air,
    searched,
    takes,
)
from tests.scene import Scene
from tests.stage_set import catalogue_of
from world.indexer_feed import Offer
from world.metadata import serving_metadata
from world.metadata_parts import GroupedEpisode, KnownGroup, KnownOrder
from world.seeder import make_torrent
from world.stage import GB, RELEASE


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
        metadata.know(on_the_air(scene.ledger.now().date()))
        told = catalogue_of(scene.base, credential=metadata.token, address=metadata.address)
        running = house.having(told)
        work = await running.work(id_="tmdb:series:900700")
        found = await running.candidates(work=work, season=season)
    assert not found[pack.title]["accepted"]
    assert reasons(found[pack.title])["unaired"].startswith("it claims all of season 1")
    assert "unaired" not in reasons(found[aired.title])


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
    assert taken["take"]["sentence"] == f"brings the film: {taken['size_gb']:.2f} GB"
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
    singles = [on_offer(scene, f"S01E0{number}", 0.3, episode=number) for number in range(1, 5)]
    pack = on_offer(scene, "S01", 1)
    async with hill(scene, ended(4), pack, *singles) as house:
        whole = await searched(house)
        await held(house, 1, 2, 3)
        rest = await searched(house)
        await held(house, 4)
        nothing = await searched(house)
    assert takes(whole) == {"S01": ["S01"]}
    passed = [each["passed_over"] for each in whole["candidates"] if "passed_over" in each]
    assert f"S01E03 is taken from {pack.title}" in passed
    assert rest["choice"]["missing"]["targets"]["names"] == ["S01E04"]
    assert list(takes(rest).values()) == [["S01E04"]]
    assert (takes(nothing), nothing["choice"]["missing"]["open"]) == ({}, False)


def _torrent(folder: Path, said: str) -> bytes:
    """A torrent of its own, with one file."""
    path = folder / f"Signal.Hill.{said}.1080p.WEB-DL.x264-OPEN.mkv"
    path.write_bytes(said.encode() * 50_000)
    return make_torrent(path)


@pytest.mark.anyio
async def test_what_is_to_be_taken_while_a_part_is_on_its_way_can_be_planned(
    scene: Scene, tmp_path: Path
) -> None:
    """SUB-01d: a single episode is on its way, and the cheapest for the rest is the pack."""
    first, *rest = [
        on_offer(scene, said, 0.9, episode=one, torrent=_torrent(tmp_path, said))
        for one in range(1, 5)
        for said in [f"S01E0{one}"]
    ]
    pack = on_offer(scene, "S01", 1.2)
    async with hill(scene, ended(4), first, *rest) as house:
        (release,) = [
            each["release"]
            for each in (await searched(house))["candidates"]
            if each["title"] == first.title
        ]
        await house.answer("identity.resolve", release=release)
        plan = (await house.answer("download.plan", release=release))["plan"]
        await house.approved("download.submit", plan=plan)
        await house.answer("download.submit", plan=plan)
    async with hill(scene, ended(4), first, pack, *rest) as house:
        found = await searched(house)
        for each in found["candidates"]:
            if "take" in each:
                await house.answer("identity.resolve", release=each["release"])
                await house.answer("download.plan", release=each["release"])
    assert takes(found) == {f"S01E0{one}": [f"S01E0{one}"] for one in range(2, 5)}
    (passed,) = [each for each in found["candidates"] if each["title"] == pack.title]
    assert passed["passed_over"] == (
        f"S01E01 is on its way already; S01E02-E04 is taken from {rest[0].title} and 2 more"
    )


@pytest.mark.anyio
async def test_what_the_owner_wants_to_be_asked_about_is_not_to_be_taken(scene: Scene) -> None:
    await scene.publish(IdentityPolicy(accepted=(Grade.A,)))
    offer = Offer(RELEASE, GB // 3, torrent=scene.stage.seed.torrent_bytes)
    async with scene.offering(offer) as house:
        found = await house.answer("release.search", work=await house.work())
        (shown,) = found["candidates"]
        resolved = await house.answer("identity.resolve", release=shown["release"])
    assert (shown["identity"]["grade"], resolved["accepted"]) == ("B", False)
    assert "take" not in shown
    assert shown["passed_over"].startswith("it is not certain that it is this work")
    assert (found["choice"]["takes"], found["choice"]["uncertain"]) == (0, 1)


@pytest.mark.anyio
async def test_the_scope_of_the_question_bounds_what_is_missing(scene: Scene) -> None:
    offers = [on_offer(scene, "S01"), on_offer(scene, "S02", season=2)]
    async with hill(scene, ended(3, 2), *offers) as house:
        everything = await searched(house, season=None)
        one = await searched(house, episode=2)
    assert everything["choice"]["missing"]["targets"]["names"] == ["S01", "S02"]
    assert takes(everything) == {"S01": ["S01"], "S02": ["S02"]}
    assert one["choice"]["missing"]["targets"]["names"] == ["S01E02"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"season": 9}, "its metadata source does not know season 9: it has 1, 2"),
        ({"episode": 7}, "season 1 has no episode 7 that is known: it has 3"),
    ],
)
async def test_what_the_source_does_not_know_is_said_plainly_and_is_not_missing(
    scene: Scene, given: dict[str, Any], said: str
) -> None:
    async with hill(scene, ended(3, 2), on_offer(scene, "S01")) as house:
        work = await house.work(id_=f"tmdb:series:{SHOW}")
        asked: dict[str, Any] = {"season": 1, **given}
        outcome = await house.call("release.search", work=work, **asked)
    assert isinstance(outcome, Succeeded)
    data: Any = outcome.data
    assert (data.choice.unknown, data.choice.missing.targets.count) == (said, 0)
    assert f"Nothing is known to be missing: {said}." in outcome.sentence
    assert "More may come" not in outcome.sentence


@pytest.mark.anyio
async def test_what_nobody_offers_is_told_as_uncovered(scene: Scene) -> None:
    async with hill(scene, ended(3), on_offer(scene, "S01E02", episode=2)) as house:
        found = await searched(house)
    assert takes(found) == {"S01E02": ["S01E02"]}
    assert found["choice"]["uncovered"] == {
        "count": 2,
        "names": ["S01E01", "S01E03"],
        "left_out": 0,
    }


@pytest.mark.anyio
async def test_what_is_to_be_taken_is_shown_before_what_ranks_higher(scene: Scene) -> None:
    spare = [
        on_offer(scene, "S01E01", 0.2, episode=1, seeders=900 + n, tags=(f"n{n}",)) for n in (1,)
    ]
    offers = [on_offer(scene, f"S01E0{number}", episode=number) for number in (1, 2)]
    async with hill(scene, ended(2), *spare, *offers) as house:
        found = await searched(house, limit=2)
        less = await searched(house, limit=1)
    assert len(takes(found)) == 2
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
    async with hill(scene, ended(3, 3, orders=(order,)), offer) as house:
        (counted,) = (await searched(house, season=2))["candidates"]
    async with hill(scene, ended(3, 3), offer) as house:
        (unknown,) = (await searched(house, season=2))["candidates"]
    assert counted["take"]["targets"]["names"] == ["S02E02"]
    assert "take" not in unknown
