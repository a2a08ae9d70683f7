"""Of a pack only what the library lacks is planned, and what is not fetched is named."""

from pathlib import Path
from typing import Any

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded
from tests.capabilities.download.packs import (
    SEASON,
    SIZE,
    episode,
    held,
    identified,
    offered,
    written,
)
from tests.scene import IMPORT, KEY, OWNER, Scene

PLAN = "download.plan"


async def planned(
    scene: Scene, source: Path, by: Actor = KEY
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """What a plan for the pack says, its payload and its card."""
    async with offered(scene, source) as (house, _):
        outcome = await house.call(PLAN, by, release=await identified(house, by))
    assert isinstance(outcome, Succeeded), outcome
    plan = await scene.plan(await scene.id_of(outcome.data.model_dump()["plan"], by))
    return outcome.sentence, plan.payload, plan.card


def names(payload: dict[str, Any]) -> list[str]:
    return sorted(file["path"].removeprefix(f"{SEASON}/") for file in payload["files"])


def episodes(payload: dict[str, Any]) -> list[tuple[int, int]]:
    return [(slot["season"], slot["episode"]) for slot in payload["slots"]]


@pytest.mark.anyio
async def test_what_the_library_has_of_a_pack_is_not_fetched_again(
    scene: Scene, tmp_path: Path
) -> None:
    await held(scene, 1)
    source = written(tmp_path)
    (source / "readme.txt").write_text("read me", encoding="utf-8")
    async with offered(scene, source) as (house, _):
        drafted = await house.answer(PLAN, release=await identified(house))
    plan = await scene.plan(await scene.id_of(drafted["plan"]))
    payload = plan.payload
    wanted = [f"{episode(number)}.{ending}" for number in (2, 3) for ending in ("en.srt", "mkv")]
    assert names(payload) == wanted
    assert episodes(payload) == [(1, 2), (1, 3)]
    assert payload["size"] == sum(file["size"] for file in payload["files"]) < 3 * SIZE
    rest = [f"{episode(1)}.mkv", f"{episode(1)}.en.srt", "readme.txt"]
    assert (payload["files_left_out"], drafted["not_fetched_in_all"]) == (3, 3)
    assert {path.removeprefix(f"{SEASON}/") for path in drafted["not_fetched"]} == set(rest)
    assert drafted["size_gb"] == round(payload["size"] / 1e9, 3)
    assert plan.card["files"] == 4
    assert plan.card["changes"][-2:] == [
        "1 of 3 episodes are in the library already, and stay as they are",
        f"4 of 7 files are fetched; 0.00 GB are not: {', '.join(rest)}",
    ]
    # the indexer's claim is about the whole torrent
    assert "the torrent holds 0.90 MB" in plan.card["from"]["doubts"][0]


@pytest.mark.anyio
async def test_a_pack_of_which_nothing_is_there_is_fetched_whole(
    scene: Scene, tmp_path: Path
) -> None:
    sentence, payload, card = await planned(scene, written(tmp_path))
    assert (len(payload["files"]), payload["files_left_out"]) == (6, 0)
    assert episodes(payload) == [(1, 1), (1, 2), (1, 3)]
    assert sentence == f"Drafted: {card['title']}."


@pytest.mark.anyio
async def test_a_pack_is_not_for_an_episode_that_it_does_not_hold(
    scene: Scene, tmp_path: Path
) -> None:
    source = written(tmp_path, names=(episode(1), episode(3)))
    sentence, payload, _ = await planned(scene, source)
    assert episodes(payload) == [(1, 1), (1, 3)]
    assert sentence.endswith(" It does not hold S01E02.")


@pytest.mark.anyio
async def test_files_of_other_episodes_than_its_name_says_are_left_out(
    scene: Scene, tmp_path: Path
) -> None:
    source = written(tmp_path, names=(episode(1), episode(2), episode(1, season=2)))
    sentence, payload, _ = await planned(scene, source)
    assert episodes(payload) == [(1, 1), (1, 2)]
    assert len(names(payload)) == 4
    assert f"not: {episode(1, season=2)}.mkv, {episode(1, season=2)}.en.srt" in sentence


@pytest.mark.anyio
async def test_a_name_that_says_no_numbers_is_for_what_its_files_are(
    scene: Scene, tmp_path: Path
) -> None:
    await held(scene, 1, season=2)
    title = "Lantern.Street.COMPLETE.1080p.WEB-DL.x264-OPEN"
    source = written(tmp_path, title, (episode(1), episode(1, season=2), episode(2, season=2)))
    _, payload, _ = await planned(scene, source, OWNER)
    assert episodes(payload) == [(1, 1), (2, 2)]
    assert payload["files_left_out"] == 2


@pytest.mark.anyio
async def test_a_pack_with_a_file_that_cannot_be_told_is_fetched_whole_and_it_is_said(
    scene: Scene, tmp_path: Path
) -> None:
    await held(scene, 1)
    source = written(tmp_path, names=(episode(1), episode(2), "Lantern.Street.The.Lost.Reel"))
    sentence, payload, card = await planned(scene, source)
    assert (len(payload["files"]), payload["files_left_out"]) == (6, 0)
    assert episodes(payload) == [(1, 2), (1, 3)]
    said = "It is fetched whole: which episode is in Lantern.Street.The.Lost.Reel.mkv is not known"
    assert card["changes"][-1] == said
    assert sentence.endswith(f"{said}.")


@pytest.mark.anyio
async def test_only_the_owner_plans_a_pack_whose_files_are_of_other_episodes(
    scene: Scene, tmp_path: Path
) -> None:
    source = written(tmp_path, names=(episode(1, season=2), episode(2, season=2)))
    async with offered(scene, source) as (house, _):
        release = await identified(house)
        refused = await house.refusal(Code.PRECONDITION, PLAN, release=release)
        drafted = await house.answer(PLAN, OWNER, release=await house.id_of(release))
    assert refused.sentence == (
        "Its files are of other episodes, S02E01, S02E02 than its name says."
    )
    plan = await scene.plan(await scene.id_of(drafted["plan"], OWNER))
    assert episodes(plan.payload) == [(2, 1), (2, 2)]


@pytest.mark.anyio
async def test_without_a_metadata_source_nothing_is_chosen_and_the_owner_fetches_all(
    scene: Scene, tmp_path: Path
) -> None:
    await held(scene, 1)
    async with offered(scene, written(tmp_path)) as (house, _):
        release = await identified(house)
        bare = house.having(without=[Catalogue])
        refused = await bare.refusal(Code.PRECONDITION, PLAN, release=release)
        drafted = await bare.answer(PLAN, OWNER, release=await house.id_of(release))
    assert "metadata source" in refused.sentence
    assert (len(drafted["files"]), drafted["not_fetched"]) == (6, [])
    plan = await scene.plan(await scene.id_of(drafted["plan"], OWNER))
    assert plan.card["changes"][-1].endswith(f"{episode(3)}.mkv is not known")


@pytest.mark.anyio
async def test_the_two_episodes_that_are_missing_are_fetched_and_come_onto_the_shelf(
    scene: Scene, tmp_path: Path
) -> None:
    await held(scene, 1)
    async with offered(scene, written(tmp_path)) as (house, seed):
        plan = (await house.answer(PLAN, release=await identified(house)))["plan"]
        await house.approved("download.submit", KEY, plan=plan)
        answer = await house.answer("download.submit", plan=plan)
        row = await house.download(await house.id_of(answer["download"]))
        transfer = await house.until_complete(row.info_hash)
        assert seed.given_bytes < 3 * SIZE
    payload = (await scene.plan(row.plan)).payload
    fetched = sorted(file["index"] for file in payload["files"])
    assert [file.index for file in transfer.files if file.wanted] == fetched
    assert transfer.wanted_bytes == row.size == payload["size"]
    there = {file.name for file in (scene.folders.downloads / SEASON).iterdir()}
    assert there == set(names(payload))
    made = await scene.answer("organize.plan", IMPORT, download=row.id)
    assert made["left"] == []
    await scene.answer("organize.execute", IMPORT, plan=made["plan"])
    placed = sorted(file.name for file in scene.folders.series.rglob("*") if file.is_file())
    assert [name.partition(" - ")[2][:6] for name in placed] == ["S01E02"] * 2 + ["S01E03"] * 2
    assert [(slot.episode, slot.state) for slot in await scene.slots()] == [
        (1, "satisfied"),
        (2, "satisfied"),
        (3, "satisfied"),
    ]
