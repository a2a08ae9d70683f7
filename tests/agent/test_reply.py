import pytest

from ledger.stores.runs import RunState
from tests.agent.scene import Scene
from world.dialogue import Turn
from world.scripts import calls, say

pytestmark = pytest.mark.anyio

WORDS = "Night Train is a Polish film of 1959, directed by Jerzy Kawalerowicz."


async def test_words_are_passed_on_in_portions_and_add_up_to_the_reply(scene: Scene) -> None:
    scene.model.script = calls(Turn(text=WORDS, reasoning="An easy one."))
    run = await scene.start()
    await scene.until_over(run)
    deltas = [event.body for event in await scene.events(run, "text_delta")]
    assert "".join(delta["text"] for delta in deltas) == WORDS
    assert len(deltas) <= 2
    (thought,) = await scene.events(run, "reasoning")
    assert thought.body["text"] == "An easy one."
    (reply,) = await scene.messages(run, "assistant")
    assert (reply.body["text"], reply.body["reasoning"]) == (WORDS, "An easy one.")


async def test_a_slow_reply_is_passed_on_while_it_comes(scene: Scene) -> None:
    scene.model.script = say(WORDS)
    scene.house.time.tick_s = 0.25
    run = await scene.start()
    await scene.until_over(run)
    scene.house.time.tick_s = 0.0
    deltas = [event.body for event in await scene.events(run, "text_delta")]
    assert len(deltas) == 6
    assert "".join(delta["text"] for delta in deltas) == WORDS
    assert {(delta["reply"], delta["attempt"]) for delta in deltas} == {(1, 1)}


async def test_a_reply_that_broke_off_is_asked_for_again_as_a_whole(scene: Scene) -> None:
    scene.model.script = say(WORDS)
    scene.model.cut_next(after_chunks=3)
    run = await scene.start()
    done = await scene.until_over(run)
    assert done.state == RunState.SUCCEEDED
    (reply,) = await scene.messages(run, "assistant")
    assert reply.body["text"] == WORDS
    attempts = {event.body["attempt"] for event in await scene.events(run, "text_delta")}
    assert 2 in attempts


async def test_a_reply_that_keeps_breaking_off_ends_the_run(scene: Scene) -> None:
    scene.model.script = say(WORDS)
    scene.model.cut_next(after_chunks=3, times=3)
    run = await scene.start()
    done = await scene.until_over(run)
    assert done.state == RunState.FAILED
    assert len(scene.model.requests) == 3
    assert await scene.messages(run, "assistant") == []


async def test_a_provider_that_is_down_is_tried_again_and_then_ends_the_run(scene: Scene) -> None:
    scene.model.fail_next(503, times=2)
    done = await scene.until_over(await scene.start())
    assert done.state == RunState.FAILED
    assert done.reason is not None
    assert done.reason.startswith("The model reports a failure of its own")


async def test_a_passing_failure_of_the_provider_is_not_noticed(scene: Scene) -> None:
    scene.model.script = say(WORDS)
    scene.model.fail_next(503)
    assert (await scene.until_over(await scene.start())).state == RunState.SUCCEEDED


async def test_tokens_are_counted_over_the_run(scene: Scene) -> None:
    scene.model.script = say(WORDS)
    done = await scene.until_over(await scene.start())
    assert done.usage["requests"] == 1
    assert done.usage["input_tokens"] > 0
    assert done.usage["output_tokens"] > 0


async def test_words_that_were_cut_short_by_the_model_are_not_its_last_words(scene: Scene) -> None:
    scene.model.send_next(
        [
            {"choices": [{"index": 0, "delta": {"content": "It is"}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]},
        ]
    )
    done = await scene.until_over(await scene.start())
    assert done.state == RunState.FAILED
    assert done.report is not None
    assert done.report["model_words"] is None
