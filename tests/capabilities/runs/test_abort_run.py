import pytest

from ledger.stores.runs import RunState
from tests.agent.scene import FIND, Scene
from world.dialogue import Turn
from world.scripts import calls

pytestmark = pytest.mark.anyio


async def test_a_working_run_is_stopped_where_it_is(scene: Scene) -> None:
    scene.model.script = calls(Turn(calls=(FIND,)))
    scene.shop.close()
    run = await scene.start("Find it")
    await scene.shop.until_inside(1)
    answer = await scene.ask("abort_run", run=run)
    assert answer["stopping"] is True
    done = await scene.until_over(run)
    assert done.state == RunState.CANCELLED
    (answered,) = await scene.results(run)
    assert '"code":"cancelled"' in answered
    assert len(scene.model.requests) == 1


async def test_what_was_submitted_is_named_as_not_undone(scene: Scene) -> None:
    run = await scene.until_settling()
    outcome = await scene.ask("abort_run", run=run)
    assert outcome["not_undone"] == ["Night Train.1959.1080p"]
    await scene.until_state(run, RunState.CANCELLED)


async def test_stopping_an_ended_run_says_that_it_had_ended(scene: Scene) -> None:
    run = await scene.start("What is there?")
    await scene.until_over(run)
    answer = await scene.ask("abort_run", run=run)
    assert (answer["stopping"], answer["state"]) == (False, "succeeded")
    assert not (await scene.run(run)).abort_asked


async def test_stopping_twice_is_stopping_once(scene: Scene) -> None:
    run = await scene.until_settling()
    for _ in range(2):
        await scene.ask("abort_run", run=run)
    await scene.until_over(run)
    states = [event.body["state"] for event in await scene.events(run, "run_status")]
    assert states.count("cancelled") == 1
