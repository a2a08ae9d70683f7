from dataclasses import replace

import pytest

from capabilities.adapters.shelf.placements import Mode
from capabilities.kernel.targets import Reach
from capabilities.organize.import_plan import natural_key, organize_plan, reach_of
from ledger.stores.plans import payload_hash
from tests.scene import VIDEO, Scene


@pytest.mark.anyio
async def test_a_payload_comes_back_from_the_ledger_with_the_same_hash(scene: Scene) -> None:
    row = await scene.arrived()
    answer = await scene.answer("organize.plan", download=row.id)
    plan = await scene.plan(await scene.id_of(answer["plan"]))
    wanted = organize_plan(plan)
    assert wanted.payload() == plan.payload
    assert payload_hash(wanted.payload()) == plan.payload_hash
    assert wanted.mode is Mode.HARDLINK
    file = wanted.files[0]
    placed = wanted.placement(wanted.files.index(file))
    assert (placed.target, placed.source.inode, placed.digest) == (VIDEO, file.source.inode, None)


@pytest.mark.anyio
async def test_its_reach_is_its_work_library_and_size_and_moving_replaces(scene: Scene) -> None:
    row = await scene.arrived()
    answer = await scene.answer("organize.plan", download=row.id)
    wanted = organize_plan(await scene.plan(await scene.id_of(answer["plan"])))
    size = sum(file.source.size for file in wanted.files)
    added = Reach((wanted.work,), "film", None, "Films", size)
    assert reach_of(wanted) == added
    for changed in ({"add_only": False}, {"replaces": ["a.mkv"]}):
        assert reach_of(wanted.model_copy(update=changed)) == replace(added, replaces=True)


def test_one_torrent_is_organised_at_a_time() -> None:
    assert natural_key("ab" * 20) == f"organize:{'ab' * 20}"
