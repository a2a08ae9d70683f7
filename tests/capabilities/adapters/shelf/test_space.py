import os
from pathlib import Path

import pytest

from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.space import on_one_device, space
from tests.capabilities.adapters.shelf.scene import Scene

pytestmark = pytest.mark.anyio


async def test_the_room_of_a_small_disk_is_told_in_bytes(small_disk: Path) -> None:
    with Root(small_disk, "the library") as root:
        before = await space(root)
        (small_disk / "film.mkv").write_bytes(os.urandom(512 << 10))
        after = await space(root)
    assert before.total == after.total == 1 << 20
    assert before.free - after.free == 512 << 10


async def test_a_mount_below_the_root_has_its_own_room(small_disk: Path) -> None:
    with Root(small_disk.parent, "the library") as root:
        assert (await space(root, small_disk.name)).total == 1 << 20
        assert (await space(root)).total != 1 << 20


async def test_folders_of_one_disk_are_told_from_those_of_two(
    scene: Scene, small_disk: Path
) -> None:
    assert await on_one_device(scene.sources, scene.shelf)
    with Root(small_disk, "another disk") as other:
        assert not await on_one_device(scene.sources, other)
