"""What the library has of some files is looked up on the disk, and said as it is."""

import os
from pathlib import Path

import pytest

from capabilities.adapters.shelf.deleting import Listed
from capabilities.download.library_names import (
    Holdings,
    LibraryName,
    fewer_elsewhere,
    holdings,
    shared,
)
from tests.capabilities.adapters.shelf.conftest import mounted, run

pytestmark = pytest.mark.anyio


def made(root: Path, name: str = "film.mkv") -> Path:
    path = root / "downloads" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"film")
    (root / "library").mkdir(exist_ok=True)
    return path


def listed(path: Path) -> Listed:
    now = path.stat()
    return Listed(path.name, now.st_dev, now.st_ino, now.st_size, now.st_nlink)


async def test_a_hard_link_is_known_by_its_inode_wherever_it_is(tmp_path: Path) -> None:
    file = made(tmp_path)
    name = tmp_path / "library" / "Film.mkv"
    name.hardlink_to(file)
    has = await holdings([listed(file)], file.parent, [LibraryName(str(name))])
    assert has == Holdings(frozenset({"film.mkv"}), frozenset(), ())
    assert "nothing is lost" in has.loses([listed(file)], imported=True)


async def test_a_copy_is_known_by_its_source_and_size(tmp_path: Path) -> None:
    file = made(tmp_path)
    name = tmp_path / "library" / "Film.mkv"
    name.write_bytes(file.read_bytes())
    names = [LibraryName(str(name), "film.mkv")]
    has = await holdings([listed(file)], file.parent, names)
    assert has.copied == {"film.mkv"}
    assert has.loses([listed(file)], imported=True) == "The library has copies of 1 file."
    name.write_bytes(b"another length")
    assert await holdings([listed(file)], file.parent, names) == Holdings(
        frozenset(), frozenset(), ()
    )


async def test_a_name_that_is_gone_or_another_file_holds_nothing(tmp_path: Path) -> None:
    file = made(tmp_path)
    other = tmp_path / "library" / "Other.mkv"
    other.write_bytes(b"film")
    names = [LibraryName(str(other)), LibraryName(str(tmp_path / "library" / "gone.mkv"))]
    has = await holdings([listed(file)], file.parent, names)
    told = has.loses([listed(file)], imported=False)
    assert told == "The bytes of 1 file (0.00 GB) are lost for good: it is not in the library."


async def test_a_file_that_only_the_library_names_is_its_own(tmp_path: Path) -> None:
    file = made(tmp_path)
    has = await holdings([listed(file)], file.parent, [LibraryName(str(file))])
    assert has.itself == (str(file),)


async def test_the_same_name_seen_through_a_mount_is_no_second_one(tmp_path: Path) -> None:
    file = made(tmp_path)
    library = tmp_path / "library"
    with mounted(tmp_path / "spare", "-t", "tmpfs", "-o", "size=1m", "none"):
        assert run("mount", "--bind", str(file.parent), str(library)).returncode == 0
        try:
            names = [LibraryName(str(library / "film.mkv"))]
            has = await holdings([listed(file)], file.parent, names)
            assert has.itself == (str(library / "film.mkv"),)
        finally:
            assert run("umount", str(library)).returncode == 0


async def test_a_name_outside_of_the_library_keeps_the_bytes_and_is_told_apart(
    tmp_path: Path,
) -> None:
    file = made(tmp_path)
    os.link(file, tmp_path / "elsewhere.mkv")
    has = await holdings([listed(file)], file.parent, [])
    told = has.loses([listed(file)], imported=True)
    assert told == "The bytes of 1 file stay under other names, outside the library."
    assert has.loses([], imported=True) == "There is nothing of it on the disk to delete."


def test_two_listed_names_of_one_file_are_no_others(tmp_path: Path) -> None:
    file = made(tmp_path)
    twin = file.with_name("twin.mkv")
    twin.hardlink_to(file)
    assert not shared([listed(file), listed(twin)])
    assert shared([listed(file)])
    assert not shared([])


@pytest.mark.parametrize(
    ("links", "left", "fewer"),
    [(2, [2], False), (2, [1], True), (1, [1], False), (3, [4], False), (2, [], False)],
)
def test_a_name_elsewhere_that_went_since_is_missed(
    links: int, left: list[int], *, fewer: bool
) -> None:
    then = [Listed("a", 1, 7, 10, links)]
    assert fewer_elsewhere(then, [Listed("a", 1, 7, 10, now) for now in left]) is fewer


def test_a_listed_twin_that_is_deleted_already_is_not_missed() -> None:
    then = [Listed("a", 1, 7, 10, 3), Listed("b", 1, 7, 10, 3)]
    assert not fewer_elsewhere(then, [Listed("b", 1, 7, 10, 2)])
    assert fewer_elsewhere(then, [Listed("b", 1, 7, 10, 1)])
