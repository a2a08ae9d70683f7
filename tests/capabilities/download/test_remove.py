"""A download goes from its client; of its files goes what was approved, and nothing else."""

from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.adapters.shelf.folders import Folders
from capabilities.download.removal import list_hash
from capabilities.download.remove import Input, remove
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, HaltError
from ledger.stores import decisions
from ledger.stores.grants import Scope
from ledger.stores.tasks import TaskState
from tests.capabilities.download.removing import (
    ASKER,
    CHANGES,
    REMOVE,
    dead_removal,
    failed_import,
    frozen,
    imported,
    in_claim,
    listing,
    lost_by_the_library,
    own,
    source,
    took,
)
from tests.capabilities.download.submitting import another_client
from tests.scene import OWNER, SUBTITLE, VIDEO, Scene
from world.stage import RELEASE

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
async def afterwards(scene: Scene) -> AsyncGenerator[None]:
    """No torrent is left to the next test: its client would not delete a folder of others."""
    yield
    for transfer in await scene.client.transfers():
        await scene.client.remove(transfer.hashes.key, delete_data=False)


async def test_by_default_it_goes_from_the_client_and_every_file_stays(scene: Scene) -> None:
    row = await imported(scene)
    before = listing(scene, links=True)
    answer = await scene.answer(REMOVE, OWNER, download=row.id)
    assert (answer["client"], answer["deleted"], answer["state"]) == ("embedded", [], "removed")
    assert listing(scene, links=True) == before
    assert await scene.client.transfers() == []
    now = await scene.download(row.id)
    assert now.state == "removed"
    assert now.last_error == "embedded no longer has it. Its files stay where they are."
    assert [slot.state for slot in await scene.slots()] == ["satisfied"]
    assert {task.state for task in (await scene.tasks(row.id)).values()} == {TaskState.CANCELLED}


@pytest.mark.parametrize("id_", ["ORG-03"])
async def test_with_its_data_the_hard_links_of_the_library_keep_every_byte(
    scene: Scene, id_: str
) -> None:
    del id_
    row = await imported(scene)
    before, inode = listing(scene), source(scene).stat().st_ino
    answer = await scene.answer(REMOVE, OWNER, download=row.id, delete_data=True)
    assert took(before, listing(scene)) == own(".mkv", ".en.srt")
    assert (scene.folders.films / VIDEO).stat().st_ino == inode
    assert (scene.folders.films / SUBTITLE).exists()
    assert sorted(answer["deleted"]) == [f"{RELEASE}/{RELEASE}{end}" for end in (".en.srt", ".mkv")]
    assert answer["loses"].startswith("The library has the bytes of 2 files under another name")
    assert answer["folders_deleted"] == [RELEASE]


async def test_it_always_asks_and_a_grant_for_everything_does_not_cover_it(scene: Scene) -> None:
    row = await imported(scene)
    await scene.grant("*", Scope())
    asked = await scene.refusal(
        Code.NEEDS_APPROVAL, REMOVE, ASKER, download=row.id, delete_data=True
    )
    (approval,) = await scene.approvals_of(str(asked.needs["plan"]))
    lines: list[str] = approval.card["changes"]
    assert f"file: '{RELEASE}/{RELEASE}.mkv' ({source(scene).stat().st_size} bytes)" in lines
    assert f"empty folder: '{RELEASE}'" in lines
    assert any(line.startswith("The library has the bytes of 2 files") for line in lines)
    assert len(await scene.client.transfers()) == 1


async def test_what_was_approved_is_done_once(scene: Scene) -> None:
    row = await imported(scene)
    before = listing(scene)
    await scene.approved(REMOVE, ASKER, download=row.id, delete_data=True)
    assert took(before, listing(scene)) == set()
    await scene.answer(REMOVE, ASKER, download=row.id, delete_data=True)
    assert took(before, listing(scene)) == own(".mkv", ".en.srt")
    again = await scene.refusal(Code.PRECONDITION, REMOVE, ASKER, download=row.id)
    assert again.sentence == "It was removed already. Nothing was done."


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"P4-{change.__name__}")
async def test_another_list_than_the_approved_one_is_asked_about_anew(
    scene: Scene, change: Callable[[Scene], None]
) -> None:
    row = await imported(scene)
    asked = await scene.refusal(
        Code.NEEDS_APPROVAL, REMOVE, ASKER, download=row.id, delete_data=True
    )
    await scene.decided(asked)
    change(scene)
    before = listing(scene, links=True)
    anew = await scene.refusal(
        Code.NEEDS_APPROVAL, REMOVE, ASKER, download=row.id, delete_data=True
    )
    assert anew.needs["payload_hash"] != asked.needs["payload_hash"]
    assert listing(scene, links=True) == before
    assert len(await scene.client.transfers()) == 1


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"P4-{change.__name__}")
async def test_another_list_than_the_one_that_was_shown_is_a_conflict(
    scene: Scene, change: Callable[[Scene], None]
) -> None:
    row = await imported(scene)
    shown = (await frozen(scene, row.id)).facts
    change(scene)
    before = listing(scene, links=True)
    refused = await scene.refusal(
        Code.CONFLICT,
        REMOVE,
        OWNER,
        download=row.id,
        delete_data=True,
        list_hash=list_hash(shown),
    )
    assert refused.needs["list_hash"] == list_hash((await frozen(scene, row.id)).facts)
    assert listing(scene, links=True) == before


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"P4-{change.__name__}")
async def test_a_change_between_the_claim_and_the_act_is_a_conflict(
    scene: Scene, change: Callable[[Scene], None]
) -> None:
    row = await imported(scene)
    claim = await dead_removal(scene, row)
    change(scene)
    before = listing(scene, links=True)
    given = Input(download=row.id, delete_data=True)
    with pytest.raises(HaltError) as halted:
        await remove(given, in_claim(scene, claim))
    assert isinstance(halted.value.outcome, Failed)
    assert halted.value.outcome.code is Code.CONFLICT
    assert listing(scene, links=True) == before
    assert len(await scene.client.transfers()) == 1


async def test_one_that_was_never_imported_says_what_is_lost(scene: Scene) -> None:
    row = await scene.arrived()
    before = listing(scene)
    answer = await scene.answer(REMOVE, OWNER, download=row.id, delete_data=True)
    assert took(before, listing(scene)) == own(".mkv", ".en.srt")
    assert "lost for good: it is not in the library" in answer["loses"]
    assert [slot.state for slot in await scene.slots()] == ["wanted"]


@pytest.mark.parametrize("id_", ["ORG-27"])
async def test_the_client_that_has_the_torrent_is_the_one_that_lets_it_go(
    scene: Scene, tmp_path: Path, id_: str
) -> None:
    del id_
    row = await imported(scene)
    async with another_client(tmp_path, "attic") as attic:
        await scene.client.remove(row.info_hash, delete_data=False)
        await attic.add(AddRequest(scene.stage.seed.torrent_bytes, scene.folders.downloads))
        both = scene.having(Downloaders((scene.client, attic), "embedded"))
        answer = await both.answer(REMOVE, OWNER, download=row.id)
        assert answer["client"] == "attic"
        assert await attic.transfers() == []


@pytest.mark.parametrize("id_", ["ORG-27"])
async def test_a_file_that_went_from_the_library_takes_nothing_else_with_it(
    scene: Scene, id_: str
) -> None:
    del id_
    row = await imported(scene)
    lost_by_the_library(scene)
    before = listing(scene)
    answer = await scene.answer(REMOVE, OWNER, download=row.id)
    assert listing(scene) == before
    assert answer["deleted"] == []


async def test_while_a_client_cannot_be_asked_nothing_is_done(scene: Scene, tmp_path: Path) -> None:
    row = await imported(scene)
    async with another_client(tmp_path, "attic") as attic:
        pass
    both = scene.having(Downloaders((scene.client, attic), "embedded"))
    failed = await both.failure(Code.UNAVAILABLE, REMOVE, OWNER, download=row.id, delete_data=True)
    assert failed.retry
    assert len(await scene.client.transfers()) == 1


async def test_what_no_client_has_any_more_is_only_written_down(scene: Scene) -> None:
    row = await imported(scene)
    await scene.client.remove(row.info_hash, delete_data=False)
    refused = await scene.refusal(
        Code.PRECONDITION, REMOVE, OWNER, download=row.id, delete_data=True
    )
    assert "which files are its is not known" in refused.sentence
    assert "client" not in await scene.answer(REMOVE, OWNER, download=row.id)
    assert (await scene.download(row.id)).state == "removed"


async def test_one_that_lies_outside_the_download_folder_keeps_its_files(
    scene: Scene, tmp_path: Path
) -> None:
    row = await imported(scene)
    elsewhere = scene.having(Folders(tmp_path, scene.folders.films, scene.folders.series))
    before = listing(scene, links=True)
    refused = await elsewhere.refusal(
        Code.PRECONDITION, REMOVE, OWNER, download=row.id, delete_data=True
    )
    assert "outside the download folder" in refused.sentence
    assert listing(scene, links=True) == before


async def test_a_client_that_is_no_longer_configured_is_named(scene: Scene, tmp_path: Path) -> None:
    row = await imported(scene)
    async with another_client(tmp_path, "attic") as attic:
        alone = scene.having(Downloaders((attic,), "attic"))
        refused = await alone.refusal(Code.PRECONDITION, REMOVE, OWNER, download=row.id)
    assert "'embedded' is no longer configured" in refused.sentence


async def test_a_download_that_does_not_exist_is_not_found(scene: Scene) -> None:
    await scene.failure(Code.NOT_FOUND, REMOVE, OWNER, download="dl:9")
    await scene.failure(Code.NOT_FOUND, REMOVE, OWNER, download="dl_of_nobody")


async def test_a_question_about_it_is_closed_by_it(scene: Scene) -> None:
    row = await scene.arrived()
    await scene.write(lambda tx: decisions.raise_(tx, failed_import(row.id), scene.ledger.now()))
    await scene.answer(REMOVE, OWNER, download=row.id)
    assert await scene.decisions() == []
