from dataclasses import replace
from typing import Any

import pytest

from agent.answers import Answered
from agent.calling import Caller
from agent.models.port import ToolCall
from agent.tools.private import PRIVATE
from capabilities.kernel.actors import agent, client, owner
from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, Refused, Succeeded, facts
from capabilities.kernel.schema_lint import lint
from ledger.stores import claims
from ledger.stores.claims import LEFT_PARTLY, ClaimState, Settlement
from ledger.writer import Transaction
from tests.agent.scene import Scene
from tests.ledger.stores.test_claims import NEW

pytestmark = pytest.mark.anyio

TOOL = "get_tool_execution"
CALL = ToolCall("a", TOOL, "{}")


async def acted(
    scene: Scene,
    state: ClaimState,
    run: str | None = "run_1",
    left: dict[str, object] | None = None,
) -> str:
    """An act of a run that stands so."""

    def write(tx: Transaction) -> str:
        made = claims.claim(tx, replace(NEW, key=f"{state}{run}", run=run), scene.ledger.now())
        if state is not ClaimState.RUNNING:
            held = {"download": "dl:1"}
            end = Settlement(state, held, sentence="It said so.", evidence=left)
            claims.settle(tx, made.id, made.token, end, scene.ledger.now())
        return made.id

    return await scene.ledger.write(write)


async def looked(scene: Scene, run: str, **arguments: object) -> Answered:
    return await PRIVATE[TOOL].answer(CALL, arguments, scene.ledger, run)


@pytest.mark.parametrize("state", ClaimState)
async def test_an_act_of_the_run_is_told_as_it_was_last_seen(
    scene: Scene, state: ClaimState
) -> None:
    id_ = await acted(scene, state)
    answered = await looked(scene, "run_1", invocation=id_)
    assert isinstance(answered.outcome, Succeeded)
    told: dict[str, Any] = facts(answered.outcome)
    assert (told["invocation"], told["state"]) == (id_, state)
    assert told["capability"] == "download.submit"
    assert ("settled_at" in told) == (state in {ClaimState.SUCCEEDED, ClaimState.FAILED})
    done = "It was done." in answered.outcome.sentence
    assert done == (state is ClaimState.SUCCEEDED)
    assert answered.plan is None


async def test_an_act_that_failed_half_way_is_not_told_as_undone(scene: Scene) -> None:
    id_ = await acted(scene, ClaimState.FAILED, left={LEFT_PARTLY: True})
    outcome = (await looked(scene, "run_1", invocation=id_)).outcome
    assert isinstance(outcome, Succeeded)
    assert "part of it was done" in outcome.sentence


@pytest.mark.parametrize("whose", ["run_2", None, "nobody"])
async def test_acts_of_others_and_acts_that_there_are_not_answer_alike(
    scene: Scene, whose: str | None
) -> None:
    id_ = "inv_none" if whose == "nobody" else await acted(scene, ClaimState.UNKNOWN, whose)
    outcome = (await looked(scene, "run_1", invocation=id_)).outcome
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.sentence) == (
        Code.NOT_FOUND,
        "This run has made no such call.",
    )


@pytest.mark.parametrize("arguments", [{}, {"invocation": 3}, {"invocation": "x", "more": 1}])
async def test_wrong_arguments_are_an_answer(scene: Scene, arguments: dict[str, object]) -> None:
    outcome = (await looked(scene, "run_1", **arguments)).outcome
    assert isinstance(outcome, Refused)
    assert outcome.code is Code.INVALID_INPUT


async def test_it_is_shown_to_the_model_and_no_door_knows_it(scene: Scene) -> None:
    run = agent("run_1", "owner:ada", frozenset({"read", "plan", "run", "run.ask"}))
    caller = Caller(scene.ledger, scene.registry, run, proposes_first=False)
    assert TOOL in {tool.name for tool in caller.tools()}
    assert lint(dict(PRIVATE[TOOL].schema.parameters)) == []
    for actor in (owner("ada"), client("all", run.scopes), run):
        shown = {spec.tool for spec in scene.registry.shown_to(actor)}
        assert TOOL not in shown
        call = Call(TOOL, {"invocation": "x"}, actor, "c", "r")
        outcome = await scene.registry.invoke(call)
        assert isinstance(outcome, Failed)
        assert outcome.code is Code.NOT_FOUND
