import json
from typing import Any

import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.policy.bodies import (
    MOST_PROBLEMS,
    Import,
    merged,
    parsed,
    savable,
    valid,
    with_formats,
)
from capabilities.policy.kinds import PolicyKind
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.arr_numbers import App
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.identity_policy import IdentityPolicy


def invalid(halted: pytest.ExceptionInfo[HaltError]) -> Refused:
    outcome = halted.value.outcome
    assert isinstance(outcome, Refused)
    assert outcome.code is Code.INVALID_INPUT
    assert outcome.sentence.endswith("Nothing was drafted.")
    return outcome


def problems(kind: PolicyKind, body: dict[str, Any]) -> list[dict[str, str]]:
    with pytest.raises(HaltError) as halted:
        savable(kind, body)
    found: Any = invalid(halted).needs["problems"]
    return found


def test_a_patch_replaces_fields_merges_objects_and_leaves_null_to_the_default() -> None:
    body = {"a": 1, "b": {"x": 1, "y": 2}, "c": [1, 2], "d": 4}
    patch = {"a": 9, "b": {"y": None, "z": 3}, "c": [3], "d": None, "e": None, "f": {"g": 1}}
    assert merged(body, patch) == {"a": 9, "b": {"x": 1, "z": 3}, "c": [3], "f": {"g": 1}}
    assert body["b"] == {"x": 1, "y": 2}


@pytest.mark.parametrize("text", ["{", "nothing", "[]", "3", '"text"', "[" * 100_000])
def test_what_is_no_json_object_is_refused_by_its_field(text: str) -> None:
    with pytest.raises(HaltError) as halted:
        parsed(text, "patch")
    assert invalid(halted).sentence.startswith("patch: it ")


def test_a_body_that_nothing_can_meet_is_refused_with_every_problem() -> None:
    body = {"required_tokens": ["2160p", "1080p"], "least_score": 5, "least_seeders": -1}
    found = problems("acquisition", body)
    assert [one["field"] for one in found] == ["required_tokens", "least_score", "least_seeders"]
    assert all(one["why"] and one["cure"] for one in found)


def test_of_very_many_problems_the_rest_is_counted() -> None:
    with pytest.raises(HaltError) as halted:
        valid("acquisition", {f"field{n}": n for n in range(MOST_PROBLEMS + 7)})
    outcome = invalid(halted)
    assert outcome.needs["problems_left_out"] == 7
    assert f"(and {MOST_PROBLEMS + 6} more)" in outcome.sentence


@pytest.mark.parametrize(
    ("kind", "patch", "field"),
    [
        ("acquisition", {"delay_minutes": 99_999_999_999_999}, "delay_minutes"),
        ("acquisition", {"most_age_days": 10**9}, "most_age_days"),
        ("acquisition", {"least_seeders": 10**9}, "least_seeders"),
        ("acquisition", {"least_gain": 10**40}, "least_gain"),
        ("acquisition", {"upgrade_until_score": -(10**30)}, "upgrade_until_score"),
        (
            "acquisition",
            {"sizes": [{"tier": "SD", "kind": "film", "most_per_minute": 10**30}]},
            "sizes.0",
        ),
        (
            "acquisition",
            {"formats": [{"name": "x", "score": 10**30,
                          "conditions": [{"kind": "words", "value": "x"}]}]},
            "formats.0.score",
        ),
        ("automation", {"acquire": True, "gigabytes_per_day": 10**12}, "gigabytes_per_day"),
        ("automation", {"acquire": True, "downloads_per_day": 10**12}, "downloads_per_day"),
    ],
)  # fmt: skip
def test_a_number_that_nothing_can_be_counted_with_is_refused_by_its_field(
    kind: PolicyKind, patch: dict[str, Any], field: str
) -> None:
    (found,) = problems(kind, patch)
    assert found["field"] == field
    assert found["why"].endswith(("the most", "the least"))


def test_an_expression_that_takes_too_long_is_not_saved_but_can_still_be_read() -> None:
    condition = {"kind": "pattern", "value": "(a|aa)+$"}
    body = {"formats": [{"name": "Slow", "score": 1, "conditions": [condition]}]}
    (found,) = problems("acquisition", body)
    assert "it takes too long on some names" in found["why"]
    assert isinstance(valid("acquisition", body), AcquisitionPolicy)


def test_more_expressions_than_a_policy_may_have_are_refused() -> None:
    conditions = [{"kind": "pattern", "value": f"a{n}"} for n in range(2_001)]
    body = {"formats": [{"name": "Many", "score": 1, "conditions": conditions}]}
    (found,) = problems("acquisition", body)
    assert "2001 expressions, and 2000 is the most" in found["why"]


def exported(name: str, *specifications: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "trash_scores": {"default": 50}, "specifications": [*specifications]}


GROUP = {
    "name": "group",
    "implementation": "ReleaseGroupSpecification",
    "required": True,
    "fields": {"value": "^(OPEN)$"},
}


def test_an_imported_format_takes_the_place_of_the_one_of_its_name() -> None:
    words = (Condition(ConditionKind.WORDS, "x"),)
    policy = AcquisitionPolicy(
        formats=(CustomFormat("Good", words, 5), CustomFormat("Mine", words, 1))
    )
    text = json.dumps([exported("Good", GROUP), exported("Odd", {"implementation": "Odd"})])
    body, imported = with_formats(policy, Import(text, App.RADARR, "default"))
    assert [(one["name"], one["score"]) for one in body["formats"]] == [("Good", 50), ("Mine", 1)]
    assert [one.name for one in imported.left_out] == ["Odd"]
    saved = savable("acquisition", body)
    assert isinstance(saved, AcquisitionPolicy)
    assert saved.formats[0].conditions[0].value == "^(OPEN)$"


def test_only_an_acquisition_policy_has_formats() -> None:
    with pytest.raises(HaltError) as halted:
        with_formats(IdentityPolicy(), Import("[]", App.RADARR, "default"))
    assert "only an acquisition policy" in invalid(halted).sentence
    with pytest.raises(HaltError) as halted:
        with_formats(AcquisitionPolicy(), Import("{", App.RADARR, "default"))
    assert invalid(halted).sentence.startswith("formats: ")
