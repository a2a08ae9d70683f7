"""What became of a download while its client was asked."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, cast

import pytest

from capabilities.adapters.downloader.embedded import EmbeddedDownloader
from capabilities.adapters.downloader.port import (
    ClientState,
    Downloader,
    Downloaders,
    Pauser,
    Transfer,
)
from capabilities.download.standing_still import CHECKED_FACT
from capabilities.rules.holding import HELD, Hold, hold_of
from ledger.stores import claims, downloads
from ledger.stores.claims import NewClaim
from server.background.results import Wait
from server.background.since_read import is_overtaken, waits_for_us
from server.background.tracking import AWAY_S, HELD_S, Tracker
from tests.scene import OWNER, Scene
from tests.server.background.torrents import attended, slow

pytestmark = pytest.mark.anyio


async def test_what_is_over_by_now_is_overtaken_and_what_was_over_before_is_not(
    scene: Scene,
) -> None:
    row = await scene.submitted()
    given_up = replace(row, state="failed", facts={HELD: Hold.GIVEN_UP.value})
    removed = replace(row, state="removed")
    assert is_overtaken(row, given_up)
    assert is_overtaken(row, removed)
    assert not is_overtaken(given_up, given_up)
    assert not is_overtaken(removed, removed)
    # A note of what its client reports is no end that anybody set.
    assert not is_overtaken(row, replace(row, state="failed"))


async def test_one_that_nothing_holds_waits_for_us(scene: Scene) -> None:
    row = await scene.submitted()
    assert await scene.read(lambda conn: waits_for_us(conn, row))
    for kept in ({HELD: Hold.SPACE.value}, {CHECKED_FACT: True}):
        await scene.write(lambda tx, kept=kept: downloads.change(tx, row.id, facts=kept))
        assert not await scene.read(lambda conn: waits_for_us(conn, row))


async def test_while_its_files_are_checked_it_does_not_wait_for_us(scene: Scene) -> None:
    row = await scene.submitted()
    new = NewClaim(
        capability="download.recheck",
        version=1,
        actor="key:local",
        principal="key:local",
        run=None,
        request="r",
        call_id="c",
        fingerprint="f",
        key="k",
        natural_key=f"recheck:btih:{row.info_hash}",
        worker="w",
        target=None,
        plan=None,
        plan_hash=None,
        plan_revision=None,
        authority=None,
    )
    await scene.write(lambda tx: claims.claim(tx, new, scene.ledger.now()))
    assert not await scene.read(lambda conn: waits_for_us(conn, row))


class Between:
    """A client that something else in the house overtakes while it is asked about a torrent."""

    def __init__(
        self, client: EmbeddedDownloader, meanwhile: Callable[[], Awaitable[object]]
    ) -> None:
        self._client = client
        self._meanwhile = meanwhile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def transfer(self, info_hash: str) -> Transfer | None:
        found = await self._client.transfer(info_hash)
        await self._meanwhile()
        return found


def overtaken(scene: Scene, meanwhile: Callable[[], Awaitable[object]]) -> Tracker:
    client = cast("Downloader", Between(scene.client, meanwhile))
    return Tracker(scene.ledger, Downloaders((client,), scene.client.name))


@pytest.mark.parametrize("complete", [False, True], ids=["under way", "complete"])
async def test_what_is_given_up_while_its_client_is_asked_stays_given_up(
    scene: Scene, *, complete: bool
) -> None:
    async with nullcontext() if complete else slow(scene):
        row = await (scene.arrived() if complete else scene.submitted())
        by = overtaken(scene, lambda: scene.answer("download.give_up", OWNER, download=row.id))
        assert await attended(scene, row, by) == Wait(AWAY_S)
        now = await scene.download(row.id)
        assert (now.state, hold_of(now.facts), now.completed_at) == ("failed", Hold.GIVEN_UP, None)
        assert [slot.state for slot in await scene.slots()] == ["wanted"]
        assert "import" not in await scene.tasks(row.id)
        assert await attended(scene, row) == Wait(HELD_S, "It stands still until you decide.")


async def test_what_is_removed_while_its_client_is_asked_stays_removed(scene: Scene) -> None:
    async with slow(scene):
        row = await scene.submitted()
        by = overtaken(scene, lambda: scene.turn(row.id, "removed"))
        assert await attended(scene, row, by) == Wait(AWAY_S)
    assert (await scene.download(row.id)).state == "removed"


async def test_one_that_was_stopped_when_it_was_given_up_runs_when_it_begins_anew(
    scene: Scene,
) -> None:
    async with slow(scene):
        row = await scene.submitted()
        await scene.client.pause(row.info_hash, by=Pauser.US)
        await scene.turn(row.id, "submitted", facts={CHECKED_FACT: True})
        await attended(scene, row)
        stands = await scene.client.transfer(row.info_hash)
        assert stands is not None
        assert stands.state is ClientState.PAUSED_BY_US
        await scene.turn(row.id, "submitted", facts={})
        await attended(scene, row)
        runs = await scene.client.transfer(row.info_hash)
        assert runs is not None
        assert runs.state is not ClientState.PAUSED_BY_US
