import ctypes
import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from capabilities.adapters.shelf.exclusive import take_name
from capabilities.adapters.shelf.faults import (
    NotSupportedError,
    OvertakenError,
    TargetExistsError,
)
from capabilities.adapters.shelf.spots import Spot
from capabilities.kernel.faults import LostAnswerError


@dataclass(frozen=True, slots=True)
class Made:
    """A temporary file that an attempt has open."""

    spot: Spot
    handle: int

    def take(self, name: str = "film.mkv") -> None:
        take_name(self.spot, self.handle, name)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    (tmp_path / "temporary").write_bytes(b"new")
    folder = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    handle = os.open(tmp_path / "temporary", os.O_RDONLY)
    yield Made(Spot(folder, "temporary", "the library"), handle)
    os.close(handle)
    os.close(folder)


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
def test_a_free_name_is_taken(made: Made, tmp_path: Path) -> None:
    made.take()
    assert [entry.name for entry in tmp_path.iterdir()] == ["film.mkv"]
    assert (tmp_path / "film.mkv").read_bytes() == b"new"


@pytest.mark.usefixtures("disk")
def test_a_name_that_is_taken_stays_with_its_owner(made: Made, tmp_path: Path) -> None:
    (tmp_path / "film.mkv").write_bytes(b"old")
    with pytest.raises(TargetExistsError):
        made.take()
    assert (tmp_path / "film.mkv").read_bytes() == b"old"
    assert (tmp_path / "temporary").read_bytes() == b"new"


@pytest.mark.usefixtures("disk")
@pytest.mark.parametrize("stands", ["another file", "nothing"])
def test_a_temporary_name_that_lost_its_file_is_never_named(
    made: Made, tmp_path: Path, stands: str
) -> None:
    temporary = tmp_path / "temporary"
    temporary.unlink()
    if stands == "another file":
        temporary.write_bytes(b"half of anoth")
    with pytest.raises(OvertakenError):
        made.take()
    made.spot.remove(made.handle)
    assert [entry.name for entry in tmp_path.iterdir()] == (
        ["temporary"] if stands == "another file" else []
    )


def test_a_second_name_of_the_same_file_counts_as_taken(made: Made, tmp_path: Path) -> None:
    (tmp_path / "film.mkv").hardlink_to(tmp_path / "temporary")
    with pytest.raises(TargetExistsError):
        made.take()


def a_library_without_it(*_: object, **__: object) -> object:
    return object()


def test_a_disk_that_knows_neither_way_is_told(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_links(monkeypatch, errno.EPERM)
    monkeypatch.setattr(ctypes, "CDLL", a_library_without_it)
    with pytest.raises(NotSupportedError):
        made.take()


def test_a_disk_that_fails_in_the_middle_leaves_the_answer_open(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_links(monkeypatch, errno.EIO)
    with pytest.raises(LostAnswerError):
        made.take()
