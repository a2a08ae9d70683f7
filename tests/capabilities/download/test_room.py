import shutil

import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.download.room import Room, refuse_without_room, room
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from tests.scene import KEY, Scene


def context(scene: Scene, floor: int = 0) -> Context:
    folders = scene.folders
    floored = Folders(folders.downloads, folders.films, folders.series, floor)
    return Context(KEY, scene.ledger, scene.having(floored).parts, "request", "call")


def test_what_is_owed_and_what_is_planned_is_taken_off() -> None:
    assert Room(free=100, owed=30, floor=10).after(25) == 45


@pytest.mark.anyio
async def test_the_disk_is_measured_and_running_downloads_are_counted(scene: Scene) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "downloading", size=1000, done=400)
    now = await room(context(scene, 7))
    assert (now.owed, now.floor) == (600, 7)
    assert abs(now.free - shutil.disk_usage(scene.folders.downloads).free) < 10**9


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("state", "owed"),
    [("paused_by_owner", 600), ("missing_files", 600), ("failed", 0), ("removed", 0)],
)
async def test_a_pause_still_owes_and_a_failure_does_not(
    scene: Scene, state: str, owed: int
) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, state, size=1000, done=400)
    assert (await room(context(scene))).owed == owed


@pytest.mark.anyio
async def test_the_floor_is_kept_to_the_byte(scene: Scene) -> None:
    free = (await room(context(scene))).free
    with pytest.raises(HaltError) as halted:
        await refuse_without_room(context(scene, floor=free), 10**15)
    assert isinstance(halted.value.outcome, Refused)
    assert "Nothing was done" in halted.value.outcome.sentence
    assert await refuse_without_room(context(scene), 1) > 0
