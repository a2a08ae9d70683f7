from dataclasses import replace

import pytest
from pydantic import ValidationError

from capabilities.policy.policy_plan import drafted, policy_plan
from ledger.stores import plans
from ledger.stores.plans import PlanState
from tests.scene import Scene


@pytest.mark.anyio
async def test_the_draft_of_a_kind_is_found_until_it_is_replaced_or_done(scene: Scene) -> None:
    assert await scene.read(lambda conn: drafted(conn, "identity")) is None
    answer = await scene.answer("policy.preview", kind="identity", patch={"accepted": ["A"]})
    await scene.answer("policy.preview", kind="acquisition", patch={"least_seeders": 3})
    id_ = await scene.id_of(answer["plan"])
    found = await scene.read(lambda conn: drafted(conn, "identity"))
    assert found is not None
    assert found.id == id_
    await scene.write(lambda tx: plans.move(tx, id_, PlanState.DONE))
    assert await scene.read(lambda conn: drafted(conn, "identity")) is None


@pytest.mark.anyio
async def test_a_plan_holds_all_that_an_approval_of_it_covers(scene: Scene) -> None:
    patch = {"organize": True}
    answer = await scene.answer("policy.preview", kind="automation", patch=patch)
    plan = await scene.plan(await scene.id_of(answer["plan"]))
    held = policy_plan(plan)
    assert (held.kind, held.version, held.base_version) == ("automation", 2, 1)
    assert held.body["organize"] is True
    assert [grant["action"] for grant in held.grants] == ["organize.execute"]
    assert held.lapsing == []
    with pytest.raises(ValidationError):
        policy_plan(replace(plan, payload={**plan.payload, "more": 1}))
