from datetime import timedelta

import pytest

from agent.finalize import finalize
from agent.limits import Limits
from agent.pen import Pen
from agent.settle import Next, settle
from ledger.stores import downloads, runs
from ledger.stores.runs import RunState
from ledger.writer import Transaction
from tests.agent.house import House
from tests.agent.scene import BUY, DRAFT, SUBMITTED, Scene, set_scene
from world.dialogue import Turn
from world.scripts import calls

pytestmark = pytest.mark.anyio


async def test_a_run_waits_for_its_download_and_says_that_it_is_not_there(scene: Scene) -> None:
    run = await scene.until_settling()
    waiting = await scene.run(run)
    assert waiting.report is not None
    assert waiting.report["lines"] == [
        SUBMITTED,
        "Night Train (1959), 1080p, 8.4 GB: downloading, 43 %.",
        "Your approval covered 1 step.",
    ]
    assert waiting.ended_at is None


async def test_being_woken_for_nothing_changes_nothing(scene: Scene, house: House) -> None:
    run = await scene.until_settling()
    before = await scene.events(run)
    await scene.wake(run)
    await house.until_standing(run, "waiting")
    assert await scene.events(run) == before


async def test_a_wake_up_that_never_comes_is_made_up_for_by_looking(
    scene: Scene, house: House
) -> None:
    scene = set_scene(house, scene.model, limits=Limits(goal_poll_s=0.1))
    run = await scene.until_settling()
    await scene.arrive(run, wake=False)
    assert (await scene.until_over(run)).state == RunState.SUCCEEDED


async def test_after_the_longest_wait_the_run_reports_once_and_listens_on(
    scene: Scene, house: House
) -> None:
    run = await scene.until_settling()
    house.time.ahead += timedelta(hours=73)
    await scene.wake(run)
    reported = await scene.until(run, lambda row: row.phase == "done")
    assert (reported.state, reported.reason) == (RunState.WAITING, SUBMITTED)
    await scene.wake(run)
    await house.until_standing(run, "waiting")
    assert len(await scene.events(run, "report")) == 1
    await scene.arrive(run)
    assert (await scene.until_over(run)).state == RunState.SUCCEEDED
    assert len(await scene.events(run, "report")) == 2


async def test_a_download_that_existed_already_is_waited_for_too(scene: Scene) -> None:
    """Another run's download is adopted: the call's answer names it, the row is not the run's."""
    run = await scene.until_settling()

    def give_away(tx: Transaction) -> None:
        (row,) = downloads.of_run(tx.conn, run)
        downloads.change(tx, row.id, run="run_other", plan="plan_other")

    await scene.ledger.write(give_away)
    await scene.wake(run)
    await scene.house.until_standing(run, "waiting")
    assert (await scene.run(run)).reason == SUBMITTED


async def test_a_step_of_unknown_outcome_is_waited_for(scene: Scene) -> None:
    scene.model.script = calls(Turn(calls=(DRAFT, BUY)), Turn(text="Done."))
    run = await scene.start()
    asked = await scene.until_asked(run)
    scene.shop.lose_answers = True
    await scene.decide(asked, yes=True)
    waiting = await scene.until(run, lambda row: row.phase == "settle")
    assert waiting.reason == (
        "Not known yet: whether a step was carried out is still being looked at."
    )
    (claim,) = [each for each in await scene.claims(run) if each.state == "unknown"]
    await scene.registry.reconcile(claim)
    await scene.wake(run)
    await scene.until(run, lambda row: row.reason == SUBMITTED)


async def test_a_stop_that_is_asked_for_as_the_model_ends_is_not_missed(
    scene: Scene, house: House
) -> None:
    run = await scene.until_settling()
    epoch = await house.take_over(run)
    await scene.ledger.write(lambda tx: runs.change(tx, run, abort_asked=True))
    pen = Pen(scene.ledger, run, epoch)
    assert await settle(pen, Limits()) is Next.FINALIZE
    assert await finalize(pen, Limits(), None) is Next.LEAVE
    assert (await scene.run(run)).state == RunState.CANCELLED


async def test_a_message_that_arrives_before_the_end_reopens_the_run(scene: Scene) -> None:
    """The message is there when the run looks whether all is settled."""
    run = await scene.until_settling()
    await scene.ledger.write(
        lambda tx: runs.tell(tx, run, "owner:ada", "One more thing.", scene.ledger.now())
    )
    await scene.arrive(run)
    done = await scene.until_over(run)
    assert done.state == RunState.SUCCEEDED
    heard = [row.body["text"] for row in await scene.messages(run, "user")]
    assert heard == ["Get Night Train", "One more thing."]
    assert done.usage["requests"] == 5
