import os
import socket
from dataclasses import replace

import pytest
from anyio import run_process

from capabilities.adapters.shelf import freezing
from capabilities.adapters.shelf.faults import NotAFileError, NotFoundError, PathRefusedError
from capabilities.adapters.shelf.freezing import Frozen, Oddity, freeze, same, scan
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.shelf.scene import FILM, Scene

pytestmark = pytest.mark.anyio


async def test_a_file_is_frozen_as_the_disk_knows_it(scene: Scene) -> None:
    status = scene.sources.path_of(FILM).stat()
    assert await freeze(scene.sources, FILM) == Frozen(
        device=status.st_dev,
        inode=status.st_ino,
        size=3_000_000,
        mtime_ns=status.st_mtime_ns,
        links=1,
    )


async def test_a_second_link_leaves_a_file_the_same(scene: Scene) -> None:
    before = await freeze(scene.sources, FILM)
    (scene.shelf.path / "link.mkv").hardlink_to(scene.sources.path_of(FILM))
    after = await freeze(scene.sources, FILM)
    assert after.links == 2
    assert same(before, after)


@pytest.mark.parametrize("field", ["device", "inode", "size", "mtime_ns"])
async def test_any_other_change_makes_it_another(scene: Scene, field: str) -> None:
    before = await freeze(scene.sources, FILM)
    assert not same(before, replace(before, **{field: 0}))


async def test_only_regular_files_can_be_frozen(scene: Scene) -> None:
    (scene.sources.path / "link").symlink_to(FILM)
    for relative in ("pack", "link"):
        with pytest.raises(NotAFileError):
            await freeze(scene.sources, relative)
    with pytest.raises(NotFoundError):
        await freeze(scene.sources, "nothing")


async def test_a_scan_lists_every_file_and_names_what_it_refuses(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = scene.sources.path
    monkeypatch.chdir(folder)  # the address of a socket holds some hundred bytes only
    (folder / "pack/extras").mkdir()
    (folder / "pack/extras/trailer.mkv").write_bytes(b"x")
    (folder / "loop").symlink_to(".")
    os.mkfifo(folder / "pack/pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
    (folder / os.fsdecode(b"bad\xff.mkv")).write_bytes(b"x")

    seen = await scan(scene.sources)

    assert list(seen.files) == ["pack/extras/trailer.mkv", FILM]
    assert seen.files[FILM] == await freeze(scene.sources, FILM)
    assert seen.refused == {
        "bad\\xff.mkv": Oddity.UNREADABLE_NAME,
        "loop": Oddity.LINK,
        "pack/pipe": Oddity.SPECIAL,
        "socket": Oddity.SPECIAL,
    }


async def test_a_scan_can_begin_below_the_root(scene: Scene) -> None:
    (scene.sources.path / "other.mkv").write_bytes(b"x")
    assert list((await scan(scene.sources, "pack")).files) == [FILM]
    with pytest.raises(PathRefusedError):
        await scan(scene.sources, "../library")


async def test_a_very_deep_folder_is_read_to_its_end(scene: Scene) -> None:
    relative = "/".join(["d"] * 1200)
    with scene.sources.folder(relative, make=True) as handle:
        os.close(os.open("deep.mkv", os.O_CREAT | os.O_WRONLY, dir_fd=handle))
    try:
        assert f"{relative}/deep.mkv" in (await scan(scene.sources)).files
    finally:  # deeper than Python's own removal of temporary folders goes
        await run_process(["rm", "-rf", str(scene.sources.path / "d")])


async def test_a_folder_with_too_many_names_is_declined(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freezing, "MOST_FILES", 3)
    for name in "abc":
        (scene.sources.path / name).write_bytes(b"")
    with pytest.raises(DeclinedError, match="more than 3 names"):
        await scan(scene.sources)
