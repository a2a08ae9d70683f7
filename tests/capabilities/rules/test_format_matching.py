import time
from dataclasses import replace

import pytest

from capabilities.rules.format_matching import Explained, Match, explain, judged, match
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat, Subject
from capabilities.rules.found import Found
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.tokens import words
from capabilities.rules.time_budget import Budget

OFFER = Found("", "loopback", "1")


def explained(text: str, *conditions: Condition) -> Explained:
    subject = Subject(parse(text), words(text), OFFER)
    return explain(CustomFormat("format", conditions, 1), subject)


def test_a_tester_names_what_each_condition_hit() -> None:
    tried = explained(
        "T.2020.1080p.WEB-DL.DV.x265-GRP",
        Condition(ConditionKind.PATTERN, r"\b(dv|dovi)\b", name="Dolby Vision"),
        Condition(ConditionKind.SOURCE, "web-dl|webrip"),
        Condition(ConditionKind.GROUP, "OTHER", negate=True),
        Condition(ConditionKind.WORDS, "hdr10"),
    )
    assert [(one.holds, one.token) for one in tried.tried] == [
        (True, "DV"),
        (True, "web-dl"),
        (True, None),
        (False, None),
    ]
    assert not tried.matches


def test_what_takes_too_long_holds_neither_way() -> None:
    slow = Condition(ConditionKind.PATTERN, "(a|aa)+$", negate=True)
    tried = explained("a" * 200 + "!", slow)
    assert tried.undecided
    assert not tried.matches


SLOW = Condition(ConditionKind.PATTERN, "(a|aa)+$")
NEVER = Condition(ConditionKind.SOURCE, "hdtv")
ALWAYS = Condition(ConditionKind.RESOLUTION, "1080p")


@pytest.mark.parametrize(
    ("conditions", "comes_to"),
    [
        ((SLOW,), Match.UNDECIDED),
        ((SLOW, ALWAYS), Match.UNDECIDED),
        ((SLOW, NEVER), Match.NO),
        ((replace(SLOW, required=True), replace(NEVER, required=True)), Match.NO),
        ((SLOW, Condition(ConditionKind.PATTERN, "1080p")), Match.YES),
    ],
)
def test_what_takes_too_long_leaves_open_only_what_depends_on_it(
    conditions: tuple[Condition, ...], comes_to: Match
) -> None:
    text = "T.2020.1080p." + "a" * 200 + "!"
    subject = Subject(parse(text), words(text), OFFER)
    assert match(CustomFormat("format", conditions, 1), subject) is comes_to
    assert explained(text, *conditions).match is comes_to


def test_what_is_undecided_counts_against_the_release() -> None:
    text = "T.2020.1080p." + "a" * 200 + "!"
    formats = [
        CustomFormat("bad", (SLOW,), -10_000),
        CustomFormat("good", (SLOW,), 500),
        CustomFormat("sure", (ALWAYS,), 7),
    ]
    found = judged(formats, Subject(parse(text), words(text), OFFER))
    assert found.score == -9_993
    assert [(one.custom.name, one.undecided) for one in found.counted] == [
        ("bad", True),
        ("sure", False),
    ]
    assert [custom.name for custom in found.passed_over] == ["good"]


def test_all_the_patterns_on_one_name_have_one_time_together() -> None:
    slow = [CustomFormat(f"{n}", (replace(SLOW, value=f"(a|aa)+{n}$"),), -1) for n in range(200)]
    text = "T.2020.1080p." + "a" * 200 + "!"
    began = time.process_time()
    found = judged(slow, Subject(parse(text), words(text), OFFER, budget=Budget(0.2)))
    assert time.process_time() - began < 1
    assert found.score == -200
