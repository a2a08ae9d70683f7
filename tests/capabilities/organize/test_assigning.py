from dataclasses import replace

import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.assigning import assign
from capabilities.organize.unidentified import cause_of
from capabilities.rules.assigned_identity import Assigned, AssignedFile, assigned_from
from ledger.clock import new_id
from ledger.stores import decisions, plans, releases
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.plans import Plan, PlanState
from tests.left_behind import dead_placing, frozen
from tests.scene import OWNER, Scene

SAID = Assigned(None, (AssignedFile("x/film.mkv"),))


def another(plan: Plan) -> Plan:
    return replace(plan, id=new_id("plan"))


@pytest.mark.anyio
async def test_a_word_overtakes_every_open_plan_and_closes_every_question_at_once(
    scene: Scene,
) -> None:
    frozen_before = await frozen(scene)
    row = await scene.download(frozen_before.payload["download"])
    await scene.turn(row.id, "completed", completed_at=scene.ledger.now())
    done = another(frozen_before)
    for cause in (f"import:{row.id}", cause_of(row.id)):
        asked = NewDecision(DecisionKind.IMPORT_UNIDENTIFIED, cause, "It fits nothing")
        await scene.write(lambda tx, new=asked: decisions.raise_(tx, new, scene.ledger.now()))
    await scene.write(lambda tx: plans.add(tx, done))
    await scene.write(lambda tx: plans.move(tx, done.id, PlanState.DONE))
    context = Context(OWNER, scene.ledger, scene.parts, "request", "call")
    anew = another(frozen_before)
    await scene.write(lambda tx: assign(tx, context, row, SAID, anew))

    assert (await scene.plan(frozen_before.id)).state is PlanState.SUPERSEDED
    assert (await scene.plan(done.id)).state is PlanState.DONE
    assert (await scene.plan(anew.id)).state is PlanState.FROZEN
    assert await scene.decisions() == []
    release = await scene.read(lambda conn: releases.by_id(conn, row.release))
    assert release is not None
    assert release.identity is not None
    assert assigned_from(release.identity) == SAID
    assert (release.identity["by"], release.identity["work"]) == ("owner:ada", row.work)
    assert (await scene.tasks(row.id))["import"].state == "queued"
    assert (await scene.download(row.id)).state == "completed"


@pytest.mark.anyio
async def test_an_import_that_claimed_meanwhile_is_not_overtaken(scene: Scene) -> None:
    plan = await frozen(scene)
    row = await scene.download(plan.payload["download"])
    await scene.turn(row.id, "completed", completed_at=scene.ledger.now())
    await dead_placing(scene, plan)
    context = Context(OWNER, scene.ledger, scene.parts, "request", "call")
    with pytest.raises(HaltError, match="are being placed") as halted:
        await scene.write(lambda tx: assign(tx, context, row, SAID, another(plan)))
    assert getattr(halted.value.outcome, "code", None) is Code.CONFLICT
    assert (await scene.plan(plan.id)).state is PlanState.FROZEN
