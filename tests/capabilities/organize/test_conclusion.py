from dataclasses import replace

import pytest

from capabilities.adapters.media.facts import DynamicRange, MediaFacts
from capabilities.organize.conclusion import conclude
from capabilities.organize.import_plan import (
    FrozenSource,
    OrganizePlan,
    PlannedFile,
)
from capabilities.organize.placing import OnShelf
from capabilities.rules.works import WorkKind
from ledger.clock import new_id
from ledger.stores import plans, shelf
from ledger.stores.plans import Plan, PlanState
from ledger.stores.shelf import RecordRow
from tests.scene import Scene

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
    await scene.write(lambda tx: conclude(tx, scene.ledger, plan, "rec_1", [one]))
    work = await scene.work_id(LANTERN)
    slots = await scene.read(lambda conn: shelf.slots(conn, work=work))
    assert [(slot.season, slot.episode, slot.state) for slot in slots] == [
        (1, 1, "satisfied"),
        (1, 2, "satisfied"),
    ]
    (shown,) = (await scene.answer("inventory.query", kind="series"))["works"]
    assert shown["gaps"] == {"1": [3]}
    (asset,) = await scene.read(shelf.assets)
    assert asset.streams["dynamic_range"] == ["dv", "hdr10"]
    (record,) = await scene.records(plan.payload["download"])
    assert (record.state, record.last_error) == ("succeeded", None)


@pytest.mark.anyio
async def test_a_sidecar_is_no_asset(scene: Scene) -> None:
    video = double_episode()
    subtitle = video.model_copy(update={"role": "subtitle", "target": "a.srt"})
    plan = await frozen(scene, [video, subtitle])
    standing = [OnShelf(file, 1, 7, 10, None, None) for file in (video, subtitle)]
    await scene.write(lambda tx: conclude(tx, scene.ledger, plan, "rec_1", standing))
    (asset,) = await scene.read(shelf.assets)
    assert asset.path == f"{scene.folders.series}/{TARGET}"
    assert (asset.season, asset.episode, asset.streams) == (1, 1, {})
