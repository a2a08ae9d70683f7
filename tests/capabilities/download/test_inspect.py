from pathlib import Path

import pytest

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.kernel.codes import Code
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.seeding import SeedingGoals
from tests.scene import IMPORT, SUBTITLE, VIDEO, Scene
from tests.stage_set import QUICK
from world.stage import RELEASE


@pytest.mark.anyio
async def test_the_client_is_asked_how_it_stands_now(scene: Scene) -> None:
    row = await scene.arrived()
    assert (row.state, row.done) == ("submitted", 0)
    seen = await scene.answer("download.inspect", download=row.id)
    assert (seen["state"], seen["percent"], seen["work"]) == ("seeding", 100.0, "Sintel")
    assert (seen["title"], seen["plan_state"]) == (RELEASE, "submitted")
    assert [task["kind"] for task in seen["tasks"]] == ["track"]
    assert await scene.id_of(seen["plan"]) == row.plan
    assert (seen["elsewhere"], seen["records"]) == ([], [])


@pytest.mark.anyio
async def test_it_is_found_by_reference_and_by_hash_in_any_case(scene: Scene) -> None:
    row = await scene.submitted()
    reference = (await scene.answer("download.list"))["downloads"][0]["download"]
    for name in (reference, row.info_hash, row.info_hash.upper()):
        assert (await scene.answer("download.inspect", download=name))["download"] == reference


@pytest.mark.anyio
async def test_what_stands_on_the_shelf_is_told_file_by_file(scene: Scene) -> None:
    row = await scene.arrived()
    plan = (await scene.answer("organize.plan", IMPORT, download=row.id))["plan"]
    await scene.answer("organize.execute", IMPORT, plan=plan)
    await scene.turn(row.id, "imported", completed_at=scene.ledger.now(), done=row.size)
    seen = await scene.answer("download.inspect", download=row.id)
    (record,) = seen["records"]
    assert record["state"] == "succeeded"
    assert {file["target"] for file in record["files"]} == {VIDEO, SUBTITLE}
    assert {file["source"] for file in record["files"]} == {
        f"{RELEASE}/{RELEASE}.mkv",
        f"{RELEASE}/{RELEASE}.en.srt",
    }
    assert (seen["state"], seen["percent"]) == ("imported", 100.0)
    assert seen["rate_mb_s"] >= 0


@pytest.mark.anyio
async def test_a_client_that_does_not_answer_leaves_the_record(
    scene: Scene, tmp_path: Path
) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "downloading", size=1000, done=250)
    async with open_embedded(tmp_path / "s", tmp_path, LoopbackProfile(), timing=QUICK) as closed:
        pass
    away = scene.having(Downloaders((closed,), closed.name))
    seen = await away.answer("download.inspect", download=row.id)
    assert (seen["state"], seen["percent"]) == ("downloading", 25.0)
    assert "peers" not in seen


@pytest.mark.anyio
async def test_the_same_torrent_in_another_client_is_named(scene: Scene, tmp_path: Path) -> None:
    row = await scene.submitted()
    state, files = tmp_path / "state", tmp_path / "files"
    files.mkdir()
    async with open_embedded(state, files, LoopbackProfile(), name="attic", timing=QUICK) as attic:
        await attic.add(AddRequest(scene.stage.seed.torrent_bytes, files))
        both = scene.having(Downloaders((scene.client, attic), "embedded"))
        seen = await both.answer("download.inspect", download=row.id)
    assert seen["elsewhere"] == ["attic"]


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["dl:9", "dl_of_nobody", "ab" * 20, "cd" * 32])
async def test_a_download_that_does_not_exist_is_not_found(scene: Scene, name: str) -> None:
    await scene.failure(Code.NOT_FOUND, "download.inspect", download=name)


@pytest.mark.anyio
async def test_how_far_it_is_with_seeding_is_told_in_words(scene: Scene) -> None:
    row = await scene.arrived()
    seen = await scene.answer("download.inspect", download=row.id)
    assert seen["seeding"].startswith("No goal is set; it has a ratio of 0.00 after 0 min.")
    await scene.publish(AcquisitionPolicy(seeding=SeedingGoals(ratio=2.0, minutes=600)))
    seen = await scene.answer("download.inspect", download=row.id)
    assert seen["seeding"] == (
        "It has seeded a ratio of 0.00 of 2.00 and 0 min of 10 h; one of them is enough."
    )


@pytest.mark.anyio
async def test_one_that_is_under_way_does_not_seed(scene: Scene) -> None:
    scene.stage.seed.limit(1)
    try:
        row = await scene.submitted()
        seen = await scene.answer("download.inspect", download=row.id)
    finally:
        scene.stage.seed.limit(0)
    assert "seeding" not in seen
