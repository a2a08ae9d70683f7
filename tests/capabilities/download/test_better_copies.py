"""What a release may take the place of is planned; what is as good or better stays."""

from pathlib import Path
from typing import Any

import pytest

from capabilities.download.acquisition import acquisition, reach_of
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.rules.under_way import ACTIVE
from ledger.clock import new_id
from ledger.stores import shelf
from ledger.stores.expected import give_back
from ledger.stores.grants import Scope
from ledger.stores.plans import Plan
from ledger.stores.shelf import AssetRow
from ledger.writer import Transaction
from tests.capabilities.download.packs import (
    LANTERN,
    SEASON,
    episode,
    held,
    identified,
    offered,
    written,
)
from tests.scene import FOLDER, KEY, OWNER, Scene, run_of
from tests.shelf_rows import standing_film

PLAN, SUBMIT = "download.plan", "download.submit"
OLD = f"{FOLDER}/Sintel (2010) - [WEBDL-720p].avi"
SAME = f"{FOLDER}/Sintel (2010) - [Bluray-1080p].avi"


async def drafted(scene: Scene, by: Actor = KEY, **more: object) -> tuple[dict[str, Any], Plan]:
    """The answer of a plan for the 1080p of the film, and the plan."""
    answer = await scene.answer(PLAN, by, release=await scene.identified(by=by), **more)
    return answer, await scene.plan(await scene.id_of(answer["plan"], by))


async def film(scene: Scene, name: str = OLD, height: int = 720) -> None:
    await scene.work()
    await standing_film(scene, name, width=height * 16 // 9, height=height)


async def standing(scene: Scene, *episodes: int, height: int = 720) -> str:
    """One file with these episodes of the first season of Lantern Street; its path."""
    work = await scene.id_of(await scene.work(id_=LANTERN))
    codes = "".join(f"E{number:02}" for number in episodes)
    name = f"Lantern Street (2019)/Season 01/Lantern Street (2019) - S01{codes} - [WEBDL-{height}p]"
    row = AssetRow(
        id=new_id("asset"),
        path=str(scene.folders.series / f"{name}.mkv"),
        work=work,
        season=1,
        episode=episodes[0],
        quality="",
        size=250_000_000,
        device=1,
        inode=episodes[0],
        streams={"width": height * 16 // 9, "height": height},
        record="adopted",
        seen_at=scene.ledger.now(),
    )

    def write(tx: Transaction) -> None:
        shelf.put_asset(tx, row)
        for number in episodes:
            shelf.move_slot(tx, work, 1, number, state="satisfied", asset_id=row.id)

    await scene.write(write)
    return f"{name}.mkv"


def wanted(plan: Plan) -> tuple[list[int], list[str], list[str]]:
    """Its episodes, the videos that are fetched, and the files that go."""
    slots = [slot["episode"] for slot in plan.payload["slots"]]
    files = [file["path"].rpartition("/")[2] for file in plan.payload["files"]]
    videos = sorted(name.removesuffix(".mkv") for name in files if name.endswith(".mkv"))
    return slots, videos, [file["path"] for file in plan.payload.get("replaces", [])]


@pytest.mark.anyio
async def test_a_draft_of_a_better_copy_names_what_goes_for_it(scene: Scene) -> None:
    await film(scene)
    answer, plan = await drafted(scene)
    size = (scene.folders.films / OLD).stat().st_size
    assert (answer["mode"], answer["requires_approval"]) == ("replace", True)
    assert answer["replaces"] == [
        {"path": OLD, "quality": "WEBDL-720p", "size_gb": round(size / 1e9, 3)}
    ]
    (asset,) = await scene.read(shelf.assets)
    assert plan.payload["replaces"] == [
        {"asset": asset.id, "path": OLD, "quality": "WEBDL-720p", "size": size}
    ]
    assert plan.payload["import"]["replace"] is True
    assert "replace_anyway" not in plan.payload["import"]
    assert acquisition(plan).payload() == plan.payload
    placed, goes = plan.card["changes"][1:]
    assert placed == (
        "then placed in Films by hardlink; it replaces 1 file, into the recycle folder, once it "
        "stands: that is asked again then, unless a grant lets files be replaced"
    )
    assert goes == (
        "Sintel (2010) - [WEBDL-720p].avi (WEBDL-720p, 0.00 GB) is replaced, an upgrade: this is "
        "Bluray-1080p, score 0, and there is WEBDL-720p, score 0: its quality is better, and "
        "upgrades go on to there"
    )


@pytest.mark.anyio
async def test_only_a_grant_that_lets_files_be_replaced_covers_it(scene: Scene) -> None:
    await film(scene)
    await scene.grant(SUBMIT, Scope())
    answer, plan = await drafted(scene)
    assert answer["requires_approval"]
    assert reach_of(acquisition(plan)).replaces
    await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=answer["plan"])


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, run_of("run_1"), OWNER], ids=str)
async def test_what_is_no_upgrade_is_refused_with_both_sides(scene: Scene, by: Actor) -> None:
    await film(scene, SAME, 1080)
    release = await scene.identified(by=by)
    refused = await scene.refusal(Code.PRECONDITION, PLAN, by, release=release)
    assert refused.sentence == (
        "Sintel (2010) is in the library already: it is no upgrade of Sintel (2010) - "
        "[Bluray-1080p].avi: this is Bluray-1080p, score 0, and there is Bluray-1080p, score 0: "
        "the same quality, and its score is 0, and what is here has 0."
    )
    assert refused.needs["needs"] == "replace_anyway"


@pytest.mark.anyio
async def test_what_the_picture_really_is_counts_and_not_what_the_name_says(scene: Scene) -> None:
    await film(scene, SAME, 720)
    answer, _ = await drafted(scene)
    assert answer["replaces"][0]["quality"] == "Bluray-720p"


@pytest.mark.anyio
async def test_the_owner_alone_takes_what_is_no_upgrade_and_the_card_says_so(scene: Scene) -> None:
    await film(scene, SAME, 1080)
    release = await scene.identified()
    for by in (KEY, run_of("run_1")):
        await scene.refusal(Code.DENIED, PLAN, by, release=release, replace_anyway=True)
    _, plan = await drafted(scene, OWNER, replace_anyway=True)
    assert plan.payload["import"]["replace_anyway"] is True
    assert [file["path"] for file in plan.payload["replaces"]] == [SAME]
    placed, goes = plan.card["changes"][1:]
    assert placed.endswith("; what is no upgrade is left to you to place by hand")
    assert "no upgrade, and taken all the same as you asked: this is" in goes


@pytest.mark.anyio
async def test_where_nothing_stands_there_is_nothing_to_replace_anyway(scene: Scene) -> None:
    answer, plan = await drafted(scene, OWNER, replace_anyway=True)
    assert (answer["mode"], answer["replaces"]) == ("normal", [])
    assert "replace" not in plan.payload["import"]
    assert "replaces" not in plan.payload


@pytest.mark.anyio
async def test_a_slot_of_which_nobody_knows_the_file_is_the_owners_to_fill_anew(
    scene: Scene, tmp_path: Path
) -> None:
    await held(scene, 1, 2, 3)
    async with offered(scene, written(tmp_path)) as (house, _):
        release = await identified(house, OWNER)
        refused = await house.refusal(Code.PRECONDITION, PLAN, OWNER, release=release)
        answer = await house.answer(PLAN, OWNER, release=release, replace_anyway=True)
    assert refused.sentence == "Lantern Street (2019) is in the library already."
    assert (answer["mode"], answer["replaces"]) == ("replace", [])
    plan = await scene.plan(await scene.id_of(answer["plan"], OWNER))
    assert "it replaces what stands there, into the recycle folder" in plan.card["changes"][1]


@pytest.mark.anyio
async def test_while_a_better_copy_is_on_its_way_the_slot_stays_filled_and_no_other_is_taken(
    scene: Scene,
) -> None:
    await film(scene)
    (before,) = await scene.slots()
    (first, _), (second, _) = await drafted(scene), await drafted(scene)
    await scene.approved(SUBMIT, plan=first["plan"])
    download = (await scene.answer(SUBMIT, plan=first["plan"]))["download"]
    (coming,) = await scene.slots()
    assert (coming.state, coming.asset) == ("satisfied", before.asset)
    assert coming.revision == before.revision + 1
    again = await scene.refusal(Code.CONFLICT, PLAN, release=await scene.release())
    assert "is being downloaded already" in again.sentence
    row = await scene.download(await scene.id_of(download))
    await scene.turn(row.id, "failed")
    stale = await scene.refusal(Code.CONFLICT, SUBMIT, plan=second["plan"])
    assert "it is stale" in stale.sentence
    await scene.write(lambda tx: give_back(tx, row, ACTIVE))
    assert await scene.slots() == [coming]
    assert (await drafted(scene))[0]["mode"] == "replace"


@pytest.mark.anyio
async def test_of_a_pack_the_missing_and_the_better_files_are_fetched_and_the_rest_is_not(
    scene: Scene, tmp_path: Path
) -> None:
    await standing(scene, 1, height=1080)
    old = await standing(scene, 2)
    async with offered(scene, written(tmp_path)) as (house, _):
        answer = await house.answer(PLAN, release=await identified(house))
    plan = await scene.plan(await scene.id_of(answer["plan"]))
    assert wanted(plan) == ([2, 3], [episode(2), episode(3)], [old])
    assert {Path(name).name for name in answer["not_fetched"]} == {
        f"{episode(1)}.mkv",
        f"{episode(1)}.en.srt",
    }
    said = plan.card["changes"]
    assert "1 of 3 episodes are in the library already, and stay as they are" in said
    assert any(
        line.startswith("it is no upgrade of Lantern Street (2019) - S01E01") for line in said
    )


@pytest.mark.anyio
async def test_what_is_missing_is_not_kept_waiting_by_what_no_grant_lets_be_replaced(
    scene: Scene, tmp_path: Path
) -> None:
    await standing(scene, 2)
    grant = await scene.grant(SUBMIT, Scope())
    async with offered(scene, written(tmp_path)) as (house, _):
        answer = await house.answer(PLAN, release=await identified(house))
    assert (answer["mode"], answer["covered_by"]) == ("normal", grant)
    plan = await scene.plan(await scene.id_of(answer["plan"]))
    assert wanted(plan) == ([1, 3], [episode(1), episode(3)], [])
    assert any(line.endswith("but no grant lets it be replaced") for line in plan.card["changes"])


@pytest.mark.anyio
async def test_a_pack_of_which_nothing_is_better_is_refused(scene: Scene, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        await standing(scene, number, height=1080)
    async with offered(scene, written(tmp_path)) as (house, _):
        release = await identified(house)
        refused = await house.refusal(Code.PRECONDITION, PLAN, release=release)
    assert refused.sentence.startswith("Lantern Street (2019) is in the library already: it is no")


DOUBLE = SEASON.replace("S01", "S01E01E02")


@pytest.mark.anyio
async def test_a_double_episode_replaces_two_singles_only_if_it_is_better_than_each(
    scene: Scene, tmp_path: Path
) -> None:
    first, second = await standing(scene, 1), await standing(scene, 2)
    async with offered(scene, written(tmp_path, DOUBLE, (DOUBLE,))) as (house, _):
        release = await identified(house)
        answer = await house.answer(PLAN, release=release)
        await standing(scene, 2, height=1080)
        refused = await house.refusal(Code.PRECONDITION, PLAN, release=release)
    plan = await scene.plan(await scene.id_of(answer["plan"]))
    assert wanted(plan) == ([1, 2], [DOUBLE], [first, second])
    assert "it is no upgrade of Lantern Street (2019) - S01E02 - [WEBDL-1080p]" in refused.sentence


@pytest.mark.anyio
async def test_a_double_is_not_fetched_for_one_episode_where_it_would_not_be_placed(
    scene: Scene, tmp_path: Path
) -> None:
    await standing(scene, 1, height=1080)
    async with offered(scene, written(tmp_path, DOUBLE, (DOUBLE,))) as (house, _):
        release = await identified(house)
        refused = await house.refusal(Code.PRECONDITION, PLAN, release=release)
    assert refused.sentence.startswith("Nothing of this release of Lantern Street (2019) would be")


@pytest.mark.anyio
async def test_a_single_takes_no_double_away_in_which_another_episode_would_be_lost(
    scene: Scene, tmp_path: Path
) -> None:
    await standing(scene, 1, 2)
    title = episode(1)
    async with offered(scene, written(tmp_path, title, (title,))) as (house, _):
        release = await identified(house)
        refused = await house.refusal(Code.PRECONDITION, PLAN, release=release)
    assert "holds S01E02 too, which would be lost with it" in refused.sentence
