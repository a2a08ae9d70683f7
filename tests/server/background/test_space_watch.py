"""Downloads that stand still for want of room, with the real client and the real disk."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import ClientState, Downloaders, Pauser
from capabilities.rules.holding import Hold, hold_of
from ledger.stores.decisions import DecisionKind
from ledger.stores.downloads import DownloadRow
from server.background.space_watch import EVERY_S, SpaceWatch
from tests.scene import Scene
from tests.server.background.seeds import choose
from tests.server.background.torrents import FIRST, SECOND, attended, offering, tracker

pytestmark = pytest.mark.anyio

STANDING = {ClientState.PAUSED_BY_US, ClientState.PAUSED_BY_OWNER}
FULL = 1 << 62
"""A floor that no disk reaches."""


def watch(scene: Scene, floor: int) -> SpaceWatch:
    clients = Downloaders((scene.client,), scene.client.name)
    return SpaceWatch(scene.ledger, clients, replace(scene.folders, floor_bytes=floor))


async def state(scene: Scene, row: DownloadRow) -> ClientState:
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    return transfer.state


async def test_dl_10_below_the_floor_ours_stand_still_and_go_on_above_it(
    scene: Scene, tmp_path: Path
) -> None:
    async with offering(scene, tmp_path, (FIRST,)) as house:
        row = await house.submitted(FIRST)
        await watch(house, FULL).look()
        assert await state(house, row) is ClientState.PAUSED_BY_US
        now = await house.download(row.id)
        assert (now.state, hold_of(now.facts)) == ("paused_by_us", Hold.SPACE)
        (asked,) = await house.decisions()
        assert asked.kind is DecisionKind.NO_SPACE
        assert asked.evidence["paused"] == [FIRST]
        assert {"free_gb", "floor_gb", "owed_gb", "left_gb"} < set(asked.evidence)
        assert [slot.state for slot in await house.slots()] == ["in_flight"]
        await attended(house, row)
        assert await state(house, row) is ClientState.PAUSED_BY_US
        await watch(house, 0).look()
        assert await state(house, row) not in STANDING
        await tracker(house).note(house.client)
        assert hold_of((await house.download(row.id)).facts) is None
        assert await house.decisions() == []


async def test_looking_again_asks_nothing_twice(scene: Scene, tmp_path: Path) -> None:
    async with offering(scene, tmp_path, (FIRST,)) as house:
        await house.submitted(FIRST)
        for _ in range(2):
            await watch(house, FULL).look()
        assert len(await house.decisions()) == 1


async def test_a_shortage_that_was_dismissed_ends_and_the_next_one_is_asked_about(
    scene: Scene, tmp_path: Path
) -> None:
    async with offering(scene, tmp_path, (FIRST,)) as house:
        await house.submitted(FIRST)
        await watch(house, FULL).look()
        (asked,) = await house.decisions()
        assert await choose(house, asked, "dismiss") is None
        await watch(house, FULL).look()
        assert await house.decisions() == []
        await watch(house, 0).look()
        await tracker(house).note(house.client)
        await watch(house, FULL).look()
        (anew,) = await house.decisions()
        assert anew.id != asked.id


async def test_dl_10_only_the_youngest_stands_still_where_that_is_enough(
    scene: Scene, tmp_path: Path
) -> None:
    async with offering(scene, tmp_path, (FIRST, SECOND)) as house:
        old = await house.submitted(FIRST)
        await house.turn(old.id, "submitted", work="work_other")
        house.base.time.ahead += timedelta(minutes=1)
        young = await house.submitted(SECOND)
        # What the young one still owes alone is more than any disk has.
        await house.turn(young.id, "submitted", size=FULL)
        await watch(house, 1).look()
        assert await state(house, young) is ClientState.PAUSED_BY_US
        assert await state(house, old) not in STANDING


async def test_what_the_owner_paused_is_not_let_go_on(scene: Scene, tmp_path: Path) -> None:
    async with offering(scene, tmp_path, (FIRST,)) as house:
        row = await house.submitted(FIRST)
        await house.client.pause(row.info_hash, by=Pauser.OWNER)
        await tracker(house).note(house.client)
        for floor in (FULL, 0):
            await watch(house, floor).look()
            assert await state(house, row) is ClientState.PAUSED_BY_OWNER
        assert await house.decisions() == []


async def test_what_the_owner_paused_since_is_left_to_them(scene: Scene, tmp_path: Path) -> None:
    async with offering(scene, tmp_path, (FIRST,)) as house:
        row = await house.submitted(FIRST)
        await watch(house, FULL).look()
        await house.client.pause(row.info_hash, by=Pauser.OWNER)
        await watch(house, 0).look()
        assert await state(house, row) is ClientState.PAUSED_BY_OWNER
        assert await house.decisions() == []


@pytest.mark.parametrize("hold", [Hold.DANGER, Hold.GIVEN_UP])
async def test_what_stands_still_for_another_reason_is_not_let_go_on(
    scene: Scene, tmp_path: Path, hold: Hold
) -> None:
    async with offering(scene, tmp_path, (FIRST,)) as house:
        row = await house.submitted(FIRST)
        await house.client.pause(row.info_hash, by=Pauser.US)
        await house.turn(row.id, "paused_by_us", facts={"held": hold.value})
        for floor in (FULL, 0):
            await watch(house, floor).look()
            assert await state(house, row) is ClientState.PAUSED_BY_US
        assert hold_of((await house.download(row.id)).facts) is hold
        assert await house.decisions() == []


async def test_one_that_somebody_lets_run_stands_still_again(scene: Scene, tmp_path: Path) -> None:
    async with offering(scene, tmp_path, (FIRST,)) as house:
        row = await house.submitted(FIRST)
        await watch(house, FULL).look()
        await house.client.resume(row.info_hash, by=Pauser.OWNER)
        await tracker(house).note(house.client)
        await watch(house, FULL).look()
        assert await state(house, row) is ClientState.PAUSED_BY_US


async def test_one_that_is_not_in_its_client_is_not_written_down_as_paused(
    scene: Scene, tmp_path: Path
) -> None:
    async with offering(scene, tmp_path, (FIRST,)) as house:
        row = await house.submitted(FIRST)
        await house.client.remove(row.info_hash, delete_data=True)
        await watch(house, FULL).look()
        now = await house.download(row.id)
        assert hold_of(now.facts) is None
        assert await house.decisions() == []


async def test_a_folder_that_is_not_there_says_nothing_about_room(
    scene: Scene, tmp_path: Path
) -> None:
    async with offering(scene, tmp_path, (FIRST,)) as house:
        row = await house.submitted(FIRST)
        clients = Downloaders((house.client,), house.client.name)
        folders = replace(house.folders, downloads=tmp_path / "nowhere", floor_bytes=FULL)
        await SpaceWatch(house.ledger, clients, folders).look()
        assert await state(house, row) not in STANDING


async def test_it_is_looked_at_again_and_again(scene: Scene) -> None:
    job = watch(scene, 0).job
    assert (job.kind, job.every_s) == ("space", EVERY_S)
    await job.turn()
