from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import anyio
import pytest
import svcs
from structlog.testing import capture_logs

from capabilities.kernel.registry import Registry
from ledger.feed import Feed
from ledger.ledger import Ledger, opened
from ledger.location import SqliteFile
from ledger.pace import Pace
from ledger.stores import claims, workers
from ledger.stores.claims import ClaimState
from ledger.writer import Transaction
from server.background import recovery
from server.background.recovery import (
    Recovered,
    keep_beating,
    keep_listening,
    keep_looking,
    keep_taking_over,
    keep_watch,
    look_at_unknown,
    recover,
)
from tests.ledger.claimed import a_claim
from tests.ledger.homes import furnish
from tests.ledger.segments import eventually, ledger_at
from tests.left_behind import SUBMIT, dead_submission
from tests.scene import Scene


async def left_behind(scene: Scene) -> str:
    """An act whose process died before it was done; returns the claim."""
    drafted = await scene.drafted()
    return (await dead_submission(scene, await scene.id_of(drafted["plan"]))).id


@pytest.mark.anyio
async def test_a_start_settles_what_dead_processes_left_and_says_how_much(scene: Scene) -> None:
    claim = await left_behind(scene)
    assert await recover(scene.ledger, scene.registry, 1) == Recovered(1, 1, 0)
    found = await scene.read(lambda conn: claims.by_id(conn, claim))
    assert found is not None
    assert found.free_again


@pytest.mark.anyio
async def test_nothing_left_behind_is_nothing_to_do(scene: Scene) -> None:
    assert await recover(scene.ledger, scene.registry, 0) == Recovered(0, 0, 0)


@pytest.mark.anyio
async def test_a_claim_of_a_capability_that_is_gone_stays_unknown(scene: Scene) -> None:
    await left_behind(scene)
    specs = [spec for spec in scene.registry.specs if spec.id != SUBMIT]
    older = Registry(specs, scene.ledger, scene.parts)
    assert await look_at_unknown(scene.ledger, older) == 0


@pytest.mark.anyio
async def test_what_is_unknown_is_looked_at_again_and_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "AGAIN_S", 0.01)
    async with anyio.create_task_group() as group:
        group.start_soon(keep_looking, scene.ledger, scene.registry, Feed())
        await left_behind(scene)
        await scene.until(lambda conn: claims.in_state(conn, ClaimState.FAILED))
        group.cancel_scope.cancel()
    (claim,) = await scene.claims(SUBMIT)
    assert claim.free_again


@pytest.mark.anyio
async def test_a_ledger_that_is_away_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "AGAIN_S", 0.01)
    async with opened(tmp_path) as closed:
        pass
    registry = Registry([], closed, svcs.Container(svcs.Registry()))
    with anyio.move_on_after(0.2) as looking:
        await keep_looking(closed, registry, Feed())
    assert looking.cancelled_caught


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncGenerator[Ledger]:
    """A ledger whose process is written down as a worker that beats all the time."""
    async with opened(tmp_path) as ledger:
        ledger.engine.pace = Pace(beat_s=0.01, lease_s=0.05)
        await ledger.engine.connect("worker")
        yield ledger


async def has_beaten(ledger: Ledger) -> bool:
    me = await ledger.read(lambda conn: workers.by_id(conn, ledger.worker))
    assert me is not None
    return me.beat >= 3


@pytest.mark.anyio
async def test_what_is_taken_from_a_dead_worker_is_looked_at_without_delay(
    scene: Scene,
) -> None:
    found = Feed()
    async with anyio.create_task_group() as group:
        group.start_soon(keep_looking, scene.ledger, scene.registry, found)
        await left_behind(scene)
        found.ring()
        await scene.until(lambda conn: claims.in_state(conn, ClaimState.FAILED))
        group.cancel_scope.cancel()


@pytest.mark.anyio
async def test_claims_of_dead_workers_are_taken_and_told(watched: Ledger) -> None:
    found = Feed()
    claim = await watched.write(lambda tx: a_claim(tx, "worker of long ago", watched.now()))
    async with found.listening() as bell, anyio.create_task_group() as group:
        group.start_soon(keep_taking_over, watched, found)
        with anyio.fail_after(5):
            await bell.receive()
        group.cancel_scope.cancel()
    now = await watched.read(lambda conn: claims.by_id(conn, claim.id))
    assert now is not None
    assert (now.state, now.token != claim.token) == (ClaimState.UNKNOWN, True)


@pytest.mark.anyio
async def test_the_watch_beats_until_this_process_is_taken_for_dead(watched: Ledger) -> None:
    registry = Registry([], watched, svcs.Container(svcs.Registry()))
    with anyio.fail_after(5), capture_logs() as logs:
        async with anyio.create_task_group() as group:
            group.start_soon(keep_watch, watched, registry)
            await eventually(lambda: has_beaten(watched))
            await watched.write(bury(watched))
        assert watched.engine.lost.is_set()
    assert logs[-1]["event"].startswith("this process was taken for dead")


def bury(ledger: Ledger) -> Callable[[Transaction], None]:
    """As another process would that no longer hears of this one."""

    def write(tx: Transaction) -> None:
        me = workers.by_id(tx.conn, ledger.worker)
        assert me is not None
        assert workers.bury(tx, me.id, me.beat, ledger.now())

    return write


@pytest.mark.anyio
async def test_a_beat_that_cannot_be_written_is_said_once_and_tried_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as closed:
        closed.engine.pace = Pace(beat_s=0.01)
    with capture_logs() as logs:
        with anyio.move_on_after(0.2) as beating:
            await keep_beating(closed)
        with anyio.move_on_after(0.1):
            await keep_taking_over(closed, Feed())
        with anyio.move_on_after(0.1):
            await keep_listening(closed)
    assert beating.cancelled_caught
    assert [line["event"] for line in logs] == ["the beat could not be written"]


@pytest.mark.anyio
async def test_a_process_that_takes_nothing_over_hears_who_is_silent(tmp_path: Path) -> None:
    location = SqliteFile(furnish(tmp_path))
    async with ledger_at(location, pace=Pace(beat_s=0.01, lease_s=0.05)) as ledger:
        at = ledger.now()
        await ledger.write(
            lambda tx: workers.register(tx, "gone", role="worker", host="away", at=at)
        )

        async def heard() -> bool:
            return ledger.engine.silent == frozenset({"gone"})

        async with anyio.create_task_group() as group:
            group.start_soon(keep_listening, ledger)
            await eventually(heard)
            group.cancel_scope.cancel()
