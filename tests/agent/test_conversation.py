from datetime import UTC, datetime
from typing import Any

from agent.conversation import Conversation
from agent.models.port import AssistantMessage, ToolCall, ToolMessage, UserMessage
from ledger.stores.runs import Message

AT = datetime(2026, 2, 3, tzinfo=UTC)


def row(seq: int, role: str, **body: Any) -> Message:
    return Message("run_1", seq, role, body, AT)


def user(seq: int, text: str, request: str = "run_1", **skills: str) -> Message:
    return row(seq, "user", text=text, request=request, skills=skills)


def assistant(seq: int, *calls: str, text: str = "", stop: str = "stop") -> Message:
    made = [{"id": call, "name": "find", "arguments": "{}"} for call in calls]
    return row(seq, "assistant", text=text, reasoning="", calls=made, stop=stop)


def tool(seq: int, call: str, print_: str = "p") -> Message:
    return row(seq, "tool", call=call, text=f"answer of {call}", print=print_)


def test_rows_become_messages_in_their_order() -> None:
    conversation = Conversation([user(1, "Get it"), assistant(2, "a"), tool(3, "a")])
    assert conversation.messages == [
        UserMessage("Get it"),
        AssistantMessage("", "", (ToolCall("a", "find", "{}"),)),
        ToolMessage("a", "answer of a"),
    ]


def test_calls_without_an_answer_are_open_in_their_order() -> None:
    conversation = Conversation([user(1, "Get it"), assistant(2, "a", "b", "c"), tool(3, "b")])
    assert [call.id for call in conversation.open_calls] == ["a", "c"]
    assert not conversation.finished


def test_a_reply_without_calls_ends_the_turn_until_somebody_speaks() -> None:
    conversation = Conversation([user(1, "Get it"), assistant(2, text="Done.")])
    assert conversation.finished
    assert conversation.last_words == "Done."
    conversation.take(user(3, "More", "msg_1"))
    assert not conversation.finished
    assert conversation.request == "msg_1"


def test_words_cut_short_are_no_last_words() -> None:
    conversation = Conversation([user(1, "Get it"), assistant(2, text="Do", stop="length")])
    assert conversation.last_words == ""


def test_repetitions_are_counted_until_the_owner_speaks() -> None:
    conversation = Conversation([user(1, "Get it"), assistant(2, "a"), tool(3, "a")])
    assert conversation.seen("p") == 1
    conversation.take(user(4, "Again"))
    assert conversation.seen("p") == 0


def test_an_id_that_was_used_is_varied() -> None:
    conversation = Conversation([user(1, "Get it"), assistant(2, "a")])
    assert [conversation.unique_id(each) for each in ("a", "a", "b")] == ["a_2", "a_3", "b"]


def test_skills_travel_with_the_message_that_called_for_them() -> None:
    conversation = Conversation([user(1, "Get it", acquire="<skill>How.</skill>")])
    assert conversation.messages == [UserMessage("Get it\n\n<skill>How.</skill>")]
    assert conversation.skills == {"acquire"}
