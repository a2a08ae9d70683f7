import anyio
import pytest

from agent.limits import Limits
from ledger.stores import decisions
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.runs import RunState
from tests.agent.house import House
from tests.agent.scene import GET, Scene, set_scene
from world.dialogue import Conversation, Turn
from world.scripts import say

pytestmark = pytest.mark.anyio


async def test_the_report_is_kept_as_a_document_and_told(scene: Scene) -> None:
    scene.model.script = say("Night Train is a film.")
    run = await scene.start("What is Night Train?")
    done = await scene.until_over(run)
    assert done.ended_at is not None
    assert done.phase == "done"
    (told,) = await scene.events(run, "report")
    assert told.body["lines"] == ["Answered; nothing was downloaded or moved."]
    assert told.body["artifact"].startswith("art_")
    assert (await scene.events(run))[-1].body["state"] == "succeeded"


async def test_a_message_that_arrives_while_the_run_is_cut_takes_it_up_again(
    scene: Scene, house: House
) -> None:
    scene = set_scene(house, scene.model, limits=Limits(max_duration_s=1.0))
    asked = anyio.Event()

    def script(conversation: Conversation) -> Turn:
        asked.set()
        return Turn(text=f"Answer {conversation.turns + 1}. " * 20)

    scene.model.script = script
    gone = scene.model.hang_next(after_chunks=2)
    run = await scene.start("What is Night Train?")
    with anyio.fail_after(5):
        await asked.wait()
        await scene.ask("runs.send_message", run=run, text="And now?")
        await gone.wait()
    done = await scene.until_over(run)
    assert done.state == RunState.SUCCEEDED
    heard = [row.body["text"] for row in await scene.messages(run, "user")]
    assert heard == ["What is Night Train?", "And now?"]
    states = [event.body["state"] for event in await scene.events(run, "run_status")]
    assert "budget_exceeded" not in states


async def test_being_nudged_without_a_message_changes_nothing(scene: Scene, house: House) -> None:
    run = await scene.start("What is Night Train?")
    await scene.until_over(run)
    before = await scene.events(run)
    await house.until_standing(run, "ended")
    await scene.ledger.write(lambda tx: house.ledger.engine.nudge(tx, "run", run))
    await house.until_standing(run, "ended")
    assert await scene.events(run) == before


async def test_an_aborted_run_withdraws_its_options(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    await scene.until_asked(run)
    question = NewDecision(
        DecisionKind.CHOOSE_OPTION, f"options:{run}", "Which one?", options=[{"id": "a"}], run=run
    )
    id_ = await scene.ledger.write(lambda tx: decisions.raise_(tx, question, scene.ledger.now()))
    await scene.ask("runs.abort_run", run=run)
    await scene.until_state(run, RunState.CANCELLED)
    decision = await scene.ledger.read(lambda conn: decisions.by_id(conn, id_))
    assert decision is not None
    assert (decision.state, decision.resolution) == ("resolved", "withdrawn")


async def test_a_stopped_run_can_be_taken_up_again(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    await scene.until_asked(run)
    await scene.ask("runs.abort_run", run=run)
    await scene.until_state(run, RunState.CANCELLED)
    await scene.ask("runs.send_message", run=run, text="Go on after all.")
    reopened = await scene.until_state(run, RunState.FAILED)
    assert reopened.reason is not None
    assert "never carried out" in reopened.reason
