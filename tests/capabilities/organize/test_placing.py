from pathlib import Path

import pytest

from capabilities.adapters.shelf.roots import opened
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.import_plan import organize_plan
from capabilities.organize.placing import OnShelf, Work
from ledger.ledger import Ledger
from ledger.stores import shelf
from ledger.stores.shelf import RecordRow
from tests.scene import FOLDER, IMPORT, SUBTITLE, VIDEO, Scene

RECORD = "rec_0123456789abcdef"
TOKEN = "of-the-plan"


async def begun(ledger: Ledger, plan: str) -> None:
    at = ledger.now()
    row = RecordRow(RECORD, plan, "dl_1", "work_1", None, "running", [], [], None, None, at, None)
    await ledger.write(lambda tx: shelf.open_record(tx, row))


async def carried_out(scene: Scene) -> list[OnShelf]:
    row = await scene.arrived()
    answer = await scene.answer("organize.plan", IMPORT, download=row.id)
    plan = await scene.plan(await scene.id_of(answer["plan"], IMPORT))
    await begun(scene.ledger, plan.id)
    async with (
        opened(scene.folders.downloads, "the downloads") as sources,
        opened(scene.folders.films, "the library") as library,
    ):
        work = Work(scene.ledger, RECORD, TOKEN, organize_plan(plan), sources, library)
        return await work.carry_out()


def leave(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    left = folder / name
    left.write_bytes(b"half of it")
    return left


@pytest.mark.anyio
async def test_every_file_is_placed_written_down_and_verified(scene: Scene) -> None:
    video, subtitle = await carried_out(scene)
    assert (video.file.target, subtitle.file.target) == (VIDEO, SUBTITLE)
    assert video.streams is not None
    assert video.streams.height == 1080
    assert subtitle.streams is None
    assert (video.digest, video.inode) == (None, video.file.source.inode)
    record = await scene.read(lambda conn: shelf.record_by_id(conn, RECORD))
    assert record is not None
    assert [step["file"] for step in record.journal] == [0] * 5 + [1] * 5


@pytest.mark.anyio
async def test_what_a_dead_attempt_at_this_plan_left_goes_and_nothing_else(
    scene: Scene,
) -> None:
    folder = scene.folders.films / FOLDER
    ours = leave(folder, f".matinee-{TOKEN}-0.tmp")
    others = leave(folder, ".matinee-another-0.tmp")
    await carried_out(scene)
    assert not ours.exists()
    assert others.exists()


@pytest.mark.anyio
async def test_a_file_of_another_size_is_not_what_was_planned(scene: Scene) -> None:
    row = await scene.arrived()
    answer = await scene.answer("organize.plan", IMPORT, download=row.id)
    plan = await scene.plan(await scene.id_of(answer["plan"], IMPORT))
    await begun(scene.ledger, plan.id)
    wanted = organize_plan(plan)
    there = scene.folders.films / SUBTITLE
    there.parent.mkdir()
    there.hardlink_to(scene.folders.downloads / wanted.files[1].source.path)
    with there.open("a", encoding="utf-8") as file:
        file.write("more")
    async with (
        opened(scene.folders.downloads, "the downloads") as sources,
        opened(scene.folders.films, "the library") as library,
    ):
        work = Work(scene.ledger, RECORD, TOKEN, wanted, sources, library)
        with pytest.raises(HaltError, match="is not the file that was planned"):
            await work.carry_out()
