import ctypes
import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from capabilities.adapters.shelf.exclusive import take_name
from capabilities.adapters.shelf.faults import NotSupportedError, TargetExistsError
from capabilities.kernel.faults import LostAnswerError


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "temporary").write_bytes(b"new")
    handle = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield handle
    os.close(handle)


@pytest.fixture(params=["with hard links", "without hard links"])
def disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without hard links":
        refuse_links(monkeypatch, errno.EPERM)


def refuse_links(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """What exFAT and some network mounts answer; none of them can be mounted everywhere."""

    def link(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", link)


@pytest.mark.usefixtures("disk")
def test_a_free_name_is_taken(folder: int, tmp_path: Path) -> None:
    take_name(folder, "temporary", "film.mkv", "the library")
    assert [entry.name for entry in tmp_path.iterdir()] == ["film.mkv"]
    assert (tmp_path / "film.mkv").read_bytes() == b"new"


@pytest.mark.usefixtures("disk")
def test_a_name_that_is_taken_stays_with_its_owner(folder: int, tmp_path: Path) -> None:
    (tmp_path / "film.mkv").write_bytes(b"old")
    with pytest.raises(TargetExistsError):
        take_name(folder, "temporary", "film.mkv", "the library")
    assert (tmp_path / "film.mkv").read_bytes() == b"old"
    assert (tmp_path / "temporary").read_bytes() == b"new"


def test_a_second_name_of_the_same_file_counts_as_taken(folder: int, tmp_path: Path) -> None:
    (tmp_path / "film.mkv").hardlink_to(tmp_path / "temporary")
    with pytest.raises(TargetExistsError):
        take_name(folder, "temporary", "film.mkv", "the library")


def a_library_without_it(*_: object, **__: object) -> object:
    return object()


def test_a_disk_that_knows_neither_way_is_told(
    folder: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_links(monkeypatch, errno.EPERM)
    monkeypatch.setattr(ctypes, "CDLL", a_library_without_it)
    with pytest.raises(NotSupportedError):
        take_name(folder, "temporary", "film.mkv", "the library")


def test_a_disk_that_fails_in_the_middle_leaves_the_answer_open(
    folder: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_links(monkeypatch, errno.EIO)
    with pytest.raises(LostAnswerError):
        take_name(folder, "temporary", "film.mkv", "the library")
