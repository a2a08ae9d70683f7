import os
import stat
from pathlib import Path

import pytest

from capabilities.adapters.shelf.faults import (
    CrossDeviceError,
    NotFoundError,
    OvertakenError,
    SourceChangedError,
    TargetExistsError,
)
from capabilities.adapters.shelf.linking import Link, LinkBatch
from capabilities.adapters.shelf.roots import Root
from tests.capabilities.adapters.shelf.scene import Scene

NAMES = [f"Season 0{season}/E0{number}.mkv" for season in (1, 2) for number in (1, 2, 3)]


def links(scene: Scene, attempt: str = "one") -> list[Link]:
    made: list[Link] = []
    for number, name in enumerate(NAMES):
        source = scene.sources.path / "pack" / f"{number}.mkv"
        if not source.exists():
            source.write_bytes(os.urandom(100))
        now = source.stat()
        facts = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns)
        folder, last = name.split("/")
        temporary = f".matinee-{attempt}-{number}.tmp"
        made.append(Link(number, *facts, "pack", source.name, folder, last, temporary))
    return made


def carried_out(batch: LinkBatch) -> LinkBatch:
    batch.write()
    batch.name()
    batch.close()
    return batch


def made(scene: Scene) -> LinkBatch:
    return LinkBatch(scene.sources, scene.shelf, links(scene))


def test_every_link_is_the_source_itself_under_its_name(scene: Scene) -> None:
    batch = carried_out(made(scene))
    assert batch.stopped is None
    assert [link.number for link in batch.named] == list(range(len(NAMES)))
    assert scene.on_shelf() == sorted(NAMES)
    for link, name in zip(batch.links, NAMES, strict=True):
        now = (scene.shelf.path / name).stat()
        assert (now.st_ino, now.st_nlink) == (link.inode, 2)


def test_nothing_has_its_name_before_all_of_the_batch_is_checked(scene: Scene) -> None:
    batch = made(scene)
    batch.write()
    assert all(".matinee-" in name for name in scene.on_shelf())
    batch.close()
    assert scene.on_shelf() == []


def test_what_stands_already_is_passed_over(scene: Scene) -> None:
    carried_out(made(scene))
    again = carried_out(LinkBatch(scene.sources, scene.shelf, links(scene, "two")))
    assert (again.stopped, again.named) == (None, [])
    assert scene.on_shelf() == sorted(NAMES)


def test_a_name_that_is_taken_ends_the_batch_before_it_and_keeps_its_file(scene: Scene) -> None:
    there = scene.shelf.path / NAMES[4]
    there.parent.mkdir()
    there.write_text("somebody's own")
    batch = carried_out(made(scene))
    assert batch.stopped is not None
    link, fault = batch.stopped
    assert (link.number, type(fault)) == (4, TargetExistsError)
    assert there.read_text() == "somebody's own"
    assert scene.on_shelf() == sorted(NAMES[:5])


@pytest.mark.parametrize("gone", [True, False], ids=["gone", "another file"])
def test_a_source_that_is_not_the_planned_one_ends_the_batch_before_it(
    scene: Scene, gone: bool
) -> None:
    batch = made(scene)
    source = scene.sources.path / "pack" / "2.mkv"
    source.unlink()
    if not gone:
        source.write_bytes(b"another")
    carried_out(batch)
    assert batch.stopped is not None
    link, fault = batch.stopped
    assert (link.number, type(fault)) == (2, NotFoundError if gone else SourceChangedError)
    assert scene.on_shelf() == sorted(NAMES[:2])


def test_an_attempt_that_was_overtaken_names_nothing_more(scene: Scene) -> None:
    batch = made(scene)
    batch.write()
    (scene.shelf.path / "Season 01" / batch.links[1].temporary).unlink()
    batch.name()
    batch.close()
    assert batch.stopped is not None
    assert (batch.stopped[0].number, type(batch.stopped[1])) == (1, OvertakenError)
    assert scene.on_shelf() == [NAMES[0]]


def test_another_disk_is_told_and_nothing_is_left_there(scene: Scene, roomy_disk: Path) -> None:
    with Root(roomy_disk, "the library") as other:
        batch = carried_out(LinkBatch(scene.sources, other, links(scene)))
    assert batch.stopped is not None
    assert (batch.stopped[0].number, type(batch.stopped[1])) == (0, CrossDeviceError)
    assert [p for p in roomy_disk.rglob("*") if p.is_file()] == []


@pytest.mark.parametrize("swapped", ["library", "downloads"])
def test_p3_a_folder_swapped_for_a_link_leads_nowhere(
    scene: Scene, tmp_path: Path, swapped: str
) -> None:
    batch = made(scene)
    outside = tmp_path / "outside"
    outside.mkdir()
    for number in range(len(NAMES)):
        (outside / f"{number}.mkv").write_bytes(b"not to be linked")
    before = sorted(outside.iterdir())
    if swapped == "library":
        (scene.shelf.path / "Season 01").symlink_to(outside)
    else:
        (scene.sources.path / "pack").rename(tmp_path / "away")
        (scene.sources.path / "pack").symlink_to(outside)
    carried_out(batch)
    assert batch.stopped is not None
    assert batch.named == []
    assert sorted(outside.iterdir()) == before
    assert all(one.stat().st_nlink == 1 for one in before)
    assert not any(stat.S_ISREG(one.lstat().st_mode) for one in scene.shelf.path.rglob("*"))
