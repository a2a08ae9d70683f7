from dataclasses import replace
from datetime import timedelta

import pytest

from capabilities.download.list import percent
from capabilities.kernel.codes import Code
from ledger.stores import downloads
from ledger.stores.downloads import DownloadRow
from tests.scene import KEY, OWNER, Scene
from world.stage import RELEASE


def copy(row: DownloadRow, number: int) -> DownloadRow:
    later = row.created_at + timedelta(seconds=number)
    return replace(
        row, id=f"dl_{number}", info_hash=str(number), name=f"copy {number}", created_at=later
    )


@pytest.mark.anyio
async def test_a_download_is_told_in_words(scene: Scene) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "downloading", size=1000, done=333, last_error="slow")
    listed = await scene.answer("download.list")
    (shown,) = listed["downloads"]
    assert await scene.id_of(shown["download"]) == row.id
    assert (shown["title"], shown["work"], shown["client"]) == (RELEASE, "Sintel", "embedded")
    assert (shown["state"], shown["percent"], shown["last_error"]) == ("downloading", 33.3, "slow")
    assert listed["counts"] == {"downloading": 1}
    assert row.info_hash not in str(listed)


@pytest.mark.anyio
async def test_they_are_chosen_by_state_and_words_and_counted_all_the_same(scene: Scene) -> None:
    await scene.submitted()
    assert len((await scene.answer("download.list", status="submitted"))["downloads"]) == 1
    assert len((await scene.answer("download.list", query="SINTEL open"))["downloads"]) == 1
    for listed in (
        await scene.answer("download.list", status="failed"),
        await scene.answer("download.list", query="bunny"),
    ):
        assert listed["downloads"] == []
        assert listed["counts"] == {"submitted": 1}


@pytest.mark.anyio
async def test_they_are_chosen_by_their_work(scene: Scene) -> None:
    await scene.submitted()
    same, other = await scene.work(), await scene.work(id_="tmdb:film:10378")
    assert len((await scene.answer("download.list", work=same))["downloads"]) == 1
    assert (await scene.answer("download.list", work=other))["counts"] == {}


@pytest.mark.anyio
async def test_pages_follow_one_another_newest_first(scene: Scene) -> None:
    row = await scene.submitted()

    await scene.write(lambda tx: [downloads.add(tx, copy(row, n)) for n in (1, 2, 3)])
    first = await scene.answer("download.list", limit=3)
    assert (first["page"]["total"], first["page"]["left_out"]) == (4, 1)
    second = await scene.answer("download.list", limit=3, cursor=first["page"]["next_cursor"])
    titles = [each["title"] for each in (*first["downloads"], *second["downloads"])]
    assert titles == ["copy 3", "copy 2", "copy 1", RELEASE]
    await scene.refusal(Code.INVALID_INPUT, "download.list", cursor="x")


@pytest.mark.anyio
async def test_a_hostile_name_is_shown_without_its_signs(scene: Scene) -> None:
    row = await scene.submitted()
    await scene.write(lambda tx: downloads.change(tx, row.id, name="Sin\u202etel\n2010"))
    (shown,) = (await scene.answer("download.list", OWNER))["downloads"]
    assert shown["title"] == "Sin tel 2010"


@pytest.mark.anyio
async def test_nothing_is_an_answer_and_a_work_of_nobody_is_none(scene: Scene) -> None:
    listed = await scene.answer("download.list")
    assert (listed["downloads"], listed["counts"]) == ([], {})
    await scene.failure(Code.NOT_FOUND, "download.list", KEY, work="work:7")


@pytest.mark.anyio
async def test_before_its_size_is_known_nothing_is_done(scene: Scene) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "metadata", size=0, done=0)
    assert percent(await scene.download(row.id)) == 0.0
