import json

from hypothesis import given
from hypothesis import strategies as st

from world.dialogue import Json, first_object, read_conversation

documents = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=9), max_size=4)


@given(sentence=st.text(max_size=20), document=documents)
def test_the_document_after_the_sentence_is_found(sentence: str, document: Json) -> None:
    plain = sentence.replace("{", "(")
    assert first_object(f"{plain}\n{json.dumps(document)}\nafter }}") == document


def test_a_brace_in_the_sentence_is_no_document() -> None:
    assert first_object('Nothing fits {title}.\n{"works": []}') == {"works": []}


def test_text_without_a_document_gives_an_empty_one() -> None:
    assert first_object("Nothing {here.") == {}


def test_results_know_their_call_and_whether_they_were_reported() -> None:
    def asks(call_id: str) -> Json:
        call = {"id": call_id, "function": {"name": "lookup", "arguments": '{"query": "x"}'}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    def answers(call_id: str, content: str) -> Json:
        return {"role": "tool", "tool_call_id": call_id, "content": content}

    conversation = read_conversation(
        {
            "tools": [{"type": "function", "function": {"name": "lookup"}}],
            "messages": [
                {"role": "user", "content": "Go"},
                asks("a"),
                answers("a", 'One work was found.\n{"works": [1]}'),
                {"role": "assistant", "content": "Found."},
                {"role": "user", "content": "Again"},
                asks("b"),
                answers("b", "No work was found."),
            ],
        }
    )
    first, second = conversation.results_of("lookup")
    assert conversation.tools == ("lookup",)
    assert conversation.turns == 3
    assert conversation.results_of("other") == ()
    assert first.call.arguments == {"query": "x"}
    assert (first.sentence, first.document) == ("One work was found.", {"works": [1]})
    assert (first.reported, second.reported) == (True, False)
    assert second.document == {}
