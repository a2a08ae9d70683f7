import pytest

from capabilities.kernel.actors import Actor, agent, client, system
from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Refused, Succeeded, facts
from capabilities.kernel.schema_lint import lint
from capabilities.kernel.schemas import published
from ledger.stores.runs import RunState
from tests.agent.scene import OWNER, Scene

pytestmark = pytest.mark.anyio

ASKER = client("asker", frozenset({"run", "run.ask", "read"}))
PLAIN = client("plain", frozenset({"run", "read", "plan"}))


async def test_a_run_is_queued_and_the_answer_says_how_to_follow_it(scene: Scene) -> None:
    answer = await scene.ask("start_run", goal="  What is there?  ")
    assert answer["state"] == "queued"
    assert answer["follow"].startswith(f"get_run with run {answer['run']};")
    run = await scene.run(answer["id"])
    assert (run.goal, run.actor, run.principal) == ("What is there?", "owner:ada", "owner:ada")
    first = (await scene.events(run.id))[0]
    assert (first.type, first.body["state"]) == ("run_status", "queued")
    assert (await scene.until_over(run.id)).state == RunState.SUCCEEDED


async def test_the_same_call_starts_one_run(scene: Scene) -> None:
    call = Call("start_run", {"goal": "What is there?"}, OWNER, "call_1", "call_1")
    first, again = await scene.registry.invoke(call), await scene.registry.invoke(call)
    assert isinstance(first, Succeeded)
    assert isinstance(again, Succeeded)
    assert again.replayed
    assert facts(first)["id"] == facts(again)["id"]


@pytest.mark.parametrize(
    ("by", "interactive", "scopes"),
    [(OWNER, True, None), (ASKER, True, None), (PLAIN, False, ["plan", "read"])],
)
async def test_who_starts_a_run_bounds_it(
    scene: Scene, by: Actor, interactive: bool, scopes: list[str] | None
) -> None:
    id_ = await scene.start("What is there?", by, propose_first=True)
    run = await scene.run(id_)
    assert run.options == {"interactive": interactive, "propose_first": True, "scopes": scopes}
    await scene.until_over(id_)


async def test_a_run_starts_no_runs(scene: Scene) -> None:
    by = agent("run_1", "owner:ada", frozenset({"run"}))
    outcome = await scene.call("start_run", by, goal="More of me")
    assert isinstance(outcome, Refused)
    assert outcome.code == Code.DENIED


async def test_an_empty_goal_is_refused(scene: Scene) -> None:
    outcome = await scene.call("start_run", goal="   ")
    assert isinstance(outcome, Refused)
    assert outcome.code == Code.INVALID_INPUT


async def test_a_key_without_the_scope_does_not_see_the_tool(scene: Scene) -> None:
    names = {spec.tool for spec in scene.registry.shown_to(client("k", frozenset({"read"})))}
    assert "start_run" not in names
    assert "start_run" in {spec.tool for spec in scene.registry.shown_to(system("import"))}


async def test_the_schemas_of_the_group_are_ones_that_every_client_takes(scene: Scene) -> None:
    for spec in scene.registry.specs:
        assert lint(published(spec.given)) == [], spec.id
