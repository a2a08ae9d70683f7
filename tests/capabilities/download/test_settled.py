"""A wanted file is settled once it was placed, or left out by a plan that was carried out."""

from dataclasses import replace

import pytest

from capabilities.download.settled import open_files, waiting_plans
from ledger.clock import new_id
from ledger.stores import decisions, plans, shelf
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import PlanState
from tests.capabilities.download.removing import imported
from tests.scene import Scene
from world.stage import RELEASE

pytestmark = pytest.mark.anyio


async def open_(scene: Scene, row: DownloadRow) -> list[str]:
    return await scene.read(lambda conn: open_files(conn, row, waiting_plans(conn)))


async def test_before_its_import_every_file_is_open(scene: Scene) -> None:
    row = await scene.arrived()
    assert await open_(scene, row) == [
        f"{RELEASE}/{RELEASE}.en.srt",
        f"{RELEASE}/{RELEASE}.mkv",
    ]


@pytest.mark.parametrize("id_", ["ORG-09b", "ORG-09c"])
async def test_one_file_of_several_that_has_no_place_is_named(scene: Scene, id_: str) -> None:
    del id_
    row = await imported(scene)
    assert await open_(scene, row) == []
    (record,) = await scene.records(row.id)
    first, *_ = record.placements
    await scene.write(lambda tx: shelf.change_record(tx, record.id, placements=[first]))
    assert len(await open_(scene, row)) == 1
    await scene.write(lambda tx: shelf.change_record(tx, record.id, state="failed"))
    assert len(await open_(scene, row)) == 2


async def test_a_plan_for_another_torrent_has_no_say(scene: Scene) -> None:
    row = await imported(scene)
    mine = await scene.plan(row.plan)
    payload = {**mine.payload, "info_hash": "cd" * 20, "files": [{"path": "a.mkv"}]}
    other = replace(mine, id=new_id("plan"), payload=payload, state=PlanState.SUBMITTED)
    await scene.write(lambda tx: plans.add(tx, other))
    assert await open_(scene, row) == []


async def test_org_10_what_nobody_could_tell_waits_while_the_owner_is_asked(scene: Scene) -> None:
    row = await imported(scene)
    (record,) = await scene.records(row.id)
    video = next(one for one in record.placements if one["role"] == "video")
    rest = [one for one in record.placements if one is not video]
    await scene.write(lambda tx: shelf.change_record(tx, record.id, placements=rest))
    placed = await scene.plan(record.plan)
    left = {"path": video["source"], "why": "season 5 is not known", "unidentified": True}
    later = replace(placed, id=new_id("plan"), payload={**placed.payload, "left": [left]})
    again = replace(record, id=new_id("rec"), plan=later.id, placements=[])
    await scene.write(lambda tx: plans.add(tx, later))
    await scene.write(lambda tx: shelf.open_record(tx, again))
    assert await open_(scene, row) == []
    question = NewDecision(DecisionKind.IMPORT_UNIDENTIFIED, f"identify:{row.id}", "Which is it?")
    await scene.write(lambda tx: decisions.raise_(tx, question, scene.ledger.now()))
    assert await open_(scene, row) == [video["source"]]
