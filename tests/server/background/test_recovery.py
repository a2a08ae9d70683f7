from pathlib import Path

import anyio
import pytest
import svcs

from capabilities.kernel.registry import Registry
from ledger.ledger import opened
from ledger.stores import claims
from ledger.stores.claims import ClaimState
from server.background import recovery
from server.background.recovery import Recovered, keep_looking, look_at_unknown, recover
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
        group.start_soon(keep_looking, scene.ledger, scene.registry)
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
        await keep_looking(closed, registry)
    assert looking.cancelled_caught
