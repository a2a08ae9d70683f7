import json
from typing import Any

import pytest
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    Pending,
    Recorded,
    Refused,
    Succeeded,
    Unknown,
)
from server.protocol.results import MOST, TARGET, result


class Items(BaseModel):
    items: list[str]
    next_cursor: str = "abc"


class Loose(BaseModel):
    anything: dict[str, Any]


def parts(result: CallToolResult) -> tuple[str, dict[str, Any]]:
    (block,) = result.content
    assert isinstance(block, TextContent)
    sentence, _, facts = block.text.partition("\n")
    return sentence, json.loads(facts)


OUTCOMES: list[tuple[AnyOutcome, str, bool]] = [
    (Succeeded(Items(items=["a"]), "One thing."), "succeeded", False),
    (Pending("dl:1", "Accepted, not finished.", "Call download__inspect."), "pending", False),
    (Unknown("Nobody knows.", "Call task__inspect."), "unknown", False),
    (Refused(Code.NEEDS_APPROVAL, "Ask the owner.", {"plan": "plan:1"}), "refused", True),
    (Failed(Code.UNAVAILABLE, "No contact.", "Later.", retry=True), "failed", True),
]


@pytest.mark.parametrize(("outcome", "word", "is_error"), OUTCOMES, ids=[o[1] for o in OUTCOMES])
def test_text_and_structure_tell_the_same(
    outcome: AnyOutcome, word: str, *, is_error: bool
) -> None:
    made = result(outcome)
    sentence, told = parts(made)
    assert sentence == outcome.sentence
    assert told["outcome"] == word
    assert made.structured_content["outcome"] == word
    assert made.structured_content["sentence"] == outcome.sentence
    missing = {k: v for k, v in made.structured_content.items() if k not in told}
    assert set(missing.values()) == {outcome.sentence}
    assert told.items() <= made.structured_content.items()
    assert made.is_error is is_error


def test_an_approval_that_is_needed_says_what_to_do() -> None:
    made = result(Refused(Code.NEEDS_APPROVAL, "Ask the owner.", {"plan": "plan:1"}))
    assert made.structured_content["code"] == "needs_approval"
    assert made.structured_content["needs"] == {"plan": "plan:1"}


def test_a_large_answer_is_cut_and_says_so_in_both() -> None:
    made = result(Succeeded(Items(items=["x" * 100] * 2000), "Two thousand things."))
    sentence, told = parts(made)
    left_out = 2000 - len(told["items"])
    assert left_out > 0
    assert f"{left_out} of `items` left out" in sentence
    assert told["left_out"] == {"items": left_out}
    assert made.structured_content["left_out"] == {"items": left_out}
    assert made.structured_content["note"] in sentence
    assert len(json.dumps(told)) <= TARGET + 1000
    assert told["outcome"] == "succeeded"


def test_an_answer_below_the_bound_is_whole() -> None:
    made = result(Succeeded(Items(items=["x" * 100] * 900), "Many."))
    assert len(made.structured_content["items"]) == 900
    assert "left_out" not in made.structured_content


def test_an_answer_that_cannot_be_cut_keeps_its_outcome() -> None:
    fields = {f"field {n}": "x" * 20 for n in range(MOST // 20)}
    made = result(Succeeded(Recorded.model_validate(fields), "Here it is."))
    sentence, told = parts(made)
    assert sentence.startswith("Here it is. The answer had ")
    assert "everything left out" in sentence
    assert told == {"outcome": "succeeded", "left_out": {}, "note": told["note"]}


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    made = result(Succeeded(Loose(anything={"title": "a\ud800b"}), "A title \ud800."))
    sentence, told = parts(made)
    assert sentence == "A title ?."
    assert told["anything"] == {"title": "a?b"}
    made.model_dump_json()
