from pathlib import Path

import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.codes import Code
from capabilities.organize.import_plan import organize_plan
from capabilities.rules.organize_policy import OrganizePolicy
from tests.capabilities.organize.downloads import laid_out, series_arrived
from tests.capabilities.organize.shortened import lasting
from tests.scene import Scene

pytestmark = pytest.mark.anyio
PLAN = "organize.plan"
PACK = "Lantern.Street.S01.720p.WEB-DL.x264-OPEN"
SIZE = 400_000


def named(episodes: str) -> str:
    return f"Lantern.Street.S01{episodes}.720p.WEB-DL.x264-OPEN.mkv"


async def test_a_short_video_beside_a_whole_episode_is_left_as_a_sample(
    scene: Scene, tmp_path: Path
) -> None:
    source = laid_out(tmp_path, PACK, {named("E01"): SIZE, named("E02"): SIZE})
    lasting(source / named("E02"), 60.0, SIZE)
    row = await series_arrived(scene, source)
    answer = await scene.answer(PLAN, download=row.id)
    (file,) = answer["files"]
    assert "S01E01" in file["target"]
    (left,) = answer["left"]
    assert left["path"].endswith(named("E02"))
    assert left["why"].startswith("it is a sample: it lasts 60 s where")


async def test_a_download_that_is_only_too_short_says_so(scene: Scene, tmp_path: Path) -> None:
    source = laid_out(tmp_path, PACK, {named("E01"): SIZE})
    lasting(source / named("E01"), 60.0, SIZE)
    row = await series_arrived(scene, source)
    refused = await scene.refusal(Code.PRECONDITION, PLAN, download=row.id)
    assert "it is a sample: it lasts 60 s" in refused.sentence


async def test_nothing_is_frozen_without_a_library(scene: Scene) -> None:
    row = await scene.arrived()
    bare = scene.having(without=[Folders])
    outcome = await bare.call(PLAN, download=row.id)
    assert "library" in outcome.sentence


async def test_every_nfo_file_of_a_season_is_in_the_plan_with_its_text(
    scene: Scene, tmp_path: Path
) -> None:
    await scene.publish(OrganizePolicy(nfo=True))
    source = laid_out(tmp_path, PACK, {named("E01E02"): SIZE, named("E03"): SIZE})
    row = await series_arrived(scene, source)
    answer = await scene.answer(PLAN, download=row.id)
    plan = organize_plan(await scene.plan(await scene.id_of(answer["plan"])))
    videos = [file.target for file in plan.files]
    folder = videos[0].partition("/")[0]
    assert sorted(answer["written"]) == sorted(
        [*(video.replace(".mkv", ".nfo") for video in videos), f"{folder}/tvshow.nfo"]
    )
    roots = {one.target: one.text.count("<episodedetails>") for one in plan.written}
    double = next(video for video in videos if "E02" in video).replace(".mkv", ".nfo")
    assert (roots[double], roots[f"{folder}/tvshow.nfo"], sum(roots.values())) == (2, 0, 3)
    there = scene.folders.series / double
    there.parent.mkdir(parents=True)
    there.write_bytes(b"theirs")
    again = await scene.answer(PLAN, download=row.id)
    assert double not in again["written"]
    assert [each["path"] for each in again["left"]] == [double]
