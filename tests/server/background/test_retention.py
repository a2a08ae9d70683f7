from dataclasses import replace
from datetime import timedelta

import pytest

from ledger.stores import audit, claims, events
from ledger.stores.claims import ClaimState, Settlement
from ledger.writer import Transaction
from server.background import retention
from server.background.retention import forget_old
from tests.ledger.stores.test_claims import NEW
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def ended(scene: Scene, *keys: str, state: ClaimState = ClaimState.SUCCEEDED) -> None:
    """Claims of background work that end now."""

    def write(tx: Transaction) -> None:
        at = scene.ledger.now()
        for key in keys:
            made = claims.claim(tx, replace(NEW, key=key, plan=None), at)
            claims.settle(tx, made.id, made.token, Settlement(state), at)
            entry = audit.Entry(at, "system:x", "settled", invocation=made.id)
            audit.write(tx, entry)
        events.append(tx, "said", {}, at)

    await scene.write(write)


async def left(scene: Scene) -> list[str]:
    return sorted(claim.key for claim in await scene.read(claims.newest))


async def test_background_work_is_forgotten_after_its_days_and_the_audit_is_kept(
    scene: Scene,
) -> None:
    await ended(scene, "old")
    await ended(scene, "unknown", state=ClaimState.UNKNOWN)
    scene.base.time.ahead += timedelta(days=29)
    await ended(scene, "young")
    assert (await forget_old(scene.ledger, 30)).claims == 0
    scene.base.time.ahead += timedelta(days=2)
    assert (await forget_old(scene.ledger, 30)).claims == 1
    assert await left(scene) == ["unknown", "young"]
    assert len(await scene.read(audit.newest)) == 3
    assert len(await scene.read(events.page)) == 3


async def test_with_no_days_nothing_goes_by_age(scene: Scene) -> None:
    await ended(scene, "old")
    scene.base.time.ahead += timedelta(days=4000)
    assert (await forget_old(scene.ledger, 0)).claims == 0
    assert await left(scene) == ["old"]


async def test_all_of_it_goes_in_batches(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    await ended(scene, *(f"k{n}" for n in range(5)))
    scene.base.time.ahead += timedelta(days=2)
    assert (await forget_old(scene.ledger, 1)).claims == 5
    assert await left(scene) == []
