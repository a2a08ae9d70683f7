import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.shelf.faults import (
    NotAFileError,
    NotFoundError,
    ObstructedError,
    PathRefusedError,
    fault_of,
)
from capabilities.adapters.shelf.roots import Root, opened
from capabilities.kernel.faults import UnreachableError
from tests.capabilities.adapters.shelf.scene import FILM, Scene

HOSTILE = [
    "",
    "/",
    "/etc/passwd",
    "..",
    "../film.mkv",
    "pack/../../film.mkv",
    "pack/..",
    ".",
    "./film.mkv",
    "pack//film.mkv",
    "pack/",
    "pack/film\0.mkv",
    "\0",
    "pack/" + "ä" * 128,
    "pack/\udcff.mkv",
]


@pytest.mark.parametrize("relative", HOSTILE, ids=ascii)
def test_a_path_that_could_lead_outside_is_refused(scene: Scene, relative: str) -> None:
    with pytest.raises(PathRefusedError):
        scene.sources.status(relative)


@given(relative=st.text(alphabet=st.sampled_from("./\0ab\\\udcff"), max_size=12))
def test_whatever_is_not_refused_stays_below_the_root(relative: str) -> None:
    with Root(Path("/"), "the root") as root:
        try:
            parts = root.parts(relative)
        except PathRefusedError:
            return
    assert "/".join(parts) == relative
    assert os.path.normpath(relative) == relative
    assert not relative.startswith((".." + os.sep, os.sep))


def test_a_name_of_255_bytes_is_held(scene: Scene) -> None:
    name = "ä" * 127 + "x"
    (scene.sources.path / name).write_bytes(b"x")
    assert scene.sources.status(name).st_size == 1


def test_a_backslash_is_a_letter_like_any_other(scene: Scene) -> None:
    (scene.sources.path / "a\\..\\b").write_bytes(b"xy")
    assert scene.sources.status("a\\..\\b").st_size == 2


def test_a_folder_that_is_a_link_is_not_entered(scene: Scene, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"x")
    (scene.sources.path / "door").symlink_to(outside)
    with pytest.raises(ObstructedError):
        scene.sources.status("door/secret")
    with pytest.raises(ObstructedError), scene.sources.folder("door/new", make=True):
        pass
    assert [entry.name for entry in outside.iterdir()] == ["secret"]


def test_a_link_is_reported_and_not_opened(scene: Scene) -> None:
    (scene.sources.path / "link").symlink_to(scene.sources.path / FILM)
    assert scene.sources.status("link").st_size != 3_000_000
    with pytest.raises(ObstructedError), scene.sources.file("link"):
        pass


def test_a_pipe_is_refused_at_once(scene: Scene) -> None:
    os.mkfifo(scene.sources.path / "pipe")
    with pytest.raises(NotAFileError), scene.sources.file("pipe"):
        pass


def test_a_file_where_a_folder_should_be_is_an_obstacle(scene: Scene) -> None:
    with pytest.raises(ObstructedError), scene.sources.folder(FILM, make=True):
        pass


def test_folders_are_made_where_asked_and_only_there(scene: Scene) -> None:
    with pytest.raises(NotFoundError), scene.shelf.folder("a/b"):
        pass
    with scene.shelf.folder("a/b", make=True) as first, scene.shelf.folder("a/b", make=True) as on:
        assert os.path.sameopenfile(first, on)
    assert (scene.shelf.path / "a/b").is_dir()


def test_a_root_that_was_renamed_is_still_the_same_folder(scene: Scene, tmp_path: Path) -> None:
    scene.sources.path.rename(tmp_path / "elsewhere")
    assert scene.sources.status(FILM).st_size == 3_000_000


def test_a_root_must_not_be_a_link(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(scene.sources.path)
    with pytest.raises(ObstructedError) as caught:
        Root(tmp_path / "way", "the library")
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.anyio
async def test_an_opened_root_is_closed_after_its_block(scene: Scene) -> None:
    async with opened(scene.sources.path, "the downloads") as root:
        assert root.status(FILM).st_size == 3_000_000
    with pytest.raises(UnreachableError):
        root.status(FILM)


def test_an_unforeseen_error_of_the_disk_counts_as_unreachable() -> None:
    fault = fault_of("the library", OSError(errno.EIO, "x", "/srv/films"))
    assert type(fault) is UnreachableError
    assert "/srv" not in str(fault)
