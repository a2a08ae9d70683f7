from dataclasses import replace

import pytest

from capabilities.adapters.shelf.faults import NotAFileError, NotFoundError
from capabilities.adapters.shelf.roots import opened
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.sources import approved, finished, frozen
from tests.scene import KEY, Scene
from world.stage import RELEASE


def context(scene: Scene) -> Context:
    return Context(KEY, scene.ledger, scene.parts, "request", "call")


@pytest.mark.anyio
async def test_a_finished_download_is_the_clients_word(scene: Scene) -> None:
    row = await scene.arrived()
    transfer = await finished(row, context(scene))
    assert transfer.complete
    assert {file.path.rpartition(".")[2] for file in transfer.files} == {"mkv", "srt"}


@pytest.mark.anyio
async def test_what_the_client_does_not_have_is_not_finished(scene: Scene) -> None:
    row = await scene.arrived()
    await scene.client.remove(row.info_hash, delete_data=True)
    with pytest.raises(HaltError, match="no longer has this download"):
        await finished(row, context(scene))


@pytest.mark.anyio
async def test_what_the_plan_did_not_ask_for_is_told_apart(scene: Scene) -> None:
    row = await scene.arrived()
    transfer = await finished(row, context(scene))
    parent = await scene.plan(row.plan)
    assert approved(transfer, parent) == (list(transfer.files), [])
    video, subtitle = sorted(transfer.files, key=lambda file: -file.size)
    files = [file for file in parent.payload["files"] if file["index"] == video.index]
    part = replace(parent, payload={**parent.payload, "files": files})
    assert approved(transfer, part) == ([video], [subtitle])
    unfetched = tuple(replace(file, wanted=file is video) for file in transfer.files)
    assert approved(replace(transfer, files=unfetched), parent) == ([unfetched[video.index]], [])


@pytest.mark.anyio
async def test_sources_are_frozen_as_the_disk_has_them(scene: Scene) -> None:
    await scene.arrived()
    path = f"{RELEASE}/{RELEASE}.mkv"
    now = (scene.folders.downloads / path).stat()
    async with opened(scene.folders.downloads, "the downloads") as root:
        held = await frozen([path], root)
        assert held[path].frozen().inode == now.st_ino
        assert (held[path].size, held[path].mtime_ns) == (now.st_size, now.st_mtime_ns)
        with pytest.raises(NotAFileError):
            await frozen([RELEASE], root)
        with pytest.raises(NotFoundError):
            await frozen(["nothing.mkv"], root)
