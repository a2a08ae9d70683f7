"""What is deleted is the list that was frozen: no root, no parent, no mount, nobody else's file.

A listing of everything around it, before and after, must be equal but for that list.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.shelf.deleting import (
    MOST_FILES,
    DeleteList,
    delete,
    list_from,
    listed,
    still_there,
)
from capabilities.adapters.shelf.faults import (
    NotAFileError,
    ObstructedError,
    PathRefusedError,
    SourceChangedError,
)
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import DeclinedError, WorldFaultError
from tests.capabilities.adapters.shelf.conftest import mounted, run

pytestmark = pytest.mark.anyio

FILES = ("pack/one.mkv", "pack/subs/one.srt", "pack/two.mkv")
Listing = dict[str, tuple[int, int, int]]


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    """A download folder among other things, with a pack, a seed that has links, and odd names."""
    downloads, library = tmp_path / "downloads", tmp_path / "library"
    for name in (*FILES, "pack-of-others/one.mkv", "seed/film.mkv"):
        path = downloads / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode() * 100)
    library.mkdir()
    (library / "film.mkv").hardlink_to(downloads / "seed" / "film.mkv")
    (tmp_path / "secret.txt").write_text("not ours", "utf-8")
    (downloads / "way-out").symlink_to(tmp_path)
    (downloads / "pack-link").symlink_to("pack")
    (downloads / "film-link.mkv").symlink_to("seed/film.mkv")
    os.mkfifo(downloads / "pipe")
    with Root(downloads, "the downloads") as opened:
        yield opened


def listing(root: Root) -> Listing:
    """Everything around it, links not followed: inode, size, and names of each file."""
    found: Listing = {}
    top = root.path.parent
    for path in sorted(top.rglob("*")):
        now = path.lstat()
        folder = path.is_dir() and not path.is_symlink()
        found[str(path.relative_to(top))] = (now.st_ino, 0 if folder else now.st_size, now.st_mode)
    return found


def gone(before: Listing, after: Listing) -> set[str]:
    """What went; all the rest is as it was, and nothing is new."""
    assert {path: held for path, held in before.items() if path in after} == after
    return before.keys() - after.keys()


NEVER = {
    "the root": ".",
    "the root by no name": "",
    "the root by its own name": "../downloads",
    "its parent": "..",
    "a parent from below": "pack/../..",
    "everything": "/",
    "an absolute file": "/etc/hostname",
    "an absolute file twice over": "//etc/hostname",
    "a file beside the root": "../secret.txt",
    "a file beside it from below": "pack/../../secret.txt",
    "a file through the root": "./pack/one.mkv",
    "an empty part": "pack//one.mkv",
    "a slash at the end": "pack/",
    "a part of one dot": "pack/./one.mkv",
    "a detour": "pack/subs/../one.mkv",
    "a name with a NUL": "pack/one.mkv\0.txt",
    "a name that is no text": "pack/\udcff.mkv",
    "a part that is too long": f"pack/{'x' * 256}",
    "a folder": "pack",
    "a folder below": "pack/subs",
    "a folder of others": "pack-of-others",
    "a link to a file": "film-link.mkv",
    "a link to a folder": "pack-link",
    "a link out of the root": "way-out",
    "a file behind a link": "pack-link/one.mkv",
    "a file behind a link outwards": "way-out/secret.txt",
    "the library behind a link": "way-out/library/film.mkv",
    "a file as a folder": "pack/one.mkv/two.mkv",
    "a pipe": "pipe",
}


@pytest.mark.parametrize("name", NEVER.values(), ids=[f"P4-{what}" for what in NEVER])
@pytest.mark.parametrize("beside", [(), FILES[:1]], ids=["alone", "beside a good one"])
async def test_a_name_that_is_no_file_of_the_folder_refuses_the_whole_list(
    root: Root, name: str, beside: tuple[str, ...]
) -> None:
    before = listing(root)
    with pytest.raises((PathRefusedError, NotAFileError, ObstructedError)):
        await listed(root, [*beside, name])
    assert listing(root) == before


@pytest.mark.parametrize("below", ["..", "/", "pack/..", "pack//", "way-out", "pack-link", "pipe"])
async def test_a_save_path_that_leads_elsewhere_refuses_the_whole_list(
    root: Root, below: str
) -> None:
    before = listing(root)
    with pytest.raises(WorldFaultError):
        await listed(root, ["one.mkv", "secret.txt"], below=below)
    assert listing(root) == before


async def test_exactly_the_list_goes_with_the_folders_that_hold_nothing_else(root: Root) -> None:
    before = listing(root)
    doomed = await listed(root, FILES)
    assert [file.path for file in doomed.files] == sorted(FILES)
    assert doomed.folders == ("pack/subs", "pack")
    assert await delete(root, doomed) == ("pack/subs", "pack")
    assert gone(before, listing(root)) == {
        f"downloads/{name}" for name in (*FILES, "pack", "pack/subs")
    }
    assert await still_there(root, doomed) == []


async def test_a_hard_linked_seed_loses_its_name_and_nobody_loses_its_bytes(root: Root) -> None:
    before = listing(root)
    doomed = await listed(root, ["seed/film.mkv"])
    assert doomed.files[0].links == 2
    await delete(root, doomed)
    assert gone(before, listing(root)) == {"downloads/seed/film.mkv", "downloads/seed"}
    assert (root.path.parent / "library" / "film.mkv").read_bytes() == b"seed/film.mkv" * 100


async def test_the_folder_that_names_are_below_never_goes_nor_one_above_it(root: Root) -> None:
    before = listing(root)
    doomed = await listed(root, ["one.srt"], below="pack/subs")
    assert doomed.folders == ()
    await delete(root, doomed)
    assert gone(before, listing(root)) == {"downloads/pack/subs/one.srt"}


async def test_a_folder_in_which_somebody_else_has_something_stays(root: Root) -> None:
    doomed = await listed(root, [*FILES, "pack/not-there.nfo"])
    (root.path / "pack" / "note.txt").write_text("the owner's", "utf-8")
    before = listing(root)
    assert await delete(root, doomed) == ("pack/subs",)
    assert gone(before, listing(root)) == {f"downloads/{name}" for name in (*FILES, "pack/subs")}


async def test_what_is_mounted_there_is_never_taken_for_an_empty_folder(root: Root) -> None:
    with mounted(root.path / "pack" / "disk", "-t", "tmpfs", "-o", "size=1m", "none") as disk:
        (disk / "on-it.mkv").write_bytes(b"x")
        doomed = await listed(root, [*FILES, "pack/disk/on-it.mkv"])
        assert doomed.folders == ("pack/subs",)
        before = listing(root)
        await delete(root, doomed)
        assert gone(before, listing(root)) == {
            f"downloads/{name}" for name in (*FILES, "pack/subs", "pack/disk/on-it.mkv")
        }
        assert disk.is_mount()


async def test_a_file_that_is_a_mount_cannot_be_deleted_and_says_so(root: Root) -> None:
    there = root.path / "pack" / "one.mkv"
    with mounted(root.path / "spare", "-t", "tmpfs", "-o", "size=1m", "none") as spare:
        (spare / "other.mkv").write_bytes(b"other")
        assert run("mount", "--bind", str(spare / "other.mkv"), str(there)).returncode == 0
        try:
            doomed = await listed(root, ["pack/one.mkv"])
            with pytest.raises(WorldFaultError):
                await delete(root, doomed)
            assert there.read_bytes() == b"other"
        finally:
            assert run("umount", str(there)).returncode == 0
    assert there.read_bytes() == b"pack/one.mkv" * 100


def another_file(path: Path) -> None:
    held = path.read_bytes()
    path.rename(path.with_name("moved-away"))
    path.write_bytes(held)


def another_size(path: Path) -> None:
    path.write_bytes(b"other")


def a_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent.parent / "seed" / "film.mkv")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "turn", [another_file, another_size, a_link, a_folder], ids=lambda turn: f"P4-{turn.__name__}"
)
async def test_a_name_that_is_something_else_by_now_stops_it_before_the_first_file(
    root: Root, turn: Callable[[Path], None]
) -> None:
    doomed = await listed(root, FILES)
    turn(root.path / "pack" / "two.mkv")
    before = listing(root)
    with pytest.raises(SourceChangedError):
        await delete(root, doomed)
    assert listing(root) == before
    assert await still_there(root, doomed) == list(FILES[:2])


async def test_a_folder_that_became_a_link_leads_nowhere(root: Root) -> None:
    doomed = await listed(root, FILES)
    (root.path / "pack").rename(root.path / "pack-moved")
    (root.path / "pack").symlink_to("pack-moved")
    before = listing(root)
    with pytest.raises(ObstructedError):
        await delete(root, doomed)
    assert listing(root) == before


async def test_the_same_list_goes_on_where_an_earlier_attempt_ended(root: Root) -> None:
    doomed = await listed(root, FILES)
    (root.path / FILES[0]).unlink()
    assert await delete(root, doomed) == ("pack/subs", "pack")
    assert await delete(root, doomed) == ()


async def test_another_name_that_came_or_went_meanwhile_is_no_other_file(root: Root) -> None:
    doomed = await listed(root, FILES)
    (root.path.parent / "library" / "one.mkv").hardlink_to(root.path / FILES[0])
    await delete(root, doomed)
    assert (root.path.parent / "library" / "one.mkv").exists()


async def test_a_list_is_the_same_after_it_was_stored(root: Root) -> None:
    doomed = await listed(root, FILES)
    assert list_from(doomed.stored()) == doomed
    assert list_from(DeleteList().stored()) == DeleteList()
    assert replace(doomed, folders=()).stored() != doomed.stored()


async def test_more_files_than_anybody_reads_are_refused(root: Root) -> None:
    with pytest.raises(DeclinedError, match=str(MOST_FILES)):
        await listed(root, ["x"] * (MOST_FILES + 1))
