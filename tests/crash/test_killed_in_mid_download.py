from collections import Counter
from pathlib import Path

import pytest

from tests.crash.played import SIZE, Job, job, kill
from world.stage import RELEASE

ONE_ACT_EACH = Counter({("download.submit", "succeeded"): 1, ("organize.execute", "succeeded"): 1})

pytestmark = [pytest.mark.anyio, pytest.mark.proof]


async def test_a_server_killed_in_mid_download_finishes_the_job_without_a_second_act(
    tmp_path: Path,
) -> None:
    async with job(tmp_path, upload_limit=6_000_000) as work:
        async with work.at_work() as (served, owner):
            await work.begin(owner)
            await owner.approve(await work.until_asked(owner))
            await work.until_downloading(owner)
            kill(served)

        await _goes_on_to_the_end(work)


async def test_a_server_killed_while_the_owner_is_asked_still_waits_for_the_answer(
    tmp_path: Path,
) -> None:
    async with job(tmp_path) as work:
        async with work.at_work() as (served, owner):
            await work.begin(owner)
            await work.until_asked(owner)
            kill(served)

        async with work.at_work() as (_, owner):
            await owner.approve(await work.until_asked(owner))
            run = await work.until_over(owner)

            assert run["state"] == "succeeded"
            assert await work.acts(owner) == ONE_ACT_EACH


async def test_a_server_killed_as_soon_as_the_bytes_are_here_still_places_them_once(
    tmp_path: Path,
) -> None:
    async with job(tmp_path, upload_limit=12_000_000) as work:
        async with work.at_work() as (served, owner):
            await work.begin(owner)
            await owner.approve(await work.until_asked(owner))
            await work.until_completed(owner)
            kill(served)

        await _goes_on_to_the_end(work)


async def _goes_on_to_the_end(work: Job) -> None:
    async with work.at_work() as (_, owner):
        run = await work.until_over(owner)

        assert run["state"] == "succeeded", run["reason"]
        assert await work.acts(owner) == ONE_ACT_EACH
        held = (await owner.call("downloader.list"))["downloaders"][0]["downloads"]
        assert held == {"imported": 1}
        listed = (await owner.call("inventory.query"))["works"][0]["files"]
        assert len(listed) == 1
        source = work.folder / "downloads" / RELEASE / f"{RELEASE}.mkv"
        _is_one_file(source, Path(listed[0]["path"]))


def _is_one_file(source: Path, placed: Path) -> None:
    assert placed.stat().st_ino == source.stat().st_ino
    assert placed.stat().st_size == SIZE
