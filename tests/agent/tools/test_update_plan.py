from typing import Any

import pytest

from agent.answers import Answered
from agent.models.port import ToolCall
from agent.tools.private import PRIVATE
from capabilities.kernel.outcomes import Refused, Succeeded
from capabilities.kernel.schema_lint import lint
from ledger.clock import new_id
from ledger.stores import claims, references, runs
from ledger.stores.claims import NewClaim
from ledger.writer import Transaction
from tests.agent.scene import Scene
from tests.ledger.rows import add_run, new_claim

pytestmark = pytest.mark.anyio

FIND = {"id": "find", "title": "Find it", "status": "in_progress"}
CALL = ToolCall("a", "update_plan", "{}")


async def new_run(scene: Scene, plan: dict[str, Any] | None = None) -> str:
    id_ = new_id("run")

    def write(tx: Transaction) -> None:
        add_run(tx, id_, scene.ledger.now())
        runs.change(tx, id_, plan=plan)

    await scene.ledger.write(write)
    return id_


async def update(scene: Scene, run: str, **arguments: object) -> Answered:
    return await PRIVATE["update_plan"].answer(CALL, arguments, scene.ledger, run)


async def refusal(scene: Scene, run: str, **arguments: object) -> str:
    answered = await update(scene, run, **arguments)
    assert isinstance(answered.outcome, Refused)
    assert answered.plan is None
    return answered.outcome.sentence


async def test_steps_are_merged_by_id_and_keep_what_is_left_out(scene: Scene) -> None:
    run = await new_run(scene, {"goal": "Get it", "steps": [FIND]})
    change = {"id": "find", "status": "completed", "evidence": "the lookup showed one film"}
    added = {"id": "choose", "title": "Choose"}
    answered = await update(scene, run, steps=[change, added])
    assert answered.plan == {
        "goal": "Get it",
        "steps": [
            {**FIND, "status": "completed", "evidence": "the lookup showed one film"},
            {"id": "choose", "title": "Choose", "status": "pending"},
        ],
    }
    assert isinstance(answered.outcome, Succeeded)
    assert answered.outcome.sentence == "Recorded: 1 of 2 steps are done."


async def test_the_plan_is_replaced_when_asked(scene: Scene) -> None:
    run = await new_run(scene, {"goal": "Get it", "steps": [FIND]})
    answered = await update(scene, run, goal="Other", steps=[{**FIND, "id": "b"}], replace=True)
    assert answered.plan == {"goal": "Other", "steps": [{**FIND, "id": "b"}]}


async def test_a_new_step_needs_a_title(scene: Scene) -> None:
    said = await refusal(scene, await new_run(scene), steps=[{"id": "find"}])
    assert said == "The step 'find' is new and needs a title. Nothing was recorded."


@pytest.mark.parametrize("status", ["completed", "blocked"])
async def test_what_is_completed_or_blocked_needs_evidence(scene: Scene, status: str) -> None:
    said = await refusal(scene, await new_run(scene), steps=[{**FIND, "status": status}])
    assert said == f"The step 'find' is {status} and needs evidence. Nothing was recorded."


async def test_a_plan_has_at_most_thirty_steps(scene: Scene) -> None:
    steps = [{"id": str(n), "title": "x"} for n in range(30)]
    run = await new_run(scene, {"goal": None, "steps": [{**FIND, "id": "before"}]})
    assert "at most 30 steps; this one would have 31" in await refusal(scene, run, steps=steps)


async def test_evidence_that_cites_what_was_never_issued_is_refused(scene: Scene) -> None:
    run = await new_run(scene)
    await scene.ledger.write(lambda tx: references.issue(tx, f"run:{run}", "work", "work_x"))
    cited = {**FIND, "status": "completed", "evidence": "work:1, then rel:7 and inv_" + "0" * 32}
    said = await refusal(scene, run, steps=[cited])
    assert said.startswith(f"The evidence cites what does not exist here: rel:7, inv_{'0' * 32}.")


async def test_evidence_may_cite_references_and_calls_of_the_run(scene: Scene) -> None:
    run = await new_run(scene)

    def issue(tx: Transaction) -> str:
        references.issue(tx, f"run:{run}", "dl", "dl_x")
        return claims.claim(tx, _claim(run), scene.ledger.now()).id

    invocation = await scene.ledger.write(issue)
    cited = {**FIND, "status": "completed", "evidence": f"dl:1 by {invocation}"}
    assert (await update(scene, run, steps=[cited])).plan is not None


async def test_a_call_of_another_run_is_no_evidence(scene: Scene) -> None:
    run = await new_run(scene)
    other = await scene.ledger.write(
        lambda tx: claims.claim(tx, _claim("run_other"), scene.ledger.now()).id
    )
    cited = {**FIND, "status": "completed", "evidence": other}
    assert other in await refusal(scene, run, steps=[cited])


def test_the_schema_is_one_that_every_provider_takes() -> None:
    assert lint(dict(PRIVATE["update_plan"].schema.parameters)) == []


def _claim(run: str) -> NewClaim:
    return new_claim(
        capability="shop.buy",
        actor=f"run:{run}",
        principal="owner:ada",
        run=run,
        request=run,
        call_id=new_id("c"),
        key=new_id("k"),
    )
