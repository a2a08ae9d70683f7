import anyio
import pytest
from structlog.testing import capture_logs

from agent.prompt.environment import Surroundings
from capabilities.kernel.actors import client
from ledger.faults import StaleWriterError
from ledger.stores import decisions
from ledger.stores.claims import ClaimState
from ledger.stores.decisions import DecisionKind
from ledger.stores.runs import RunState
from tests.agent.house import House
from tests.agent.scene import FIND, GET, SUBMITTED, Scene, set_scene
from world.dialogue import Conversation, Turn
from world.scripts import calls, say

pytestmark = pytest.mark.anyio


async def test_a_title_comes_home_and_the_report_is_built_from_tables(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    await scene.decide(await scene.until_asked(run), yes=True)
    waiting = await scene.until(run, lambda row: row.phase == "settle")
    assert (waiting.state, waiting.reason) == (RunState.WAITING, SUBMITTED)
    await scene.arrive(run)
    done = await scene.until_over(run)
    assert done.state == RunState.SUCCEEDED
    assert done.report is not None
    assert done.report["lines"] == [
        "Night Train (1959) is in the library.",
        (
            "Night Train (1959), 1080p, 8.4 GB: in Night Train (1959)/Night Train (1959).mkv, "
            "took less than a minute."
        ),
        "Your approval covered 1 step.",
    ]
    assert done.report["model_words"] == {
        "text": "Submitted: Night Train (1959).",
        "verified": False,
    }
    assert len(scene.shop.bought) == 1


async def test_a_question_is_answered_without_touching_anything(scene: Scene) -> None:
    scene.model.script = say("Night Train is a film of 1959.")
    done = await scene.until_over(await scene.start("What is Night Train?"))
    assert done.state == RunState.SUCCEEDED
    assert done.reason == "Answered; nothing was downloaded or moved."


async def test_an_answer_without_words_is_no_success(scene: Scene) -> None:
    scene.model.script = say("")
    done = await scene.until_over(await scene.start("What is Night Train?"))
    assert done.state == RunState.FAILED


async def test_a_failed_download_fails_the_run_with_its_reason(scene: Scene) -> None:
    run = await scene.until_settling()
    await scene.arrive(run, state="failed", error="the tracker is gone")
    done = await scene.until_over(run)
    assert done.state == RunState.FAILED
    assert done.reason == "Not in the library: Night Train (1959) (the tracker is gone)."


async def test_a_message_to_an_ended_run_takes_it_up_again(scene: Scene) -> None:
    scene.model.script = say("Night Train is a film.")
    run = await scene.start("What is Night Train?")
    await scene.until_over(run)
    asked = anyio.Event()

    def script(conversation: Conversation) -> Turn:
        asked.set()
        return Turn(text=f"{conversation.turns + 1} answers.")

    scene.model.script = script
    answer = await scene.ask("runs.send_message", run=run, text="From when?")
    assert answer["reopened"] is True
    with anyio.fail_after(5):
        await asked.wait()
    done = await scene.until_over(run)
    assert done.report is not None
    assert done.report["model_words"]["text"] == "2 answers."
    heard = [row.body["text"] for row in await scene.messages(run, "user")]
    assert heard == ["What is Night Train?", "From when?"]


async def test_a_message_while_waiting_for_a_download_is_answered_at_once(scene: Scene) -> None:
    run = await scene.until_settling()
    await scene.ask("runs.send_message", run=run, text="How far is it?")
    await scene.until(run, lambda row: row.usage["requests"] == 5)
    settled = await scene.until(run, lambda row: row.phase == "settle")
    assert settled.reason == SUBMITTED
    assert (await scene.messages(run))[-1].body["text"] == "That was all."


async def test_a_segment_that_was_overtaken_changes_nothing(scene: Scene, house: House) -> None:
    scene.model.script = GET
    scene.shop.close()
    run = await scene.start()
    await scene.shop.until_inside(1)
    epoch = await house.take_over(run)
    scene.shop.open()
    driver = house.driver
    assert driver is not None
    await driver.segment(run, epoch)
    assert len(await scene.results(run)) == 2
    assert [row.body["call"] for row in await scene.messages(run, "tool")] == [
        call["id"] for row in await scene.messages(run, "assistant") for call in row.body["calls"]
    ][:2]
    with pytest.raises(StaleWriterError):
        await driver.segment(run, epoch - 1)


async def test_an_effect_cut_off_in_the_middle_is_looked_for_and_not_repeated(
    scene: Scene, house: House
) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    scene.shop.close()
    await scene.decide(asked, yes=True)
    await scene.shop.until_inside(1)
    epoch = await house.take_over(run)
    house.scopes[run].cancel()
    assert house.driver is not None
    await house.driver.segment(run, epoch)
    assert len(scene.shop.bought) == 1
    claim = (await scene.claims(run))[-1]
    assert claim.state == ClaimState.SUCCEEDED
    bought = (await scene.results(run))[2]
    assert '"download":"dl:1"' in bought


async def test_an_effect_that_another_segment_is_still_making_is_made_once(
    scene: Scene, house: House
) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    scene.shop.close()
    await scene.decide(asked, yes=True)
    await scene.shop.until_inside(1)
    epoch = await house.take_over(run)
    assert house.driver is not None
    async with anyio.create_task_group() as group:
        group.start_soon(house.driver.segment, run, epoch)
        scene.shop.open()
    assert len(scene.shop.bought) == 1
    assert len(await scene.results(run)) == 3
    assert (await scene.run(run)).reason == SUBMITTED


async def test_two_runs_work_side_by_side(scene: Scene) -> None:
    scene.model.script = calls(Turn(calls=(FIND,)))
    scene.shop.close()
    first, second = await scene.start("Find it"), await scene.start("Find it too")
    await scene.shop.until_inside(2)
    scene.shop.open()
    await scene.until_over(first)
    await scene.until_over(second)
    assert [len(await scene.results(run)) for run in (first, second)] == [1, 1]


async def test_an_abort_cuts_the_model_off_at_once(scene: Scene) -> None:
    asked = anyio.Event()

    def script(conversation: Conversation) -> Turn:
        del conversation
        asked.set()
        return Turn(text="A long answer that never ends. " * 20)

    scene.model.script = script
    gone = scene.model.hang_next(after_chunks=4)
    run = await scene.start()
    with anyio.fail_after(5):
        await asked.wait()
        await scene.ask("runs.abort_run", run=run)
        await gone.wait()
    done = await scene.until_over(run)
    assert (done.state, done.reason) == (RunState.CANCELLED, "Stopped, as you asked.")
    assert await scene.messages(run, "assistant") == []


async def test_an_abort_during_an_effect_leaves_it_unknown_and_its_call_answered(
    scene: Scene,
) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    scene.shop.close()
    await scene.decide(asked, yes=True)
    await scene.shop.until_inside(1)
    await scene.ask("runs.abort_run", run=run)
    done = await scene.until_over(run)
    assert done.state == RunState.CANCELLED
    assert done.report is not None
    assert len(done.report["unknown"]) == 1
    assert "1 step is not known yet." in done.report["lines"]
    assert '"outcome":"unknown"' in (await scene.results(run))[-1]


async def test_an_abort_while_waiting_for_a_download_says_what_goes_on(scene: Scene) -> None:
    run = await scene.until_settling()
    answer = await scene.ask("runs.abort_run", run=run)
    assert answer["not_undone"] == ["Night Train.1959.1080p"]
    done = await scene.until_over(run)
    assert done.report is not None
    assert done.report["lines"][1:3] == [
        "Night Train (1959), 1080p, 8.4 GB: downloading, 43 %.",
        "Stopping the run stops no download: what was submitted goes on.",
    ]


async def test_a_refused_credential_ends_the_run_and_asks_the_owner_once(
    scene: Scene, house: House
) -> None:
    scene = set_scene(house, scene.model, key="wrong")
    first = await scene.until_over(await scene.start())
    second = await scene.until_over(await scene.start())
    assert first.state == second.state == RunState.FAILED
    assert first.reason is not None
    assert first.reason.startswith("The model refuses: the credential is not accepted.")
    assert scene.model.requests == []
    asked, _ = await house.ledger.read(
        lambda conn: decisions.listing(conn, kind=DecisionKind.UPSTREAM_LOGIN)
    )
    assert [row.subject for row in asked] == ["The model"]


async def test_a_run_without_a_model_ends_with_one_sentence(scene: Scene, house: House) -> None:
    models: list[str] = []
    scene = set_scene(house, scene.model, connected=lambda: bool(models))
    run = await scene.start()
    done = await scene.until_over(run)
    assert done.state == RunState.FAILED
    assert done.reason is not None
    assert done.reason.startswith("No model is connected")
    models.append("one")
    await scene.ask("runs.send_message", run=run, text="Now there is one.")
    await scene.until_state(run, RunState.SUCCEEDED)


async def test_a_fault_of_our_own_ends_the_run_and_says_so(scene: Scene, house: House) -> None:
    async def broken() -> Surroundings:
        raise RuntimeError("a bug")

    scene = set_scene(house, scene.model, surroundings=broken)
    with capture_logs() as logged:
        done = await scene.until_over(await scene.start())
    assert [each["event"] for each in logged] == ["a segment failed"]
    assert done.state == RunState.FAILED
    assert done.reason is not None
    assert done.reason.startswith("Matinee failed while working on this.")


async def test_a_run_whose_report_cannot_be_built_ends_all_the_same(scene: Scene) -> None:
    run = await scene.until_settling()
    with capture_logs() as logged:
        await scene.arrive(run, targets=("/an/absolute/path", "a relative one"))
        done = await scene.until_over(run)
    assert [each["step"] for each in logged] == ["_steps", "_give_up"]
    assert done.reason is not None
    assert done.reason.startswith("Matinee failed while working on this.")


async def test_a_run_of_a_key_may_use_no_more_than_the_key(scene: Scene) -> None:
    reader = client("reader", frozenset({"run", "read"}))
    done = await scene.until_over(await scene.start("What is there?", reader))
    assert done.options["scopes"] == ["read"]
    tools = scene.model.requests[-1].document["tools"]
    names = [tool["function"]["name"] for tool in tools]
    assert names == ["update_plan", "get_tool_execution", "shop__find"]
