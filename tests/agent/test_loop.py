import json
from itertools import pairwise

import pytest

from agent.limits import Limits
from ledger.stores.runs import RunState
from tests.agent.house import House
from tests.agent.scene import BUY, DRAFT, FIND, Scene, set_scene
from world.dialogue import Call, Conversation, Turn
from world.scripts import calls, looping, say

pytestmark = pytest.mark.anyio


def finding(title: str) -> Call:
    return Call("shop__find", {"title": title})


def never_the_same(conversation: Conversation) -> Turn:
    return Turn(calls=(finding(str(conversation.turns)),))


async def test_reads_of_one_reply_run_side_by_side_and_are_stored_in_their_order(
    scene: Scene,
) -> None:
    titles = ["A", "B", "C", "D", "E", "F"]
    scene.model.script = calls(Turn(calls=tuple(finding(title) for title in titles)))
    scene.shop.close()
    run = await scene.start()
    await scene.shop.until_inside(4)
    scene.shop.open()
    await scene.until_over(run)
    assert scene.shop.most_inside == 4
    found = [json.loads(text.splitlines()[1])["found"] for text in await scene.results(run)]
    assert found == titles


async def test_an_effect_waits_for_the_reads_before_it_and_runs_alone(scene: Scene) -> None:
    scene.model.script = calls(Turn(calls=(finding("A"), DRAFT, finding("B"))))
    run = await scene.start()
    await scene.until_over(run)
    tools = [event.body["tool"] for event in await scene.events(run, "tool_result")]
    assert tools == ["shop__find", "shop__draft", "shop__find"]
    assert scene.shop.looked == ["A", "B"]


async def test_malformed_arguments_are_answered_so_that_the_model_can_mend_them(
    scene: Scene,
) -> None:
    scene.model.script = calls(
        Turn(calls=(Call("shop__find", '{"title": "Night'),)),
        Turn(calls=(Call("shop__find", '["Night Train"]'),)),
        Turn(calls=(FIND,)),
        Turn(text="Found."),
    )
    run = await scene.start()
    done = await scene.until_over(run)
    broken, listed, found = await scene.results(run)
    assert broken.startswith("The arguments are not valid JSON")
    assert '"example":{"title":"Night Train"}' in broken
    assert listed.startswith("The arguments must be one JSON object.")
    assert found.startswith("Night Train is on offer.")
    assert done.state == RunState.SUCCEEDED


async def test_an_unknown_tool_is_answered_with_the_nearest_names(scene: Scene) -> None:
    scene.model.script = calls(Turn(calls=(Call("shop__finds", {}),)), Turn(text="So be it."))
    run = await scene.start()
    done = await scene.until_over(run)
    (answer,) = await scene.results(run)
    assert "Did you mean shop__find" in answer
    assert done.state == RunState.SUCCEEDED
    (told,) = await scene.events(run, "tool_call")
    assert told.body["sentence"] == "An unknown tool"


async def test_a_tool_of_the_public_door_is_unknown_to_the_agent(scene: Scene) -> None:
    scene.model.script = calls(Turn(calls=(Call("start_run", {"goal": "more"}),)))
    run = await scene.start()
    await scene.until_over(run)
    assert '"code":"not_found"' in (await scene.results(run))[0]


async def test_the_same_call_with_the_same_answer_is_warned_of_and_then_ends_the_run(
    scene: Scene,
) -> None:
    scene.model.script = looping(FIND)
    run = await scene.start()
    done = await scene.until_over(run)
    results = await scene.results(run)
    warned = ["has had this exact answer" in text for text in results]
    assert warned == [False, False, True, True, True, True]
    assert done.state == RunState.FAILED
    assert done.reason is not None
    assert "6 times" in done.reason


async def test_the_same_call_written_differently_is_the_same_call(scene: Scene) -> None:
    scene.model.script = calls(
        *(
            Turn(calls=(Call("shop__find", f'{{{" " * n}"title": "Night Train"}}'),))
            for n in range(3)
        )
    )
    run = await scene.start()
    await scene.until_over(run)
    assert "has had this exact answer 3 times" in (await scene.results(run))[-1]


async def test_the_end_of_the_budget_is_announced_and_then_enforced(
    scene: Scene, house: House
) -> None:
    scene = set_scene(house, scene.model, limits=Limits(max_tool_calls=4))
    scene.model.script = never_the_same
    run = await scene.start()
    done = await scene.until_over(run)
    assert done.state == RunState.BUDGET_EXCEEDED
    assert done.reason == "The run used all of its 4 tool calls."
    results = await scene.results(run)
    assert ["Stop here and sum up" in text for text in results] == [
        False,
        True,
        False,
        False,
        False,
    ]
    assert '"code":"cancelled"' in results[-1]
    assert len(scene.shop.looked) == 4
    (notice,) = await scene.events(run, "budget_notice")
    assert notice.body["sentence"].startswith("2 tool calls are left")


async def test_reads_beyond_the_budget_are_not_made(scene: Scene, house: House) -> None:
    scene = set_scene(house, scene.model, limits=Limits(max_tool_calls=2))
    scene.model.script = calls(Turn(calls=(finding("A"), finding("B"), finding("C"))))
    run = await scene.start()
    done = await scene.until_over(run)
    assert done.state == RunState.BUDGET_EXCEEDED
    assert scene.shop.looked == ["A", "B"]
    assert len(await scene.results(run)) == 3


async def test_a_run_may_use_its_last_call_and_still_answer(scene: Scene, house: House) -> None:
    scene = set_scene(house, scene.model, limits=Limits(max_tool_calls=1))
    scene.model.script = calls(Turn(calls=(FIND,)), Turn(text="Found."))
    done = await scene.until_over(await scene.start())
    assert done.state == RunState.SUCCEEDED


async def test_a_message_to_a_run_whose_budget_was_used_up_brings_a_fresh_one(
    scene: Scene, house: House
) -> None:
    scene = set_scene(house, scene.model, limits=Limits(max_tool_calls=1))
    scene.model.script = calls(Turn(calls=(finding("A"), finding("B"))), Turn(calls=(FIND,)))
    run = await scene.start()
    await scene.until_state(run, RunState.BUDGET_EXCEEDED)
    await scene.ask("runs.send_message", run=run, text="Go on.")
    done = await scene.until_state(run, RunState.SUCCEEDED)
    assert scene.shop.looked == ["A", "Night Train"]
    assert done.usage["tool_calls"] == 2


async def test_a_run_whose_time_is_used_up_is_ended_in_the_middle_of_an_answer(
    scene: Scene, house: House
) -> None:
    scene = set_scene(house, scene.model, limits=Limits(max_duration_s=0.3))
    scene.model.script = say("A long answer. " * 20)
    gone = scene.model.hang_next(after_chunks=3)
    done = await scene.until_over(await scene.start())
    await gone.wait()
    assert done.state == RunState.BUDGET_EXCEEDED


async def test_time_used_up_before_the_next_reply_ends_the_run(scene: Scene, house: House) -> None:
    scene = set_scene(house, scene.model, limits=Limits(max_duration_s=0))
    done = await scene.until_over(await scene.start())
    assert done.state == RunState.BUDGET_EXCEEDED
    assert scene.model.requests == []


async def test_the_same_call_id_from_the_provider_is_told_apart(scene: Scene) -> None:
    for turn in range(2):
        scene.model.send_next(_one_call("call_0", {"title": str(turn)}))
    scene.model.script = calls(Turn(), Turn(), Turn(text="Found."))
    run = await scene.start()
    await scene.until_over(run)
    ids = [row.body["call"] for row in await scene.messages(run, "tool")]
    assert ids == ["call_0", "call_0_2"]
    assert scene.shop.looked == ["0", "1"]


async def test_the_plan_is_kept_and_shown_to_the_model_again(scene: Scene) -> None:
    step = {"id": "find", "title": "Find it", "status": "in_progress"}
    scene.model.script = calls(
        Turn(calls=(Call("update_plan", {"goal": "Get it", "steps": [step]}), FIND)),
        Turn(text="Found."),
    )
    run = await scene.start()
    done = await scene.until_over(run)
    assert done.plan == {"goal": "Get it", "steps": [step]}
    last = scene.model.requests[-1].document["messages"][-1]["content"]
    assert "- [in_progress] find: Find it" in last
    assert len(await scene.events(run, "plan_updated")) == 1


async def test_a_private_tool_with_a_wrong_input_is_answered(scene: Scene) -> None:
    scene.model.script = calls(
        Turn(calls=(Call("update_plan", {"steps": [{"title": "no id"}]}),)),
        Turn(calls=(Call("update_plan", "{"),)),
    )
    run = await scene.start()
    await scene.until_over(run)
    missing, broken = await scene.results(run)
    assert missing.startswith("steps.0.id: Field required.")
    assert '"example":{"goal"' in broken


async def test_every_request_repeats_the_bytes_of_the_one_before(scene: Scene) -> None:
    scene.model.script = calls(
        Turn(calls=(Call("update_plan", {"steps": [{"id": "a", "title": "Find"}]}),)),
        Turn(text="", calls=(FIND,), reasoning="First I look."),
        Turn(calls=(DRAFT, BUY)),
    )
    run = await scene.start()
    await scene.decide(await scene.until_asked(run), yes=True)
    await scene.until(run, lambda row: row.phase == "settle")
    requests = [received.document for received in scene.model.requests]
    assert len(requests) == 4
    for earlier, later in pairwise(requests):
        assert json.dumps(earlier["tools"]) == json.dumps(later["tools"])
        before, after = earlier["messages"], later["messages"]
        assert json.dumps(before[:-1]) == json.dumps(after[: len(before) - 1])
        last = before[-1]["content"].partition("\n\n<state>")
        assert last[1]
        assert after[len(before) - 1]["content"] == last[0]


def _one_call(id_: str, arguments: dict[str, object]) -> list[dict[str, object]]:
    function = {"name": "shop__find", "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": id_, "type": "function", "function": function}
    return [
        {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    ]
