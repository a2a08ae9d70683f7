"""Fakes: found out by their list of files, with the real client and torrents that nobody shares."""

from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.kernel.codes import Code
from capabilities.rules.holding import Hold, hold_of
from ledger.stores import blocklist, events
from ledger.stores.decisions import DecisionKind
from ledger.stores.downloads import DownloadRow
from server.background.results import Done, Wait
from server.background.tracking import HELD_S
from tests.scene import OWNER, Scene, run_of
from tests.server.background.torrents import (
    FIRST,
    MIB,
    attended,
    instead,
    slow,
    torrent_of,
    tracker,
)
from world.seeder import giving

pytestmark = pytest.mark.anyio


async def fake(scene: Scene, folder: Path, *names: str) -> DownloadRow:
    """A download whose torrent holds these files besides its film."""
    async with slow(scene):
        row = await scene.submitted(by=run_of("run_1"))
        await scene.client.remove(row.info_hash, delete_data=True)
    return await instead(scene, row, torrent_of(folder, FIRST, *names))


@pytest.mark.parametrize(
    "name", [f"{FIRST}.mkv.lnk", "codec.exe", f"{FIRST}.mp4.zip", "password.rar", "film.scr"]
)
async def test_arr_23_a_fake_is_stopped_before_its_bytes_come(
    scene: Scene, tmp_path: Path, name: str
) -> None:
    row = await fake(scene, tmp_path, name)
    assert isinstance(await attended(scene, row), Wait)
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    assert (transfer.state, transfer.done_bytes) == (ClientState.PAUSED_BY_US, 0)
    now = await scene.download(row.id)
    assert now.state == "needs_owner"
    assert hold_of(now.facts) is Hold.DANGER
    (asked,) = await scene.decisions()
    assert asked.kind is DecisionKind.DANGEROUS_CONTENT
    assert list(asked.evidence["dangerous"]) == [f"{FIRST}/{name}"]
    assert [one["id"] for one in asked.options] == ["remove", "accept", "dismiss"]
    assert asked.options[0]["capability"] == "download.remove"
    (block,) = await scene.read(lambda conn: blocklist.standing(conn, None))
    assert block.info_hash == row.info_hash
    assert [slot.state for slot in await scene.slots()] == ["wanted"]
    assert "next" in await scene.tasks(row.id)
    told = await scene.read(lambda conn: events.of_run(conn, "run_1"))
    assert told[-1].type == "download_failed"


async def test_arr_23_a_size_far_off_the_approved_one_is_a_fake(
    scene: Scene, tmp_path: Path
) -> None:
    async with slow(scene):
        row = await scene.submitted()
        await scene.client.remove(row.info_hash, delete_data=True)
    row = await instead(scene, row, torrent_of(tmp_path, FIRST, size=5 * MIB))
    await attended(scene, row)
    (asked,) = await scene.decisions()
    assert "were announced, and it holds 5.24 MB" in asked.title


async def test_arr_23_names_that_come_with_the_metadata_are_looked_at_then(
    scene: Scene, tmp_path: Path
) -> None:
    """P2: nothing outside of the download folder is written of names that nobody looked at."""
    async with slow(scene):
        row = await scene.submitted()
        await scene.client.remove(row.info_hash, delete_data=True)
    raw = torrent_of(tmp_path, FIRST, "codec.exe")
    async with giving(raw, tmp_path) as seed:
        seed.limit(20_000)
        added = await scene.client.add(
            AddRequest(seed.magnet, scene.folders.downloads, peers=(seed.address,))
        )
        await scene.turn(row.id, "submitted", info_hash=added.key, facts={})
        with anyio.fail_after(5):
            async with scene.client.changes() as changes:
                while not (await stopped(scene, row)):
                    await anext(changes)
    assert scene.on_shelf() == []
    (asked,) = await scene.decisions()
    assert asked.kind is DecisionKind.DANGEROUS_CONTENT


async def stopped(scene: Scene, row: DownloadRow) -> bool:
    await tracker(scene).note(scene.client)
    await attended(scene, row)
    return (await scene.download(row.id)).state == "needs_owner"


async def test_a_fake_that_somebody_lets_run_is_stopped_again(scene: Scene, tmp_path: Path) -> None:
    row = await fake(scene, tmp_path, "codec.exe")
    await attended(scene, row)
    await scene.client.resume(row.info_hash, by=Pauser.OWNER)
    await tracker(scene).note(scene.client)
    assert (await scene.download(row.id)).state == "needs_owner"
    assert await attended(scene, row) == Wait(HELD_S, "It stands still until you decide.")
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    assert transfer.state is ClientState.PAUSED_BY_US
    assert len(await scene.decisions()) == 1


async def test_a_fake_that_the_owner_lets_go_on_runs_as_it_is(scene: Scene, tmp_path: Path) -> None:
    row = await fake(scene, tmp_path, "codec.exe")
    await attended(scene, row)
    (asked,) = await scene.decisions()
    await scene.answer("decision.resolve", OWNER, decision=asked.id, option="accept")
    assert await scene.read(lambda conn: blocklist.standing(conn, row.work)) == []
    assert [slot.state for slot in await scene.slots()] == ["in_flight"]
    await attended(scene, row)
    await attended(scene, row)
    now = await scene.download(row.id)
    assert now.state == "downloading"
    assert now.facts["accepted"] == "owner:ada"
    assert await scene.decisions() == []


async def test_p2_what_was_let_go_on_is_still_not_placed_with_what_is_dangerous(
    scene: Scene, tmp_path: Path
) -> None:
    row = await fake(scene, tmp_path, "codec.exe")
    await attended(scene, row)
    (asked,) = await scene.decisions()
    await scene.answer("decision.resolve", OWNER, decision=asked.id, option="accept")
    await scene.client.remove(row.info_hash, delete_data=True)
    folder = scene.folders.downloads / FIRST
    folder.mkdir()
    for file in (tmp_path / FIRST).iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    row = await instead(scene, row, torrent_of(tmp_path / "again", FIRST, "codec.exe"))
    await scene.until_complete(row.info_hash)
    await scene.turn(row.id, "completed", facts={"accepted": "owner:ada"})
    assert isinstance(await attended(scene, row), Done)
    refused = await scene.refusal(Code.PRECONDITION, "organize.plan", download=row.id)
    assert "dangerous files" in refused.sentence
    assert scene.on_shelf() == []


async def test_a_fake_goes_with_its_data_by_the_option_for_that(
    scene: Scene, tmp_path: Path
) -> None:
    row = await fake(scene, tmp_path, "codec.exe")
    await attended(scene, row)
    (asked,) = await scene.decisions()
    await scene.answer("decision.resolve", OWNER, decision=asked.id, option="remove")
    assert await scene.client.transfer(row.info_hash) is None
    assert (await scene.download(row.id)).state == "removed"
    assert await scene.decisions() == []
    assert list(scene.folders.downloads.rglob("*.exe")) == []


async def test_a_fake_that_is_gone_is_nothing_to_ask_about_any_more(
    scene: Scene, tmp_path: Path
) -> None:
    row = await fake(scene, tmp_path, "codec.exe")
    await attended(scene, row)
    await scene.client.remove(row.info_hash, delete_data=True)
    assert isinstance(await attended(scene, row), Wait)
    assert isinstance(await attended(scene, row), Done)
    assert (await scene.download(row.id)).state == "removed"
    assert await scene.decisions() == []


async def test_an_honest_one_is_looked_at_once(scene: Scene) -> None:
    async with slow(scene):
        row = await scene.submitted()
        await attended(scene, row)
    assert (await scene.download(row.id)).facts["looked"] is True
    assert await scene.decisions() == []
