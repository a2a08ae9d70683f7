import os
from pathlib import Path

import pytest

from capabilities.adapters.shelf.faults import (
    ObstructedError,
    PathRefusedError,
    SourceChangedError,
    TargetExistsError,
)
from capabilities.adapters.shelf.freezing import Frozen, frozen_from
from capabilities.adapters.shelf.recycling import (
    MARKS,
    RECYCLE,
    keep,
    place_for,
    recycle,
    remove,
    restore,
    take_back,
    unkeep,
)
from capabilities.adapters.shelf.roots import Root
from tests.capabilities.adapters.shelf.scene import Scene

OLD = "Film (2009)/Film (2009).mkv"
LONG_AGO_S = 1_000_000_000


def old_file(shelf: Root, path: str = OLD) -> Frozen:
    there = shelf.path / path
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_bytes(b"the old one")
    os.utime(there, (LONG_AGO_S, LONG_AGO_S))
    return frozen_from(there.stat())


def test_a_file_goes_with_its_folders_kept_and_its_time_made_now(scene: Scene) -> None:
    shelf, was = scene.shelf, old_file(scene.shelf)
    place = place_for(shelf, OLD)
    recycle(shelf, OLD, was, place)
    there = shelf.path / RECYCLE / OLD
    assert place == f"{RECYCLE}/{OLD}"
    assert there.stat().st_ino == was.inode
    assert there.stat().st_mtime > LONG_AGO_S
    assert not (shelf.path / "Film (2009)").exists()


def test_media_servers_are_told_to_pass_over_it(scene: Scene) -> None:
    recycle(scene.shelf, OLD, old_file(scene.shelf), place_for(scene.shelf, OLD))
    folder = scene.shelf.path / RECYCLE
    assert {name: (folder / name).read_bytes() for name in MARKS} == dict(MARKS)


def test_a_file_that_a_client_seeds_from_keeps_its_time(scene: Scene) -> None:
    was = old_file(scene.shelf)
    seeded = scene.sources.path / "seeded.mkv"
    seeded.hardlink_to(scene.shelf.path / OLD)
    recycle(scene.shelf, OLD, was, place_for(scene.shelf, OLD))
    assert seeded.stat().st_mtime == LONG_AGO_S


def test_names_that_are_taken_get_a_number_and_stay_within_what_a_disk_holds(scene: Scene) -> None:
    for expected in ("Film (2009).mkv", "Film (2009)_2.mkv", "Film (2009)_3.mkv"):
        place = place_for(scene.shelf, OLD)
        assert place.endswith(expected)
        recycle(scene.shelf, OLD, old_file(scene.shelf), place)
    long = "ä" * 125 + ".mkv"
    recycle(scene.shelf, long, old_file(scene.shelf, long), place_for(scene.shelf, long))
    assert len(place_for(scene.shelf, long).rpartition("/")[2].encode()) <= 255


def test_a_file_that_is_another_one_by_now_is_left(scene: Scene) -> None:
    was = old_file(scene.shelf)
    (scene.shelf.path / OLD).write_bytes(b"somebody else's")
    for act in (recycle, keep):
        with pytest.raises(SourceChangedError):
            act(scene.shelf, OLD, was, place_for(scene.shelf, OLD))
    with pytest.raises(SourceChangedError):
        take_back(scene.shelf, OLD, inode=was.inode + 1)
    assert (scene.shelf.path / OLD).read_bytes() == b"somebody else's"


def test_what_was_recycled_gets_its_name_back_unless_it_is_taken(scene: Scene) -> None:
    shelf, was = scene.shelf, old_file(scene.shelf)
    place = place_for(shelf, OLD)
    recycle(shelf, OLD, was, place)
    old_file(shelf)
    with pytest.raises(TargetExistsError):
        restore(shelf, place, was, OLD)
    (shelf.path / OLD).unlink()
    restore(shelf, place, was, OLD)
    assert (shelf.path / OLD).stat().st_ino == was.inode


def test_a_second_name_is_given_and_taken_away_only_while_the_first_one_is_there(
    scene: Scene,
) -> None:
    shelf, was = scene.shelf, old_file(scene.shelf)
    place = place_for(shelf, OLD)
    for _ in range(2):
        keep(shelf, OLD, was, place)
    assert (shelf.path / place).stat().st_ino == was.inode
    (shelf.path / OLD).rename(shelf.path / "elsewhere.mkv")
    (shelf.path / OLD).write_bytes(b"another")
    with pytest.raises(SourceChangedError):
        unkeep(shelf, OLD, was, place)
    assert (shelf.path / place).exists()
    (shelf.path / "elsewhere.mkv").replace(shelf.path / OLD)
    unkeep(shelf, OLD, was, place)
    assert not (shelf.path / place).exists()


def test_only_the_very_file_is_deleted_with_the_folders_it_leaves_empty(scene: Scene) -> None:
    shelf, was = scene.shelf, old_file(scene.shelf)
    place = place_for(shelf, OLD)
    recycle(shelf, OLD, was, place)
    assert not remove(shelf, place, was.inode + 1, was.size)
    assert not remove(shelf, f"{RECYCLE}/nothing.mkv", was.inode, was.size)
    assert remove(shelf, place, was.inode, was.size)
    assert sorted(p.name for p in (shelf.path / RECYCLE).iterdir()) == sorted(MARKS)


@pytest.mark.parametrize("place", [OLD, RECYCLE, f"{RECYCLE}/../{OLD}", f"{RECYCLE}-2/{OLD}"])
def test_nothing_outside_of_the_recycle_folder_is_deleted(scene: Scene, place: str) -> None:
    was = old_file(scene.shelf)
    with pytest.raises(PathRefusedError):
        remove(scene.shelf, place, was.inode, was.size)
    assert (scene.shelf.path / OLD).exists()


def test_a_recycle_folder_that_is_a_link_is_not_followed(scene: Scene, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "Film (2009)").mkdir(parents=True)
    was = old_file(scene.shelf)
    victim = outside / OLD
    victim.hardlink_to(scene.shelf.path / OLD)
    (scene.shelf.path / RECYCLE).symlink_to(outside)
    with pytest.raises(ObstructedError):
        recycle(scene.shelf, OLD, was, f"{RECYCLE}/{OLD}")
    with pytest.raises(ObstructedError):
        remove(scene.shelf, f"{RECYCLE}/{OLD}", was.inode, was.size)
    assert victim.exists()
    assert (scene.shelf.path / OLD).exists()
