from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import Transfer
from capabilities.adapters.shelf.faults import NotAFileError
from capabilities.adapters.shelf.roots import opened
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
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
    transfer = await finished(await scene.arrived(), context(scene))
    path = f"{RELEASE}/{RELEASE}.mkv"
    now = (scene.folders.downloads / path).stat()
    async with opened(scene.folders.downloads, "the downloads") as root:
        held = await frozen([path], root, transfer)
        assert held[path].frozen().inode == now.st_ino
        assert (held[path].path, held[path].size, held[path].mtime_ns) == (
            path,
            now.st_size,
            now.st_mtime_ns,
        )
        with pytest.raises(NotAFileError):
            await frozen([RELEASE], root, transfer)


@pytest.mark.anyio
@pytest.mark.parametrize("linked", [False, True])
async def test_files_are_where_the_client_says_they_are(scene: Scene, *, linked: bool) -> None:
    transfer = await finished(await scene.arrived(), context(scene))
    downloads = scene.folders.downloads
    (downloads / "films").mkdir()
    (downloads / RELEASE).rename(downloads / "films" / RELEASE)
    link = downloads.parent / "another name of it"
    link.symlink_to(downloads)
    there = replace(transfer, save_path=(link if linked else downloads) / "films")
    path = f"{RELEASE}/{RELEASE}.mkv"
    async with opened(downloads, "the downloads") as root:
        held = await frozen([path], root, there)

    assert held[path].path == f"films/{path}"
    link.unlink()
    (downloads / "films" / RELEASE).rename(downloads / RELEASE)


async def refused(scene: Scene, transfer: Transfer, path: str) -> Refused:
    async with opened(scene.folders.downloads, "the downloads") as root:
        with pytest.raises(HaltError) as raised:
            await frozen([path], root, transfer)
    assert isinstance(raised.value.outcome, Refused)
    return raised.value.outcome


@pytest.mark.anyio
async def test_what_lies_elsewhere_is_refused_by_both_its_names(scene: Scene) -> None:
    transfer = await finished(await scene.arrived(), context(scene))
    theirs, ours = Path("/data/other"), Path("/srv/other")
    elsewhere = replace(transfer, save_path=ours, client_path=theirs)
    outcome = await refused(scene, elsewhere, f"{RELEASE}/{RELEASE}.mkv")

    assert outcome.code is Code.PRECONDITION
    assert outcome.needs["reported"] == str(theirs)
    assert outcome.needs["looked_for"] == str(ours)
    assert str(theirs) in outcome.sentence
    assert f"not inside of {scene.folders.downloads}" in outcome.sentence


@pytest.mark.anyio
async def test_what_is_not_where_the_client_says_is_refused_by_both_its_names(
    scene: Scene,
) -> None:
    transfer = await finished(await scene.arrived(), context(scene))
    downloads, path = scene.folders.downloads, f"{RELEASE}/{RELEASE}.mkv"
    mapped = replace(transfer, client_path=Path("/data"))
    file = downloads / path
    file.rename(file.with_suffix(".aside"))
    outcome = await refused(scene, mapped, path)
    file.with_suffix(".aside").rename(file)

    assert outcome.needs["reported"] == f"/data/{path}"
    assert outcome.needs["looked_for"] == str(downloads / path)
    assert "nothing of that name" in outcome.sentence


@pytest.mark.anyio
async def test_a_file_of_another_size_is_not_the_one_that_was_fetched(scene: Scene) -> None:
    transfer = await finished(await scene.arrived(), context(scene))
    path = f"{RELEASE}/{RELEASE}.mkv"
    size = next(file.size for file in transfer.files if file.path == path)
    (scene.folders.downloads / path).write_bytes(b"shorter")
    outcome = await refused(scene, transfer, path)

    assert f"7 bytes instead of {size}" in outcome.sentence
