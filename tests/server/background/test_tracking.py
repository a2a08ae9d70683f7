import shutil
from pathlib import Path

import pytest

from capabilities.adapters.downloader.embedded import EmbeddedDownloader, open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.rules.stalling import clock_of
from ledger import segments
from ledger.segments import Standing
from ledger.stores import blocklist, downloads, events, tasks
from ledger.stores.decisions import DecisionKind
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskState
from server.background.results import Done, Wait
from server.background.tracking import AWAY_S, OWNER_S, POLL_S
from tests.scene import Scene, run_of
from tests.server.background.torrents import attended, impatient, slow, tracker, until_state
from world.seeder import TorrentKind, make_torrent
from world.stage import RELEASE

ALONE = b"alone" * 200_000


@pytest.mark.anyio
async def test_a_download_under_way_is_written_down_as_the_client_reports_it(
    scene: Scene,
) -> None:
    async with slow(scene):
        row = await scene.submitted()
        assert await attended(scene, row) == Wait(POLL_S)
    now = await scene.download(row.id)
    assert now.state in {"downloading", "queued"}
    assert now.size == row.size
    assert set(now.facts) == {"rate", "peers", "clock", "told", "looked"}
    assert now.completed_at is None


@pytest.mark.anyio
async def test_a_complete_one_is_imported_next(scene: Scene) -> None:
    run = run_of("run_1")
    row = await scene.arrived(by=run)
    assert isinstance(await attended(scene, row), Done)
    now = await scene.download(row.id)
    assert (now.state, now.done) == ("completed", now.size)
    assert now.completed_at is not None
    assert (await scene.tasks(row.id))["import"].state is TaskState.QUEUED
    told = await scene.read(lambda conn: events.of_run(conn, "run_1"))
    assert told[-1].type == "download_completed"
    assert told[-1].body == {"title": RELEASE}


@pytest.mark.anyio
async def test_one_that_completes_again_is_imported_again(scene: Scene) -> None:
    row = await scene.arrived()
    await attended(scene, row)
    imported = (await scene.tasks(row.id))["import"]
    await scene.end_task(imported.id, TaskState.FAILED)
    await attended(scene, row)
    assert (await scene.tasks(row.id))["import"].state is TaskState.QUEUED


@pytest.mark.anyio
async def test_arr_34_one_that_the_client_lost_is_called_gone_after_two_looks(
    scene: Scene,
) -> None:
    run = run_of("run_1")
    row = await scene.arrived(by=run)
    await scene.client.remove(row.info_hash, delete_data=True)
    assert isinstance(await attended(scene, row), Wait)
    assert (await scene.download(row.id)).state == "submitted"
    assert await scene.decisions() == []
    assert isinstance(await attended(scene, row), Done)
    now = await scene.download(row.id)
    assert (now.state, now.last_error) == ("removed", "embedded no longer has it.")
    (asked,) = await scene.decisions()
    assert (asked.kind, asked.subject) == (DecisionKind.DOWNLOAD_FAILED, row.id)
    assert [slot.state for slot in await scene.slots()] == ["wanted"]
    told = await scene.read(lambda conn: events.of_run(conn, "run_1"))
    assert told[-1].type == "download_failed"
    assert told[-1].body["sentence"] == "embedded no longer has it."


@pytest.mark.anyio
async def test_what_somebody_removed_is_not_taken_for_a_bad_release(scene: Scene) -> None:
    row = await scene.arrived()
    await scene.client.remove(row.info_hash, delete_data=True)
    for _ in range(2):
        await attended(scene, row)
    assert await scene.read(lambda conn: blocklist.standing(conn, row.work)) == []
    assert "next" not in await scene.tasks(row.id)


@pytest.mark.anyio
async def test_arr_34_one_that_was_only_missed_once_goes_on(scene: Scene) -> None:
    async with slow(scene):
        row = await scene.submitted()
        await scene.client.remove(row.info_hash, delete_data=True)
        assert isinstance(await attended(scene, row), Wait)
        torrent = scene.stage.seed.torrent_bytes
        await scene.client.add(AddRequest(torrent, scene.folders.downloads))
        assert await attended(scene, row) == Wait(POLL_S)
        await scene.client.remove(row.info_hash, delete_data=True)
        assert isinstance(await attended(scene, row), Wait)
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_what_was_removed_by_us_is_nothing_to_ask_about(scene: Scene) -> None:
    row = await scene.arrived()
    await scene.client.remove(row.info_hash, delete_data=True)
    await scene.turn(row.id, "removed")
    assert isinstance(await attended(scene, row), Done)
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_one_that_was_moved_to_another_client_is_followed_there(
    scene: Scene, tmp_path: Path
) -> None:
    """SUB-11: a torrent is moved to a second client."""
    row = await scene.arrived()
    await scene.client.remove(row.info_hash, delete_data=False)
    state, files = tmp_path / "state", scene.folders.downloads
    async with open_embedded(state, files, LoopbackProfile(), name="second") as second:
        await second.add(AddRequest(scene.stage.seed.torrent_bytes, files))
        await until_state(second, row.info_hash, ClientState.SEEDING)
        both = tracker(scene, scene.client, second)
        assert isinstance(await attended(scene, row, both), Done)
    now = await scene.download(row.id)
    assert (now.client, now.state) == ("second", "completed")
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_one_that_cannot_be_written_has_failed(scene: Scene, tmp_path: Path) -> None:
    row = await scene.submitted()
    source = tmp_path / "alone.mkv"
    source.write_bytes(ALONE)
    files = tmp_path / "client" / "files"
    (files / source.name).mkdir(parents=True)
    async with impatient(tmp_path / "client") as client:
        added = await client.add(AddRequest(make_torrent(source), files))
        await scene.turn(row.id, "submitted", info_hash=added.key)
        await until_state(client, added.key, ClientState.FAILED)
        for _ in range(2):
            assert isinstance(await attended(scene, row, tracker(scene, client)), Done)
    now = await scene.download(row.id)
    assert now.state == "failed"
    assert now.last_error is not None
    (asked,) = await scene.decisions()
    assert asked.kind is DecisionKind.DOWNLOAD_FAILED
    assert now.last_error in asked.title
    assert [slot.state for slot in await scene.slots()] == ["wanted"]
    # Any other release would meet the same folder.
    assert await scene.read(lambda conn: blocklist.standing(conn, row.work)) == []
    assert "next" not in await scene.tasks(row.id)


@pytest.mark.anyio
async def test_files_that_are_gone_hold_it_until_the_owner_decides(
    scene: Scene, tmp_path: Path
) -> None:
    row = await scene.submitted()
    source = tmp_path / "alone.mkv"
    source.write_bytes(ALONE)
    files = tmp_path / "client" / "files"
    files.mkdir(parents=True)
    shutil.copy(source, files)
    async with impatient(tmp_path / "client") as client:
        added = await client.add(AddRequest(make_torrent(source), files))
        await until_state(client, added.key, ClientState.SEEDING)
    (files / source.name).unlink()
    await scene.turn(row.id, "downloading", info_hash=added.key)
    async with impatient(tmp_path / "client") as client:
        await until_state(client, added.key, ClientState.MISSING_FILES)
        assert await attended(scene, row, tracker(scene, client)) == Wait(OWNER_S)
        # Its task is woken when that is seen, and not whenever a torrent changes.
        await scene.turn(row.id, "downloading")
        assert await noted(scene, row, client) is Standing.QUEUED
        assert await noted(scene, row, client) is Standing.WAITING
    (asked,) = await scene.decisions()
    assert asked.kind is DecisionKind.DOWNLOAD_FAILED
    assert "are gone" in asked.title


async def noted(scene: Scene, row: DownloadRow, client: EmbeddedDownloader) -> Standing:
    """How its waiting task stands after a note of what the client reports."""
    id_ = (await scene.tasks(row.id))["track"].id
    waiting = Standing.WAITING
    await scene.write(lambda tx: segments.advance(tx, "task", id_, waiting, progress=False))
    await tracker(scene, client).note(client)
    segment = await scene.read(lambda conn: segments.of(conn, "task", id_))
    assert segment is not None
    return segment.state


@pytest.mark.anyio
async def test_a_client_that_is_away_or_unknown_is_waited_for(scene: Scene, tmp_path: Path) -> None:
    async with slow(scene), impatient(tmp_path / "client") as closed:
        row = await scene.submitted()
        await until_state(scene.client, row.info_hash, ClientState.DOWNLOADING)
        assert await attended(scene, row) == Wait(POLL_S)
    assert clock_of((await scene.download(row.id)).facts).ran_at is not None
    assert await attended(scene, row, tracker(scene, closed)) == Wait(AWAY_S)
    # Nobody knows what came meanwhile, so the time does not count.
    assert clock_of((await scene.download(row.id)).facts).ran_at is None
    await scene.write(lambda tx: downloads.change(tx, row.id, client="attic"))
    assert await attended(scene, row) == Wait(AWAY_S)


@pytest.mark.anyio
async def test_a_task_whose_download_is_gone_is_done(scene: Scene) -> None:
    row = await scene.submitted()
    task = (await scene.tasks(row.id))["track"]
    await scene.write(lambda tx: tx.conn.exec_driver_sql("DELETE FROM download"))
    assert isinstance(await tracker(scene).attend(task), Done)


@pytest.mark.anyio
async def test_a_note_writes_what_the_client_reports_and_leaves_others_alone(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    await tracker(scene).note(scene.client)
    now = await scene.download(row.id)
    assert (now.state, now.done) == ("seeding", now.size)
    assert now.completed_at is None
    await scene.turn(row.id, "importing", completed_at=scene.ledger.now(), done=1)
    await tracker(scene).note(scene.client)
    assert (await scene.download(row.id)).done == 1


@pytest.mark.anyio
async def test_a_note_does_not_revive_what_is_over(scene: Scene) -> None:
    row = await scene.arrived()
    await scene.turn(row.id, "removed")
    await tracker(scene).note(scene.client)
    assert (await scene.download(row.id)).state == "removed"


@pytest.mark.anyio
async def test_a_note_knows_a_torrent_by_every_hash_it_has(scene: Scene, tmp_path: Path) -> None:
    row = await scene.submitted()
    source = tmp_path / "film.mkv"
    source.write_bytes(b"film" * 50_000)
    shutil.copy(source, scene.folders.downloads)
    hashes = await scene.client.add(
        AddRequest(make_torrent(source, kind=TorrentKind.HYBRID), scene.folders.downloads)
    )
    assert hashes.v2 is not None
    await scene.turn(row.id, "metadata", info_hash=hashes.v2)
    await scene.until_complete(hashes.v2)
    await tracker(scene).note(scene.client)
    assert (await scene.download(row.id)).state == "seeding"


@pytest.mark.anyio
async def test_a_pause_of_the_owner_is_shown_and_is_no_trouble(scene: Scene) -> None:
    async with slow(scene):
        row = await scene.submitted()
        await scene.client.pause(row.info_hash, by=Pauser.OWNER)
        assert await attended(scene, row) == Wait(POLL_S)
    assert (await scene.download(row.id)).state == "paused_by_owner"
    assert await scene.decisions() == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("state", "missed"), [(TaskState.RUNNING, True), (TaskState.WAITING, False)]
)
async def test_what_is_noted_while_its_task_looks_is_noted_once_more(
    scene: Scene, state: TaskState, *, missed: bool
) -> None:
    row = await scene.arrived()
    task = (await scene.tasks(row.id))["track"]
    await scene.write(lambda tx: tasks.change(tx, task.id, state=state))
    assert await tracker(scene).note(scene.client) is missed


@pytest.mark.anyio
async def test_what_goes_on_as_before_is_noted_once(scene: Scene) -> None:
    async with slow(scene):
        row = await scene.submitted()
        await attended(scene, row)
        task = (await scene.tasks(row.id))["track"]
        await scene.write(lambda tx: tasks.change(tx, task.id, state=TaskState.RUNNING))
        assert await tracker(scene).note(scene.client) is False
