"""What is stalled: by the owner's patience, and by whose fault. The client is the real one."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.rules.stalling import clock_of
from ledger.stores import blocklist
from ledger.stores.decisions import Decision, DecisionKind
from ledger.stores.downloads import DownloadRow
from ledger.stores.grants import Scope
from server.background.replacing import Replacer
from server.background.results import Wait
from server.background.stalls import patience_of
from tests.scene import OWNER, Scene
from tests.server.background.torrents import (
    FIRST,
    SECOND,
    SHORT,
    attended,
    looked_at,
    offering,
    slow,
    torrent_of,
    until_state,
)

pytestmark = pytest.mark.anyio

MORE = 1 << 40
"""Bytes that there never are, so that nothing that comes counts as more."""


@asynccontextmanager
async def quiet(
    scene: Scene, folder: Path, *titles: str
) -> AsyncGenerator[tuple[Scene, DownloadRow]]:
    """A download that gets nothing, found beside others, with a short patience."""
    await scene.publish(SHORT)
    async with offering(scene, folder, titles) as offered:
        row = await offered.submitted(FIRST)
        await until_state(offered.client, row.info_hash, ClientState.DOWNLOADING)
        yield offered, row


async def stalled(scene: Scene) -> list[Decision]:
    return [one for one in await scene.decisions() if one.kind is DecisionKind.DOWNLOAD_STALLED]


async def test_arr_24_one_that_gets_nothing_is_asked_about_after_its_owners_patience(
    scene: Scene, tmp_path: Path
) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        await looked_at(house, row, minutes=1)
        assert await stalled(house) == []
        await looked_at(house, row, minutes=1)
        (asked,) = await stalled(house)
    assert "for 2 minutes not a byte came" in asked.title
    assert asked.evidence["others"] == [SECOND]
    give_up = asked.options[0]
    assert (give_up["capability"], give_up["arguments"]) == (
        "download.give_up",
        {"download": row.id},
    )
    assert SECOND in give_up["title"]


async def test_nothing_is_changed_by_itself_when_one_is_stalled(
    scene: Scene, tmp_path: Path
) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        await looked_at(house, row, minutes=5)
        assert len(await stalled(house)) == 1
        (transfer,) = await house.client.transfers()
    assert transfer.hashes.key == row.info_hash
    assert len(await scene.downloads()) == 1
    assert await scene.read(lambda conn: blocklist.standing(conn, row.work)) == []
    assert "next" not in await scene.tasks(row.id)


async def test_arr_24_the_only_one_is_waited_for_longer(scene: Scene, tmp_path: Path) -> None:
    async with quiet(scene, tmp_path, FIRST) as (house, row):
        await looked_at(house, row, minutes=3)
        assert await stalled(house) == []
        await looked_at(house, row, minutes=1)
        (asked,) = await stalled(house)
    assert asked.evidence["others"] == []
    assert "nothing else is known" in asked.options[0]["title"]


async def test_time_in_which_it_could_not_run_does_not_count(scene: Scene, tmp_path: Path) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        for by in Pauser:
            await house.client.pause(row.info_hash, by=by)
            await looked_at(house, row, minutes=5)
            await house.client.resume(row.info_hash, by=by)
            await until_state(house.client, row.info_hash, ClientState.DOWNLOADING)
        assert await stalled(house) == []
        await looked_at(house, row, minutes=2)
        assert len(await stalled(house)) == 1


async def test_it_is_over_once_something_comes(scene: Scene) -> None:
    await scene.publish(SHORT)
    async with slow(scene):
        row = await scene.submitted()
        await looked_at(scene, row, minutes=0)
        kept = await scene.download(row.id)
        clock = {**kept.facts["clock"], "quiet_s": 600.0, "done": MORE}
        await scene.turn(row.id, "downloading", facts={**kept.facts, "clock": clock})
        await attended(scene, row)
        assert len(await stalled(scene)) == 1
    await scene.until_complete(row.info_hash)
    await attended(scene, row)
    assert await stalled(scene) == []


async def test_the_owner_may_wait_as_long_again(scene: Scene, tmp_path: Path) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        await looked_at(house, row, minutes=2)
        (asked,) = await stalled(house)
        await house.answer("decision.resolve", OWNER, decision=asked.id, option="re-evaluate")
        await looked_at(house, row, minutes=0)
        assert await stalled(house) == []
        await looked_at(house, row, minutes=1)
        assert len(await stalled(house)) == 1


async def test_one_given_up_stands_still_and_the_next_is_taken_with_a_grant(
    scene: Scene, tmp_path: Path
) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        await house.grant("download.submit", Scope())
        await looked_at(house, row, minutes=2)
        (asked,) = await stalled(house)
        await house.answer("decision.resolve", OWNER, decision=asked.id, option="give-up")
        assert isinstance(await attended(house, row), Wait)
        transfer = await house.client.transfer(row.info_hash)
        assert transfer is not None
        assert transfer.state is ClientState.PAUSED_BY_US
        next_ = (await house.tasks(row.id))["next"]
        await Replacer(house.ledger, house.registry).attend(next_)
        names = {one.name: one.state for one in await house.downloads()}
        assert names == {FIRST: "failed", SECOND: "submitted"}
        (left,) = await house.decisions()
    assert left.evidence["next"] == f"{SECOND} is fetched in its place."


async def test_one_that_the_owner_pauses_is_not_asked_about_any_more(
    scene: Scene, tmp_path: Path
) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        await looked_at(house, row, minutes=2)
        await house.client.pause(row.info_hash, by=Pauser.OWNER)
        await attended(house, row)
        assert await stalled(house) == []


async def two(house: Scene, folder: Path, row: DownloadRow) -> DownloadRow:
    """A second download in the same client, for another slot."""
    torrent = torrent_of(folder, "Other.2011.1080p-THREE")
    added = await house.client.add(AddRequest(torrent, house.folders.downloads))
    await house.turn(row.id, "submitted", work="work_other")
    another = await house.submitted(SECOND)
    await house.client.remove(another.info_hash, delete_data=True)
    await until_state(house.client, added.key, ClientState.DOWNLOADING)
    await house.turn(another.id, "submitted", info_hash=added.key)
    return await house.download(another.id)


async def test_arr_25_where_everything_is_stalled_it_is_the_client(
    scene: Scene, tmp_path: Path
) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        other = await two(house, tmp_path, row)
        await looked_at(house, row, other, minutes=5)
        (asked,) = await stalled(house)
    assert asked.subject is None
    assert "gets nothing for any of its 2 downloads" in asked.title
    assert await scene.read(lambda conn: blocklist.standing(conn, None)) == []


async def test_arr_25_the_question_about_the_client_goes_when_one_of_them_moves(
    scene: Scene, tmp_path: Path
) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        other = await two(house, tmp_path, row)
        await looked_at(house, row, other, minutes=5)
        moved = await house.download(other.id)
        clock = {**moved.facts["clock"], "done": 5, "quiet_s": 0.0}
        await house.turn(other.id, "downloading", facts={**moved.facts, "clock": clock})
        await attended(house, row)
        assert await stalled(house) == []
        # What passed by the client's fault is not held against the other one.
        assert clock_of((await house.download(row.id)).facts).quiet_s == 0


async def test_arr_25_a_magnet_nobody_knows_is_asked_about_by_its_own_patience(
    scene: Scene, tmp_path: Path
) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        await house.client.remove(row.info_hash, delete_data=True)
        added = await house.client.add(
            AddRequest(f"magnet:?xt=urn:btih:{'ab' * 20}", house.folders.downloads)
        )
        await until_state(house.client, added.key, ClientState.METADATA)
        await house.turn(row.id, "submitted", info_hash=added.key, facts={})
        await looked_at(house, row, minutes=1)
        (asked,) = await stalled(house)
    assert "nobody could say what is in it" in asked.title


async def test_a_policy_that_nobody_can_read_has_the_usual_patience(scene: Scene) -> None:
    assert (await scene.read(patience_of)).stalled_minutes == 360
    await scene.publish(SHORT)
    assert (await scene.read(patience_of)).stalled_minutes == 2


async def test_the_clock_does_not_run_while_nobody_looks(scene: Scene, tmp_path: Path) -> None:
    async with quiet(scene, tmp_path, FIRST, SECOND) as (house, row):
        await attended(house, row)
        house.base.time.ahead += timedelta(days=3)
        await attended(house, row)
        assert clock_of((await house.download(row.id)).facts).quiet_s <= 180
