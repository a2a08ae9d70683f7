"""Files that the library, another torrent or an import needs are not deleted; it says by whom."""

import shutil
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.codes import Code
from capabilities.kernel.owing import IMPORT as IMPORT_TASK
from capabilities.kernel.owing import owe
from capabilities.rules.organize_policy import OrganizeMode, OrganizePolicy
from ledger.stores import shelf
from ledger.stores.downloads import DownloadRow
from tests.capabilities.download.removing import (
    REMOVE,
    imported,
    joined,
    listing,
    own,
    source,
    took,
)
from tests.capabilities.download.submitting import another_client
from tests.scene import FOLDER, OWNER, SUBTITLE, VIDEO, Scene
from world.seeder import make_torrent
from world.stage import RELEASE

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
async def afterwards(scene: Scene) -> AsyncGenerator[None]:
    """No torrent is left to the next test: its client would not delete a folder of others."""
    yield
    for transfer in await scene.client.transfers():
        await scene.client.remove(transfer.hashes.key, delete_data=False)


async def test_what_somebody_else_put_into_its_folder_stays_and_so_does_the_folder(
    scene: Scene,
) -> None:
    row = await imported(scene)
    joined(scene)
    before = listing(scene)
    answer = await scene.answer(REMOVE, OWNER, download=row.id, delete_data=True)
    assert took(before, listing(scene)) == own(".mkv", ".en.srt") - own()
    assert answer["folders_deleted"] == []


@pytest.mark.parametrize("whole", ["a file", "its folder", "the download folder"])
async def test_what_a_link_of_the_library_leads_to_is_refused_with_its_name(
    scene: Scene, whole: str
) -> None:
    row = await imported(scene)
    at = {"a file": source(scene), "its folder": source(scene).parent}
    (scene.folders.series / "Kept").mkdir()
    link = scene.folders.series / "Kept" / "film"
    link.symlink_to(at.get(whole, scene.folders.downloads))
    before = listing(scene, links=True)
    refused = await scene.refusal(
        Code.PRECONDITION, REMOVE, OWNER, download=row.id, delete_data=True
    )
    assert "the library Series: Kept/film is a link to them" in refused.sentence
    assert listing(scene, links=True) == before
    assert (await scene.answer(REMOVE, OWNER, download=row.id))["deleted"] == []
    assert listing(scene, links=True) == before


async def placed_by(scene: Scene, mode: OrganizeMode) -> DownloadRow:
    """A download that the owner had placed in this mode."""
    await scene.publish(OrganizePolicy(mode=mode))
    row = await scene.arrived()
    await scene.turn(row.id, "completed", completed_at=scene.ledger.now(), done=row.size)
    plan = (await scene.answer("organize.plan", OWNER, download=row.id))["plan"]
    await scene.answer("organize.execute", OWNER, plan=plan)
    return await scene.download(row.id)


async def test_what_was_placed_by_links_needs_its_files(scene: Scene) -> None:
    row = await placed_by(scene, OrganizeMode.SYMLINK)
    before = listing(scene, links=True)
    refused = await scene.refusal(
        Code.PRECONDITION, REMOVE, OWNER, download=row.id, delete_data=True
    )
    assert FOLDER in refused.sentence
    assert listing(scene, links=True) == before


@pytest.mark.parametrize("id_", ["ORG-09b"])
async def test_what_was_moved_into_the_library_leaves_nothing_to_delete(
    scene: Scene, id_: str
) -> None:
    del id_
    row = await placed_by(scene, OrganizeMode.MOVE)
    before = listing(scene)
    answer = await scene.answer(REMOVE, OWNER, download=row.id, delete_data=True)
    assert answer["deleted"] == []
    assert took(before, listing(scene)) == set()
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])


async def test_what_was_copied_into_the_library_is_safe_there(scene: Scene) -> None:
    row = await placed_by(scene, OrganizeMode.COPY)
    before = listing(scene)
    answer = await scene.answer(REMOVE, OWNER, download=row.id, delete_data=True)
    assert answer["loses"] == "The library has copies of 2 files."
    assert took(before, listing(scene)) == own(".mkv", ".en.srt")


async def test_a_link_that_leads_elsewhere_needs_nothing(scene: Scene) -> None:
    row = await imported(scene)
    (scene.folders.films / "elsewhere").symlink_to(scene.base.folder)
    (scene.folders.films / "nowhere").symlink_to("not-there")
    answer = await scene.answer(REMOVE, OWNER, download=row.id, delete_data=True)
    assert len(answer["deleted"]) == 2


async def test_a_file_that_is_the_librarys_own_is_refused(scene: Scene) -> None:
    row = await imported(scene)
    library = Folders(scene.folders.downloads, scene.folders.downloads, scene.folders.series)
    inside = scene.having(library)
    asset = (await scene.read(shelf.assets))[0]
    path = str(source(scene))
    await scene.write(lambda tx: shelf.put_asset(tx, replace(asset, id="asset_2", path=path)))
    before = listing(scene, links=True)
    refused = await inside.refusal(
        Code.PRECONDITION, REMOVE, OWNER, download=row.id, delete_data=True
    )
    assert "is the same file as one of them" in refused.sentence
    assert listing(scene, links=True) == before


async def test_a_download_that_is_still_to_be_imported_is_refused(scene: Scene) -> None:
    row = await scene.arrived()
    await scene.write(lambda tx: owe(tx, scene.ledger, IMPORT_TASK, row.id))
    for delete_data in (False, True):
        refused = await scene.refusal(
            Code.PRECONDITION, REMOVE, OWNER, download=row.id, delete_data=delete_data
        )
        assert "still to be placed" in refused.sentence
    assert len(await scene.client.transfers()) == 1


async def test_a_plan_for_placing_it_that_waits_for_the_owner_bars_it(scene: Scene) -> None:
    row = await scene.arrived()
    plan = (await scene.answer("organize.plan", download=row.id))["plan"]
    asked = await scene.refusal(Code.NEEDS_APPROVAL, "organize.execute", plan=plan)
    refused = await scene.refusal(Code.PRECONDITION, REMOVE, OWNER, download=row.id)
    assert "a plan for placing" in refused.sentence.lower()
    await scene.decided(asked, yes=False)
    assert (await scene.answer(REMOVE, OWNER, download=row.id))["state"] == "removed"


async def test_files_that_another_torrent_has_stay_for_it(scene: Scene, tmp_path: Path) -> None:
    row = await imported(scene)
    other = tmp_path / RELEASE
    other.mkdir()
    shutil.copy(source(scene), other)
    (other / "proof.txt").write_text("seeded by somebody else", "utf-8")
    shutil.copy(other / "proof.txt", source(scene).parent)
    added = await scene.client.add(AddRequest(make_torrent(other), scene.folders.downloads))
    await scene.until_complete(added.key)
    before = listing(scene)
    answer = await scene.answer(REMOVE, OWNER, download=row.id, delete_data=True)
    assert took(before, listing(scene)) == own(".en.srt") - own()
    (kept,) = answer["kept"]
    assert kept == f"{RELEASE}/{RELEASE}.mkv: another torrent in embedded has it"
    (left,) = await scene.client.transfers()
    assert left.hashes.key == added.key
    assert left.complete


async def test_the_same_torrent_elsewhere_keeps_all_of_its_files(
    scene: Scene, tmp_path: Path
) -> None:
    row = await imported(scene)
    before = listing(scene, links=True)
    async with another_client(tmp_path, "attic") as attic:
        await attic.add(AddRequest(scene.stage.seed.torrent_bytes, scene.folders.downloads))
        both = scene.having(Downloaders((scene.client, attic), "embedded"))
        answer = await both.answer(REMOVE, OWNER, download=row.id, delete_data=True)
        assert (answer["deleted"], len(answer["kept"])) == ([], 2)
        assert len(await attic.transfers()) == 1
    assert listing(scene, links=True) == before
