from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.media.facts import DynamicRange, MediaFacts
from capabilities.organize.conclusion import Concluded, conclude
from capabilities.organize.import_plan import (
    FrozenSource,
    OrganizePlan,
    PlannedFile,
)
from capabilities.organize.placing import OnShelf
from capabilities.rules.works import WorkKind
from ledger.clock import new_id
from ledger.stores import assets, plans, shelf
from ledger.stores.assets import Change
from ledger.stores.plans import Plan, PlanState
from ledger.stores.shelf import AssetRow, RecordRow
from tests.left_behind import frozen as frozen_import
from tests.scene import IMPORT, Scene

LANTERN = "tmdb:series:900001"
TARGET = "Lantern Street (2019)/Season 01/Lantern Street - S01E01-E02.mkv"


def double_episode() -> PlannedFile:
    source = FrozenSource(path="a.mkv", device=1, inode=7, size=10, mtime_ns=1)
    return PlannedFile(source=source, target=TARGET, role="video", season=1, episodes=[1, 2])


async def frozen(scene: Scene, files: list[PlannedFile]) -> Plan:
    row = await scene.submitted()
    await scene.work(id_=LANTERN)
    wanted = OrganizePlan(
        download=row.id,
        info_hash=row.info_hash,
        work=await scene.work_id(LANTERN),
        kind=WorkKind.SERIES,
        quality="1080p",
        folder=str(scene.folders.series),
        files=files,
        left=[],
        replaces=[],
        add_only=True,
        import_={"mode": "hardlink"},
    )
    plan = replace(
        await scene.plan(row.plan),
        id=new_id("plan"),
        type="organize",
        state=PlanState.FROZEN,
        payload=wanted.payload(),
        parent=row.plan,
    )
    at = scene.ledger.now()
    record = RecordRow(
        "rec_1", plan.id, row.id, wanted.work, None, "failed", [], [], None, "before", at, at
    )
    await scene.write(lambda tx: plans.add(tx, plan))
    await scene.write(lambda tx: shelf.open_record(tx, record))
    return plan


@pytest.mark.anyio
async def test_a_file_with_two_episodes_satisfies_both_and_leaves_no_gap_for_either(
    scene: Scene,
) -> None:
    file = double_episode()
    plan = await frozen(scene, [file])
    ranges = frozenset({DynamicRange.HDR10, DynamicRange.DOLBY_VISION})
    facts = MediaFacts("Matroska", 2880.0, 1920, 1080, "AVC", ranges, (), (), truncated=False)
    one = OnShelf(file, 1, 7, 10, None, facts)
    await scene.write(lambda tx: conclude(tx, scene.ledger, Concluded(plan, "rec_1", [one])))
    work = await scene.work_id(LANTERN)
    slots = await scene.read(lambda conn: shelf.slots(conn, work=work))
    assert [(slot.season, slot.episode, slot.state) for slot in slots] == [
        (1, 1, "satisfied"),
        (1, 2, "satisfied"),
    ]
    (shown,) = (await scene.answer("inventory.query", kind="series"))["works"]
    assert shown["gaps"] == {"1": [3]}
    (told,) = shown["files"]
    assert (told["season"], told["episode"], told["episodes"]) == (1, 1, [1, 2])
    (asset,) = await scene.read(shelf.assets)
    assert asset.streams["dynamic_range"] == ["dv", "hdr10"]
    (record,) = await scene.records(plan.payload["download"])
    assert (record.state, record.last_error) == ("succeeded", None)


@pytest.mark.anyio
async def test_a_file_with_two_episodes_holds_the_second_one_again_when_its_own_file_is_gone(
    scene: Scene,
) -> None:
    plan = await frozen(scene, [double_episode()])
    one = OnShelf(double_episode(), 1, 7, 10, None, None)
    await scene.write(lambda tx: conclude(tx, scene.ledger, Concluded(plan, "rec_1", [one])))
    work = await scene.work_id(LANTERN)
    (double,) = await scene.read(shelf.assets)
    second = replace(double, id="asset_2", path="/srv/2.mkv", episode=2, record="plan_0")
    await scene.write(lambda tx: assets.put_many(tx, [second]))
    await scene.write(
        lambda tx: shelf.move_slot(tx, work, 1, 2, state="satisfied", asset_id="asset_2")
    )
    (shown,) = (await scene.answer("inventory.query", kind="series"))["works"]
    await scene.write(lambda tx: assets.forget(tx, ["asset_2"]))
    again = await scene.read(lambda conn: shelf.slots(conn, work=work))
    await scene.write(lambda tx: assets.forget(tx, [double.id]))
    gone = await scene.read(lambda conn: shelf.slots(conn, work=work))

    assert {one["path"]: one.get("episodes") for one in shown["files"]} == {
        double.path: [1, 2],
        "/srv/2.mkv": None,
    }
    assert [(slot.state, slot.asset) for slot in again] == [("satisfied", double.id)] * 2
    assert [(slot.state, slot.asset) for slot in gone] == [("missing", None)] * 2


@pytest.mark.anyio
async def test_what_was_read_of_a_file_is_not_read_again_while_it_stays_as_it_is(
    scene: Scene,
) -> None:
    plan = await frozen_import(scene)
    await scene.answer("organize.execute", IMPORT, plan=plan.id)
    (placed,) = await scene.read(shelf.assets)
    now = as_it_stands(placed)
    await scene.write(lambda tx: assets.change(tx, [now], scene.ledger.now()))
    (seen,) = await scene.read(shelf.assets)

    assert placed.mtime_ns == now.mtime_ns
    assert placed.probed_at is not None
    assert placed.streams["width"]
    assert seen.probed_at == placed.probed_at
    assert await scene.read(lambda conn: assets.unprobed(conn, limit=5)) == []


def as_it_stands(row: AssetRow) -> Change:
    """What a look at the library finds of a file."""
    now = Path(row.path).stat()
    return Change(row.id, row.path, now.st_size, now.st_dev, now.st_ino, now.st_mtime_ns)


@pytest.mark.anyio
async def test_a_sidecar_is_no_asset(scene: Scene) -> None:
    video = double_episode()
    subtitle = video.model_copy(update={"role": "subtitle", "target": "a.srt"})
    plan = await frozen(scene, [video, subtitle])
    standing = [OnShelf(file, 1, 7, 10, None, None) for file in (video, subtitle)]
    await scene.write(lambda tx: conclude(tx, scene.ledger, Concluded(plan, "rec_1", standing)))
    (asset,) = await scene.read(shelf.assets)
    assert asset.path == f"{scene.folders.series}/{TARGET}"
    assert (asset.season, asset.episode, asset.streams) == (1, 1, {})
