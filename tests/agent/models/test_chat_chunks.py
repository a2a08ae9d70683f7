from hypothesis import given
from hypothesis import strategies as st

from agent.models.chat_chunks import Assembly, Chunk
from agent.models.port import Finished, StopReason, StreamEvent, TextDelta, ToolCall, ToolCallReady

pieces = st.lists(st.text(max_size=6), max_size=8)


def fed(*documents: object) -> list[StreamEvent]:
    assembly = Assembly()
    events = [event for each in documents for event in assembly.take(Chunk.model_validate(each))]
    return [*events, *assembly.finish()]


def delta(**fields: object) -> object:
    return {"choices": [{"delta": fields}]}


def call_piece(index: int, call_id: str | None, name: str | None, arguments: str) -> object:
    function = {"name": name, "arguments": arguments}
    return delta(tool_calls=[{"index": index, "id": call_id, "function": function}])


STOP = {"choices": [{"finish_reason": "stop"}]}


@given(texts=st.tuples(pieces, pieces), data=st.data())
def test_calls_come_out_whole_however_their_pieces_are_mixed(
    texts: tuple[list[str], list[str]], data: st.DataObject
) -> None:
    first, second = texts
    waiting = [iter(first), iter(second)]
    order = data.draw(st.permutations([0] * len(first) + [1] * len(second)))
    mixed = [call_piece(at, None, None, next(waiting[at])) for at in order]
    opened = [call_piece(0, "a", "one", ""), call_piece(1, "b", "two", "")]
    assert fed(*opened, *mixed, STOP) == [
        ToolCallReady(ToolCall("a", "one", "".join(first))),
        ToolCallReady(ToolCall("b", "two", "".join(second))),
        Finished(StopReason.TOOL_CALLS, None),
    ]


@given(texts=pieces)
def test_no_empty_delta_is_given_and_no_text_is_lost(texts: list[str]) -> None:
    events = fed(*(delta(content=text) for text in texts), STOP)
    given_texts = [event.text for event in events if isinstance(event, TextDelta)]
    assert "" not in given_texts
    assert "".join(given_texts) == "".join(texts)
