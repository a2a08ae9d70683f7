import json

import pytest
from pydantic import BaseModel

from agent.answers import Answered, loop_note, print_of, worded
from agent.models.port import ToolCall
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, Failed, Pending, Refused, Succeeded, Unknown


class Facts(BaseModel):
    title: str = "Night Train"


def call(arguments: str = '{"title": "Night Train"}') -> ToolCall:
    return ToolCall("a", "find", arguments)


@pytest.mark.parametrize(
    ("outcome", "document"),
    [
        (Succeeded(Facts(), "S."), {"title": "Night Train", "outcome": "succeeded"}),
        (
            Pending("inv_1", "S.", "look"),
            {"status": "pending", "handle": "inv_1", "check": "look", "outcome": "pending"},
        ),
        (
            Unknown("S.", "look", "inv_1"),
            {"status": "unknown", "check": "look", "invocation": "inv_1", "outcome": "unknown"},
        ),
        (
            Refused(Code.DENIED, "S.", {"who": "owner"}),
            {
                "status": "refused",
                "code": "denied",
                "error": "S.",
                "needs": {"who": "owner"},
                "outcome": "refused",
            },
        ),
        (
            Failed(Code.NOT_FOUND, "S.", "H.", details={"near": ["x"]}),
            {
                "status": "failed",
                "code": "not_found",
                "error": "S.",
                "hint": "H.",
                "retry": False,
                "near": ["x"],
                "outcome": "failed",
            },
        ),
    ],
)
def test_an_outcome_is_a_sentence_and_its_facts_on_one_line(
    outcome: AnyOutcome, document: dict[str, object]
) -> None:
    sentence, facts = worded(outcome).split("\n")
    assert sentence == "S."
    assert json.loads(facts) == document


def test_notes_of_the_server_follow_the_facts() -> None:
    assert worded(Succeeded(Facts(), "S."), "two", "three").splitlines()[2:] == [
        "Note of the server: two",
        "Note of the server: three",
    ]


def test_equal_calls_with_equal_answers_have_equal_prints() -> None:
    first = Answered(call('{"b": 1, "a": 2}'), Succeeded(Facts(), "S."))
    again = Answered(call('{"a":2,"b":1}'), Succeeded(Facts(), "S.", replayed=True))
    assert print_of(first) == print_of(again)


@pytest.mark.parametrize(
    "other",
    [
        Answered(call('{"title": "Day Train"}'), Succeeded(Facts(), "S.")),
        Answered(call(), Succeeded(Facts(title="Day Train"), "S.")),
        Answered(call(), Failed(Code.UNAVAILABLE, "S.")),
        Answered(call("{broken"), Succeeded(Facts(), "S.")),
    ],
)
def test_another_call_or_another_answer_has_another_print(other: Answered) -> None:
    assert print_of(other) != print_of(Answered(call(), Succeeded(Facts(), "S.")))


def test_the_third_time_is_the_first_that_is_remarked_on() -> None:
    assert [loop_note(times) is None for times in (1, 2, 3)] == [True, True, False]
