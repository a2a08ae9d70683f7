import os
from pathlib import Path

import pytest

from capabilities.adapters.shelf import scanning
from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.adapters.shelf.freezing import Oddity
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.scanning import TOO_DEEP, SeenFolder, walk


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())


def seen(folder: Path) -> dict[str, SeenFolder]:
    with Root(folder, "the library") as root:
        return {one.path: one for one in walk(root)}


def test_every_file_is_told_with_what_the_disk_knows_of_it(tmp_path: Path) -> None:
    put(tmp_path, "b.mkv", "a.mkv", "Show/Season 01/1.mkv")
    told = seen(tmp_path)
    assert list(told) == ["", "Show", "Show/Season 01"]
    assert [one.name for one in told[""].files] == ["a.mkv", "b.mkv"]
    (file,) = told["Show/Season 01"].files
    status = (tmp_path / "Show/Season 01/1.mkv").stat()
    assert (file.size, file.inode, file.mtime_ns) == (
        status.st_size,
        status.st_ino,
        status.st_mtime_ns,
    )
    assert told["Show/Season 01"].device == status.st_dev


def test_links_and_what_is_no_file_are_named_and_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "out", "elsewhere.mkv")
    library = tmp_path / "library"
    put(library, "here.mkv")
    (library / "link.mkv").symlink_to(tmp_path / "out/elsewhere.mkv")
    (library / "folder").symlink_to(library)
    os.mkfifo(library / "pipe")
    os.close(os.open(os.fsencode(library) + b"/\xff.mkv", os.O_CREAT | os.O_WRONLY))
    told = seen(library)
    assert list(told) == [""]
    assert [one.name for one in told[""].files] == ["here.mkv"]
    assert told[""].odd == {
        "link.mkv": Oddity.LINK,
        "folder": Oddity.LINK,
        "pipe": Oddity.SPECIAL,
        "\\xff.mkv": Oddity.UNREADABLE_NAME,
    }


def test_a_folder_that_vanishes_is_as_if_it_had_not_been_there(tmp_path: Path) -> None:
    put(tmp_path, "a/1.mkv", "b/2.mkv")
    with Root(tmp_path, "the library") as root:
        told = walk(root)
        assert next(told).path == ""
        (tmp_path / "a/1.mkv").unlink()
        (tmp_path / "a").rmdir()
        assert [one.path for one in told] == ["b"]


def test_a_folder_that_became_something_else_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, "a/1.mkv", "b/2.mkv")
    with Root(tmp_path, "the library") as root:
        told = walk(root)
        assert next(told).path == ""
        (tmp_path / "a").rename(tmp_path / "c")
        (tmp_path / "a").symlink_to(tmp_path / "c")
        assert [(one.path, one.fault) for one in told] == [("b", None)]


def test_how_deep_it_goes_is_bounded_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "DEEPEST", 2)
    put(tmp_path, "a/b/c/1.mkv")
    told = seen(tmp_path)
    assert told["a/b"].fault is None
    assert told["a/b/c"].fault == TOO_DEEP


def test_handles_are_closed_however_it_ends(tmp_path: Path) -> None:
    put(tmp_path, "a/b/1.mkv", "c/2.mkv")
    with Root(tmp_path, "the library") as root:
        before = len(list(Path("/proc/self/fd").iterdir()))
        told = walk(root)
        for _ in range(3):
            next(told)
        told.close()
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_library_that_is_not_there_is_said(tmp_path: Path) -> None:
    with Root(tmp_path, "the library") as root, pytest.raises(NotFoundError):
        list(walk(root, "Series"))
