import os
import shutil
from pathlib import Path

import pytest

from capabilities.adapters.shelf.faults import CrossDeviceError, NotSupportedError
from capabilities.adapters.shelf.freezing import freeze
from capabilities.adapters.shelf.placements import Entry, Mode, Step
from capabilities.adapters.shelf.roots import Root
from tests.capabilities.adapters.shelf.scene import FILM, TARGET, Scene

pytestmark = pytest.mark.anyio


async def test_a_hard_link_is_the_source_itself(scene: Scene) -> None:
    placed = await scene.place(Mode.HARDLINK)
    source = await freeze(scene.sources, FILM)
    assert placed.file == source
    assert placed.file.links == 2
    assert placed.digest is None


async def test_a_copy_is_another_file_with_the_same_bytes(scene: Scene) -> None:
    placed = await scene.place(Mode.COPY)
    source = await freeze(scene.sources, FILM)
    assert placed.file.inode != source.inode
    assert (scene.shelf.path / TARGET).read_bytes() == scene.film()
    assert source.links == 1


async def test_an_empty_file_can_be_copied(scene: Scene) -> None:
    scene.sources.path_of(FILM).write_bytes(b"")
    placed = await scene.place(Mode.COPY)
    assert placed.file.size == 0
    assert placed.digest == scene.digest()


async def test_a_move_on_one_disk_keeps_the_file_and_takes_its_old_name(scene: Scene) -> None:
    before = await freeze(scene.sources, FILM)
    steps: list[Step] = []
    placed = await scene.place(Mode.MOVE, journal=lambda entry: steps.append(entry.step))
    assert placed.file.inode == before.inode
    assert not scene.sources.path_of(FILM).exists()
    assert (await freeze(scene.shelf, TARGET)).links == 1
    assert steps[-2:] == [Step.FLUSHED, Step.SOURCE_REMOVED]


async def test_a_move_to_another_disk_copies_and_then_removes(
    scene: Scene, roomy_disk: Path
) -> None:
    content, digest = scene.film(), scene.digest()
    journal: list[Entry] = []
    with Root(roomy_disk, "the library") as other:
        await Scene(scene.sources, other).place(Mode.MOVE, journal=journal.append)
    assert (roomy_disk / TARGET).read_bytes() == content
    assert not scene.sources.path_of(FILM).exists()
    assert journal[-1] == Entry(Step.SOURCE_REMOVED, digest)


async def test_a_move_between_disks_that_finds_no_room_keeps_its_source(
    scene: Scene, small_disk: Path
) -> None:
    with Root(small_disk, "the library") as full, pytest.raises(Exception, match="no space left"):
        await Scene(scene.sources, full).place(Mode.MOVE)
    assert len(scene.film()) == 3_000_000


async def test_a_hard_link_across_disks_is_declined_with_the_reason(
    scene: Scene, roomy_disk: Path
) -> None:
    with Root(roomy_disk, "the library") as other:
        with pytest.raises(CrossDeviceError, match=r"different file systems.*policy say copy"):
            await Scene(scene.sources, other).place(Mode.HARDLINK)
        assert Scene(scene.sources, other).on_shelf() == []


async def test_a_symbolic_link_leads_to_the_source(scene: Scene) -> None:
    await scene.place(Mode.SYMLINK)
    target = scene.shelf.path / TARGET
    assert target.is_symlink()
    assert target.samefile(scene.sources.path_of(FILM))


async def test_a_clone_where_there_are_none_is_declined(scene: Scene, roomy_disk: Path) -> None:
    shutil.copytree(scene.sources.path, roomy_disk / "downloads")
    (roomy_disk / "library").mkdir()
    with (
        Root(roomy_disk / "downloads", "the downloads") as sources,
        Root(roomy_disk / "library", "the library") as shelf,
    ):
        there = Scene(sources, shelf)
        with pytest.raises(NotSupportedError):
            await there.place(Mode.REFLINK)
        assert there.on_shelf() == []


@pytest.mark.proof
async def test_a_clone_shares_its_blocks_until_one_side_changes(
    scene: Scene, cloning_disk: Path
) -> None:
    shutil.copytree(scene.sources.path, cloning_disk / "downloads")
    (cloning_disk / "library").mkdir()
    with (
        Root(cloning_disk / "downloads", "the downloads") as sources,
        Root(cloning_disk / "library", "the library") as shelf,
    ):
        there = Scene(sources, shelf)
        os.sync()
        before = os.statvfs(cloning_disk).f_bfree
        placed = await there.place(Mode.REFLINK)
        os.sync()
        used = (before - os.statvfs(cloning_disk).f_bfree) * os.statvfs(cloning_disk).f_frsize
        assert used < 1_000_000
        assert placed.digest == scene.digest()
        with sources.path_of(FILM).open("r+b") as film:
            film.write(b"changed")
        assert (shelf.path / TARGET).read_bytes() == scene.film()
