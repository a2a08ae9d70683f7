from typing import Any

import anyio
import pytest

from capabilities.inventory.taking_in import take_parts
from capabilities.kernel.outcomes import Pending, Succeeded
from ledger.faults import LedgerUnavailableError
from ledger.stores import adoption_parts, approvals, assets, claims, libraries, plans, shelf
from ledger.stores.approvals import ApprovalState
from ledger.stores.claims import ClaimState
from ledger.stores.plans import PlanState
from tests.capabilities.inventory.library import episode, put
from tests.scene import KEY, OWNER, Scene

pytestmark = pytest.mark.anyio
MANY = 7


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files are taken at once: a test has no hundred thousand."""
    monkeypatch.setattr("capabilities.inventory.taking_in.AT_ONCE", 2)


def names() -> list[str]:
    return [episode(1, f"S01E0{number % 3 + 1} - {number}") for number in range(MANY)]


async def begun(scene: Scene) -> tuple[str, Pending]:
    """An adoption that goes on behind its call."""
    put(scene.folders.series, *names())
    plan = (await scene.answer("inventory.plan", OWNER, library="series"))["plan"]
    outcome = await scene.call("inventory.adopt", OWNER, plan=plan)
    assert isinstance(outcome, Pending), outcome
    return plan, outcome


async def recorded(scene: Scene) -> int:
    return len(await scene.read(lambda conn: assets.below(conn, str(scene.folders.series))))


async def claim_of(scene: Scene) -> claims.Claim:
    held = await scene.read(claims.newest)
    return next(one for one in held if one.capability == "inventory.adopt")


async def test_many_files_are_pending_until_the_last_of_them_is_taken(scene: Scene) -> None:
    plan, pending = await begun(scene)
    assert f"{MANY} videos are being taken in" in pending.sentence
    assert (await recorded(scene), (await claim_of(scene)).state) == (0, ClaimState.PENDING)
    again = await scene.call("inventory.adopt", OWNER, plan=plan)
    assert isinstance(again, Pending)
    await take_parts(scene.ledger, await scene.id_of(plan, OWNER))
    assert (await recorded(scene), (await claim_of(scene)).state) == (MANY, ClaimState.SUCCEEDED)
    done = await scene.answer("inventory.adopt", OWNER, plan=plan)
    assert (done["files"], done["works"], done["slots"], done["replayed"]) == (MANY, 1, 3, True)
    assert len(await scene.read(libraries.adopted)) == 1


async def test_a_death_in_between_is_gone_on_from_and_the_claim_settled_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, _ = await begun(scene)
    id_ = await scene.id_of(plan, OWNER)
    taken: list[int] = []
    put_many = assets.put_many

    def cut(tx: Any, rows: Any) -> None:
        if len(taken) == 2:
            raise LedgerUnavailableError("the disk is full")
        taken.append(len(rows))
        put_many(tx, rows)

    with monkeypatch.context() as broken:
        broken.setattr("ledger.stores.assets.put_many", cut)
        with pytest.raises(LedgerUnavailableError):
            await take_parts(scene.ledger, id_)
    assert (await recorded(scene), (await claim_of(scene)).state) == (4, ClaimState.PENDING)
    row = await scene.read(lambda conn: plans.by_id(conn, id_))
    assert row is not None
    assert row.state is PlanState.RUNNING
    assert await scene.read(libraries.adopted) == []
    async with anyio.create_task_group() as both:
        for _ in range(2):
            both.start_soon(take_parts, scene.ledger, id_)
    assert (await recorded(scene), (await claim_of(scene)).state) == (MANY, ClaimState.SUCCEEDED)
    slots = await scene.read(shelf.slots)
    assert [(slot.episode, slot.state, slot.revision) for slot in slots] == [
        (number, "satisfied", 1) for number in (1, 2, 3)
    ]


async def test_what_an_earlier_try_wrote_down_is_not_taken(scene: Scene) -> None:
    put(scene.folders.series, *names())
    plan = (await scene.answer("inventory.plan", OWNER, library="series"))["plan"]
    id_ = await scene.id_of(plan, OWNER)
    for n in (1, 9):
        body = {"files": [{"path": "/nowhere.mkv"}]}
        await scene.write(
            lambda tx, n=n, body=body: adoption_parts.put(tx, id_, n, body, scene.ledger.now())
        )
    assert isinstance(await scene.call("inventory.adopt", OWNER, plan=plan), Pending)
    await take_parts(scene.ledger, id_)
    assert await recorded(scene) == MANY


async def test_an_approval_is_used_up_by_the_last_part(scene: Scene) -> None:
    put(scene.folders.series, *names())
    key = KEY.__class__(KEY.kind, KEY.id, KEY.principal, KEY.scopes | {"inventory.adopt"})
    plan = (await scene.answer("inventory.plan", key, library="series"))["plan"]
    await scene.approved("inventory.adopt", key, plan=plan)
    assert isinstance(await scene.call("inventory.adopt", key, plan=plan), Pending)
    await take_parts(scene.ledger, await scene.id_of(plan, key))
    done = await scene.call("inventory.adopt", key, plan=plan)
    assert isinstance(done, Succeeded)
    used = (await claim_of(scene)).authority
    assert used is not None
    approval = await scene.read(lambda conn: approvals.by_id(conn, used))
    assert approval is not None
    assert approval.state is ApprovalState.CONSUMED
