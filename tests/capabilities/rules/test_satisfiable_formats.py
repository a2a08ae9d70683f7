import time

import pytest

from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.patterns import MOST_PATTERNS
from capabilities.rules.problems import Problem
from capabilities.rules.satisfiable_formats import format_problems, reachable, slow_patterns

HD = Condition(ConditionKind.RESOLUTION, "1080p", required=True)


def custom(*conditions: Condition, name: str = "x", score: int = 1) -> CustomFormat:
    return CustomFormat(name, conditions, score)


def only(problems: list[Problem]) -> tuple[str, str, str]:
    (one,) = problems
    return one.field, one.why, one.cure


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        (Condition(ConditionKind.SOURCE, "tape"), 'source "tape" is nothing a name can say'),
        (Condition(ConditionKind.SOURCE, "web-dl|tape"), "is nothing a name can say"),
        (Condition(ConditionKind.PATTERN, "("), "no regular expression"),
        (Condition(ConditionKind.SIZE, "2"), "is no range"),
        (Condition(ConditionKind.SIZE, "8..2"), "is no range"),
        (Condition(ConditionKind.SIZE, "-1..2"), "is no range"),
        (Condition(ConditionKind.YEAR, "a..b"), "is no range"),
        (Condition(ConditionKind.WORDS, "--"), "it hits nothing"),
        (Condition(ConditionKind.GROUP, ""), "it hits nothing"),
    ],
)
def test_a_condition_that_nothing_can_meet_is_named_with_its_format(
    condition: Condition, why: str
) -> None:
    fine = custom(HD, name="fine")
    field, said, _ = only(list(format_problems((fine, custom(condition)), None)))
    assert field == "formats.1"
    assert said.startswith('format "x": ')
    assert why in said


def test_a_source_that_no_name_says_is_answered_with_those_that_names_say() -> None:
    strange = custom(Condition(ConditionKind.SOURCE, "tape"))
    _, _, cure = only(list(format_problems((strange,), None)))
    assert cure.startswith("choose among ")
    assert "web-dl" in cure


@pytest.mark.parametrize(
    ("conditions", "why"),
    [
        ((HD, Condition(ConditionKind.RESOLUTION, "720p", required=True)), "two values of"),
        ((HD, Condition(ConditionKind.RESOLUTION, "1080p", negate=True, required=True)),
         "requires 1080p and its absence"),
    ],
)  # fmt: skip
def test_conditions_that_exclude_each_other_are_named(
    conditions: tuple[Condition, ...], why: str
) -> None:
    assert why in only(list(format_problems((custom(*conditions),), None)))[1]


@pytest.mark.parametrize(
    "conditions",
    [
        (HD, Condition(ConditionKind.RESOLUTION, "1080p|720p", required=True)),
        (HD, Condition(ConditionKind.RESOLUTION, "720p")),
        (Condition(ConditionKind.AUDIO, "aac", required=True),
         Condition(ConditionKind.AUDIO, "atmos", required=True)),
        (Condition(ConditionKind.SIZE, "0..0"),),
        (Condition(ConditionKind.LANGUAGE, "original", negate=True),),
    ],
)  # fmt: skip
def test_conditions_that_something_can_meet_are_no_problem(
    conditions: tuple[Condition, ...],
) -> None:
    assert list(format_problems((custom(*conditions),), None)) == []


def test_only_good_formats_count_towards_a_score_that_can_be_reached() -> None:
    formats = (custom(HD, name="a", score=5), custom(HD, name="b", score=7), custom(HD, score=-9))
    assert reachable(formats) == 12
    assert list(format_problems(formats, 12)) == []
    assert only(list(format_problems(formats, 13))) == (
        "least_score",
        "a score of 13 is required, the formats reach 12",
        "lower it to 12, or score a format higher",
    )


def test_formats_of_one_name_or_without_a_name_or_condition_are_named() -> None:
    twins = list(format_problems((custom(HD), custom(HD)), None))
    assert only(twins)[1] == 'two formats are named "x"'
    for bare in (custom(), custom(HD, name="")):
        assert "lacks a name or a condition" in only(list(format_problems((bare,), None)))[1]


def test_an_expression_is_tried_before_it_is_saved() -> None:
    slow = custom(HD, Condition(ConditionKind.PATTERN, "(a|aa)+$"))
    fine = custom(Condition(ConditionKind.GROUP_PATTERN, "^GRP$"), name="fine")
    field, why, cure = only(list(slow_patterns((fine, slow))))
    assert (field, cure) == ("formats.1", "write it more simply, or take it out")
    assert why == 'format "x": pattern "(a|aa)+$": it takes too long on some names'


def test_too_many_expressions_are_refused_without_trying_any() -> None:
    patterns = [
        custom(Condition(ConditionKind.PATTERN, f"(a|aa)+{number}$"), name=str(number))
        for number in range(MOST_PATTERNS + 1)
    ]
    begun = time.process_time()
    field, why, _ = only(list(slow_patterns(patterns)))
    assert time.process_time() - begun < 1
    assert (field, f"{MOST_PATTERNS} is the most" in why) == ("formats", True)
