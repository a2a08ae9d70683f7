import json

import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    HaltError,
    Pending,
    Recorded,
    Refused,
    Succeeded,
    Unknown,
    facts,
    word,
)
from tests.capabilities.kernel.lamps import Answer, Given

DONE = Succeeded(Answer(name="hall", times=1), "hall is lit.")
EVERY: dict[str, tuple[AnyOutcome, dict[str, object]]] = {
    "succeeded": (DONE, {"name": "hall", "times": 1}),
    "pending": (
        Pending("lamp:1", "It warms up.", "look"),
        {"status": "pending", "handle": "lamp:1", "check": "look"},
    ),
    "unknown": (
        Unknown("It hung up.", "look", "inv_1"),
        {"status": "unknown", "check": "look", "invocation": "inv_1"},
    ),
    "refused": (
        Refused(Code.DENIED, "No.", {"who": "owner"}),
        {"status": "refused", "code": "denied", "error": "No.", "needs": {"who": "owner"}},
    ),
    "failed": (
        Failed(Code.RATE_LIMITED, "Slow down.", "Later.", retry=True, details={"after": 5}),
        {
            "status": "failed",
            "code": "rate_limited",
            "error": "Slow down.",
            "hint": "Later.",
            "retry": True,
            "after": 5,
        },
    ),
}


@pytest.mark.parametrize("name", EVERY)
def test_an_outcome_has_its_word_and_its_facts(name: str) -> None:
    outcome, told = EVERY[name]
    assert word(outcome) == name
    assert facts(outcome) == told
    assert json.loads(json.dumps(facts(outcome))) == told


def test_a_replayed_answer_says_so_and_an_absent_field_is_left_out() -> None:
    assert facts(Succeeded(Given(name="hall"), "Done.", replayed=True)) == {
        "name": "hall",
        "level": 5,
        "replayed": True,
    }


def test_a_recorded_answer_has_the_facts_of_the_first() -> None:
    recorded = Succeeded(Recorded.model_validate(facts(DONE)), DONE.sentence)
    assert facts(recorded) == facts(DONE)


def test_an_outcome_that_ends_a_handler_early_is_carried_whole() -> None:
    refused = Refused(Code.DENIED, "No.")
    halt = HaltError(refused)
    assert halt.outcome is refused
    assert str(halt) == "No."
