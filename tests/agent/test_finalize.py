import anyio
import pytest

from ledger.stores import decisions, runs
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.runs import RunState
from ledger.writer import Transaction
from tests.agent.house import GET, House, Scene
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


async def test_a_message_that_arrives_while_the_run_fails_is_not_lost(
    scene: Scene, house: House
) -> None:
    """It is left without waking the run, as when the run is just about to end."""

    def script(conversation: Conversation) -> Turn:
        return Turn(text=f"Answer {conversation.turns + 1}.")

    scene.model.script = script
    scene.model.fail_next(400)
    run = await scene.start("What is Night Train?")
    await scene.until_state(run, RunState.FAILED)

    def leave_words(tx: Transaction) -> None:
        runs.tell(tx, run, "owner:ada", "And now?", scene.ledger.now())
        house.ledger.engine.nudge(tx, "run", run)

    await scene.ledger.write(leave_words)
    done = await scene.until_state(run, RunState.SUCCEEDED)
    assert done.report is not None
    assert done.report["model_words"]["text"] == "Answer 1."


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
    with anyio.fail_after(5):
        reopened = await scene.until(run, lambda row: row.phase == "done" and not row.abort_asked)
    assert reopened.state == RunState.FAILED
    assert reopened.reason is not None
    assert "never carried out" in reopened.reason
