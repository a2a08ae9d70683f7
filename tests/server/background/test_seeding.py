"""What seeds is asked about once it gave enough, with the exact list; nothing goes by itself."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from capabilities.adapters.downloader.embedded import EmbeddedDownloader
from capabilities.adapters.downloader.port import (
    AddRequest,
    ClientState,
    Downloader,
    Downloaders,
    Pauser,
    Transfer,
)
from capabilities.adapters.shelf.folders import Folders
from capabilities.download.standing_still import CHECKED_FACT
from capabilities.kernel.codes import Code
from capabilities.rules.seeding import SeedingGoals, WhenSeeded
from ledger.clock import new_id
from ledger.stores import downloads, plans, releases, shelf
from ledger.stores.plans import PlanState
from ledger.tables import media
from server.background.seeding import ASKED_AGAIN, EVERY_S, KIND, Seeding
from tests.capabilities.download.removing import (
    imported,
    listing,
    lost_by_the_library,
    own,
    source,
    took,
)
from tests.capabilities.download.submitting import another_client
from tests.scene import SUBTITLE, Scene
from tests.server.background.seeds import AT_ONCE, choose, given, goals, turn

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
async def afterwards(scene: Scene) -> AsyncGenerator[None]:
    yield
    for transfer in await scene.client.transfers():
        await scene.client.remove(transfer.hashes.key, delete_data=False)


async def test_one_that_gave_enough_is_asked_about_once_with_its_list(
    scene: Scene, tmp_path: Path
) -> None:
    await goals(scene, AT_ONCE)
    row = await given(scene, tmp_path)
    before = listing(scene)
    (asked,) = await turn(scene)
    assert [option["id"] for option in asked.options] == ["remove", "delete", "dismiss"]
    assert asked.subject == row.id
    assert asked.evidence["ratio"] > 0
    assert "The goal is reached" in asked.evidence["sentence"]
    assert any(line.startswith("file: ") for line in asked.evidence["list"])
    (again,) = await turn(scene)
    assert again.id == asked.id
    assert listing(scene) == before
    assert len(await scene.client.transfers()) == 1
    assert await choose(scene, asked, "delete") is None
    assert took(before, listing(scene)) == own(".mkv", ".en.srt")
    assert await scene.client.transfers() == []
    assert await scene.decisions() == []
    assert (await scene.download(row.id)).state == "removed"


async def test_one_that_may_go_keeps_its_files_where_that_is_chosen(
    scene: Scene, tmp_path: Path
) -> None:
    await goals(scene, AT_ONCE)
    row = await given(scene, tmp_path)
    before = listing(scene, links=True)
    (asked,) = await turn(scene)
    assert await choose(scene, asked, "remove") is None
    assert listing(scene, links=True) == before
    assert (await scene.download(row.id)).state == "removed"


async def test_a_list_that_changed_since_it_was_shown_is_a_conflict_and_asked_anew(
    scene: Scene, tmp_path: Path
) -> None:
    await goals(scene, AT_ONCE)
    await given(scene, tmp_path)
    (asked,) = await turn(scene)
    lost_by_the_library(scene)
    before = listing(scene, links=True)
    refused = await choose(scene, asked, "delete")
    assert refused is not None
    assert refused.code is Code.CONFLICT
    assert listing(scene, links=True) == before
    assert len(await scene.client.transfers()) == 1
    scene.base.time.ahead = ASKED_AGAIN + timedelta(minutes=1)
    (anew,) = await turn(scene)
    assert anew.id != asked.id
    assert "lost for good" in anew.evidence["loses"]


async def test_one_that_is_left_alone_is_not_asked_about_again(
    scene: Scene, tmp_path: Path
) -> None:
    await goals(scene, AT_ONCE)
    await given(scene, tmp_path)
    (asked,) = await turn(scene)
    await choose(scene, asked, "dismiss")
    scene.base.time.ahead = 2 * ASKED_AGAIN
    assert await turn(scene) == []
    assert len(await scene.client.transfers()) == 1


async def test_where_a_link_needs_its_files_only_the_torrent_may_go(
    scene: Scene, tmp_path: Path
) -> None:
    await goals(scene, AT_ONCE)
    await given(scene, tmp_path)
    (scene.folders.films / "link").symlink_to(source(scene))
    (asked,) = await turn(scene)
    assert [option["id"] for option in asked.options] == ["remove", "dismiss"]
    assert "is a link to them" in asked.evidence["files_stay"]


async def test_one_that_has_to_give_more_is_not_asked_about(scene: Scene) -> None:
    await goals(scene, SeedingGoals(ratio=2.0, then=WhenSeeded.ASK_TO_REMOVE))
    await imported(scene)
    assert await turn(scene) == []


async def test_a_goal_that_was_raised_meanwhile_takes_the_question_back(
    scene: Scene, tmp_path: Path
) -> None:
    await goals(scene, AT_ONCE)
    await given(scene, tmp_path)
    assert len(await turn(scene)) == 1
    await goals(scene, SeedingGoals(ratio=900.0, then=WhenSeeded.ASK_TO_REMOVE))
    assert await turn(scene) == []
    await goals(scene, SeedingGoals(ratio=0.0001))
    assert await turn(scene) == []


async def test_what_a_tracker_asks_at_least_is_waited_for(scene: Scene, tmp_path: Path) -> None:
    await goals(scene, AT_ONCE)
    row = await given(scene, tmp_path)
    release = await scene.read(lambda conn: releases.by_id(conn, row.release))
    assert release is not None
    found = {**release.found, "minimum_ratio": 900.0}
    table = media.release
    await scene.write(
        lambda tx: tx.conn.execute(
            table.update().where(table.c.id == row.release).values(found=found)
        )
    )
    assert await turn(scene) == []


@pytest.mark.parametrize("id_", ["ORG-09b"])
async def test_while_a_wanted_file_has_no_place_its_torrent_is_not_asked_about(
    scene: Scene, tmp_path: Path, id_: str
) -> None:
    del id_
    await goals(scene, AT_ONCE)
    row = await given(scene, tmp_path)
    (record,) = await scene.records(row.id)
    first = [one for one in record.placements if one["target"] == SUBTITLE]
    await scene.write(lambda tx: shelf.change_record(tx, record.id, placements=first))
    assert await turn(scene) == []
    await scene.write(lambda tx: shelf.change_record(tx, record.id, placements=record.placements))
    assert len(await turn(scene)) == 1


@pytest.mark.parametrize("id_", ["ORG-09c"])
async def test_while_another_plan_waits_for_files_of_the_same_torrent_it_stays(
    scene: Scene, tmp_path: Path, id_: str
) -> None:
    del id_
    await goals(scene, AT_ONCE)
    row = await given(scene, tmp_path)
    mine = await scene.plan(row.plan)
    payload = {**mine.payload, "files": [{"index": 9, "path": "S02/E01.mkv", "size": 1}]}
    other = replace(mine, id=new_id("plan"), payload=payload, state=PlanState.SUBMITTED)
    await scene.write(lambda tx: plans.add(tx, other))
    assert await turn(scene) == []
    await scene.write(lambda tx: plans.move(tx, other.id, PlanState.DONE))
    assert len(await turn(scene)) == 1


async def test_one_that_is_gone_from_its_client_is_only_written_down(scene: Scene) -> None:
    row = await imported(scene)
    await scene.client.remove(row.info_hash, delete_data=False)
    assert await turn(scene) == []
    assert (await scene.download(row.id)).state == "imported"
    assert await turn(scene) == []
    now = await scene.download(row.id)
    assert (now.state, now.last_error) == (
        "removed",
        "embedded no longer has it. What is in the library stays.",
    )
    assert [slot.state for slot in await scene.slots()] == ["satisfied"]


async def test_one_that_was_missed_once_and_is_back_is_missed_anew(scene: Scene) -> None:
    row = await imported(scene)
    for _ in range(2):
        await scene.client.remove(row.info_hash, delete_data=False)
        assert await turn(scene) == []
        await scene.client.add(AddRequest(scene.stage.seed.torrent_bytes, scene.folders.downloads))
        assert await turn(scene) == []
    assert (await scene.download(row.id)).state == "imported"


class Forgetful:
    """A client whose list lacks what it has, as while it starts."""

    def __init__(self, client: EmbeddedDownloader) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def transfers(self) -> list[Transfer]:
        return []


async def test_what_a_list_lacks_and_its_client_has_is_not_gone(scene: Scene) -> None:
    row = await imported(scene)
    client = cast("Downloader", Forgetful(scene.client))
    for _ in range(3):
        await turn(scene.having(Downloaders((client,), scene.client.name)))
    assert (await scene.download(row.id)).state == "imported"


@pytest.mark.parametrize("id_", ["ORG-27"])
async def test_one_that_was_moved_to_another_client_is_followed_there(
    scene: Scene, tmp_path: Path, id_: str
) -> None:
    del id_
    row = await imported(scene)
    async with another_client(tmp_path, "attic") as attic:
        await scene.client.remove(row.info_hash, delete_data=False)
        await attic.add(AddRequest(scene.stage.seed.torrent_bytes, scene.folders.downloads))
        await turn(scene.having(Downloaders((scene.client, attic), "embedded")))
    now = await scene.download(row.id)
    assert (now.state, now.client) == ("imported", "attic")


async def test_while_a_client_does_not_answer_nothing_is_gone(scene: Scene, tmp_path: Path) -> None:
    row = await imported(scene)
    await scene.client.remove(row.info_hash, delete_data=False)
    async with another_client(tmp_path, "attic") as attic:
        pass
    await turn(scene.having(Downloaders((scene.client, attic), "embedded")))
    assert (await scene.download(row.id)).state == "imported"


@pytest.mark.parametrize("id_", ["arr-31"])
async def test_one_that_its_client_removed_before_its_import_is_said_until_it_is_back(
    scene: Scene, id_: str
) -> None:
    del id_
    row = await scene.arrived()
    await scene.turn(row.id, "completed", completed_at=scene.ledger.now(), done=row.size)
    assert await turn(scene) == []
    await scene.client.remove(row.info_hash, delete_data=False)
    (told,) = await turn(scene)
    assert told.title.endswith("embedded removed it before it was imported")
    assert "limit on ratio or time" in told.evidence["sentence"]
    await scene.client.add(AddRequest(scene.stage.seed.torrent_bytes, scene.folders.downloads))
    assert await turn(scene) == []


async def test_what_was_stopped_for_a_check_runs_again_once_it_is_whole(scene: Scene) -> None:
    row = await imported(scene)
    await scene.client.pause(row.info_hash, by=Pauser.US)
    await scene.write(lambda tx: downloads.change(tx, row.id, facts={CHECKED_FACT: True}))
    await turn(scene)
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    assert transfer.state is ClientState.SEEDING
    assert CHECKED_FACT not in (await scene.download(row.id)).facts


@pytest.mark.parametrize("id_", ["ORG-03"])
async def test_a_file_that_went_from_the_library_removes_nothing(scene: Scene, id_: str) -> None:
    del id_
    await imported(scene)
    lost_by_the_library(scene)
    before = listing(scene, links=True)
    assert await turn(scene) == []
    assert listing(scene, links=True) == before
    assert len(await scene.client.transfers()) == 1


async def test_it_is_due_every_quarter_of_an_hour(scene: Scene) -> None:
    seeding = Seeding(scene.ledger, scene.parts.get(Downloaders), scene.parts.get(Folders))
    assert (seeding.job.kind, seeding.job.every_s) == (KIND, EVERY_S)
