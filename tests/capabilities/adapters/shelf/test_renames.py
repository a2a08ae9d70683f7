import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from capabilities.adapters.shelf.renames import Renames


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "one").write_text("one")
    (tmp_path / "two").write_text("two")
    handle = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield handle
    os.close(handle)


def test_a_free_name_is_given_and_a_taken_one_never(folder: int, tmp_path: Path) -> None:
    renames = Renames.found()
    with pytest.raises(FileExistsError):
        renames.to_free_name(folder, "one", folder, "two")
    assert (tmp_path / "two").read_text() == "two"
    renames.to_free_name(folder, "one", folder, "three")
    assert (tmp_path / "three").read_text() == "one"
    with pytest.raises(FileNotFoundError):
        renames.to_free_name(folder, "one", folder, "four")


def test_two_names_are_exchanged_only_where_both_are_there(folder: int, tmp_path: Path) -> None:
    renames = Renames.found()
    renames.exchange(folder, "one", "two")
    assert [(tmp_path / name).read_text() for name in ("one", "two")] == ["two", "one"]
    with pytest.raises(FileNotFoundError):
        renames.exchange(folder, "one", "three")


def test_a_system_without_the_call_says_that_it_cannot(folder: int) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.EOPNOTSUPP)):
        Renames(None).exchange(folder, "one", "two")
