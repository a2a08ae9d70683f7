"""Whose word files are placed under: a yes to the acquisition or this very plan, or the owner."""

from dataclasses import replace
from typing import Any

import pytest

from capabilities.kernel.actors import Actor, system
from capabilities.kernel.codes import Code
from ledger.clock import new_id
from ledger.stores import plans
from ledger.stores.plans import Plan
from tests.left_behind import EXECUTE, frozen
from tests.scene import IMPORT, KEY, OWNER, VIDEO, Scene, run_of


async def with_parent(scene: Scene, plan: Plan, **changed: Any) -> Plan:
    """The same plan, frozen anew with another payload."""
    parent = changed.pop("parent", plan.parent)
    payload = {**plan.payload, **changed}
    copy = replace(
        plan,
        id=new_id("plan"),
        payload=payload,
        payload_hash=plans.payload_hash(payload),
        parent=parent,
    )
    await scene.write(lambda tx: plans.add(tx, copy))
    return copy


@pytest.mark.anyio
async def test_it_is_covered_by_the_approval_of_the_acquisition(scene: Scene) -> None:
    plan = await frozen(scene)
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    (approval,) = await scene.approvals_of(str(plan.parent))
    (claim,) = await scene.claims(EXECUTE)
    assert claim.authority == approval.id
    assert await scene.approvals_of(plan.id) == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"add_only": False}, "would replace or move something"),
        ({"import": {"mode": "copy"}}, "differs from what was approved"),
        ({"parent": None}, "follows from no approved acquisition"),
        ({"parent": "plan_of_nobody"}, "follows from no approved acquisition"),
    ],
    ids=str,
)
async def test_an_import_that_is_not_the_approved_one_needs_the_owner(
    scene: Scene, changed: dict[str, Any], why: str
) -> None:
    plan = await with_parent(scene, await frozen(scene), **changed)
    refused = await scene.refusal(Code.NEEDS_APPROVAL, EXECUTE, IMPORT, plan=plan.id)
    assert why in refused.sentence
    assert scene.on_shelf() == []


@pytest.mark.anyio
async def test_an_acquisition_that_nobody_approved_covers_nothing(scene: Scene) -> None:
    plan = await frozen(scene)
    await scene.write(lambda tx: tx.conn.exec_driver_sql("DELETE FROM approval"))
    refused = await scene.refusal(Code.NEEDS_APPROVAL, EXECUTE, IMPORT, plan=plan.id)
    assert "never approved" in refused.sentence


@pytest.mark.anyio
async def test_what_the_owner_submitted_by_hand_is_placed_without_asking_again(
    scene: Scene,
) -> None:
    drafted = await scene.drafted(by=OWNER)
    answer = await scene.answer("download.submit", OWNER, plan=drafted["plan"])
    row = await scene.download(await scene.id_of(answer["download"], OWNER))
    await scene.until_complete(row.info_hash)
    plan = await frozen(scene, row=row)
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    (claim,) = await scene.claims(EXECUTE)
    assert claim.authority == "owner:ada"


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, run_of("run_1"), system("sweep")], ids=str)
async def test_others_need_an_approval_of_the_very_plan(scene: Scene, by: Actor) -> None:
    plan = await frozen(scene, by)
    await scene.approved(EXECUTE, by, plan=plan.id)
    await scene.answer(EXECUTE, by, plan=plan.id)
    (approval,) = await scene.approvals_of(plan.id)
    assert approval.state == "consumed"
    assert VIDEO in scene.on_shelf()


@pytest.mark.anyio
async def test_the_owner_places_by_hand(scene: Scene) -> None:
    plan = await frozen(scene, OWNER)
    await scene.answer(EXECUTE, OWNER, plan=plan.id)
    (claim,) = await scene.claims(EXECUTE)
    assert claim.authority == "owner:ada"
