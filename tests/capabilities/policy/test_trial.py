import json

import pytest

from capabilities.policy.trial import FORMAT_BYTES, MOST_CONDITIONS, MOST_RULES, tried
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.standing import Block
from tests.ledger.moments import START

NAME = "T.2020.1080p.WEB-DL.DV.x265-GRP"
DV = CustomFormat(
    "Dolby Vision",
    (
        Condition(ConditionKind.PATTERN, r"\b(dv|dovi)\b", required=True, name="DV"),
        Condition(ConditionKind.SOURCE, "web-dl|web", name="Web"),
    ),
    30,
)
OTHER = CustomFormat("Other", (Condition(ConditionKind.GROUP, "OTHER"),), -5)


def test_what_a_name_has_comes_first_with_the_word_each_condition_hit() -> None:
    told = tried(AcquisitionPolicy(formats=(OTHER, DV)), NAME, None, START)
    assert (told.accepted, told.tier, told.score) == (True, "Web 1080p", 30)
    assert 'format: it has the format "Dolby Vision", worth +30' in told.rules
    assert [(one.name, one.matches) for one in told.formats] == [
        ("Dolby Vision", True),
        ("Other", False),
    ]
    assert [(one.name, one.holds, one.hit) for one in told.formats[0].conditions] == [
        ("DV", True, "DV"),
        ("Web", True, "web-dl"),
    ]


def test_one_format_is_shown_alone_and_the_score_stays_that_of_all() -> None:
    told = tried(AcquisitionPolicy(formats=(OTHER, DV)), NAME, "Other", START)
    (only,) = told.formats
    assert (only.name, only.conditions[0].holds, only.conditions[0].hit) == ("Other", False, None)
    assert told.score == 30


def test_a_name_that_a_rule_refuses_says_which_rule_and_word() -> None:
    told = tried(AcquisitionPolicy(refused_tokens=("dv",)), NAME, None, START)
    assert not told.accepted
    assert 'refused_token: the name says "dv", refused' in told.rules


def test_a_title_on_the_blocklist_is_refused_with_the_reason() -> None:
    told = tried(AcquisitionPolicy(), NAME, None, START, blocked=[Block("a fake", title=NAME)])
    assert not told.accepted
    assert "blocklist: it is on the blocklist: a fake" in told.rules


def test_it_is_read_as_its_owner_has_names_read() -> None:
    words = words_from(["replace: Zelluloid => 1080p.BluRay"])
    assert tried(AcquisitionPolicy(), "T.2020.Zelluloid.x265-GRP", None, START).tier == "SD"
    told = tried(AcquisitionPolicy(), "T.2020.Zelluloid.x265-GRP", None, START, words)
    assert told.tier == "Blu-ray 1080p"


@pytest.mark.parametrize("only", [None, "Format 3"])
def test_however_much_there_is_the_rest_is_counted(only: str | None) -> None:
    conditions = tuple(
        Condition(ConditionKind.WORDS, f"w{n} {'y' * 300}", name=f"{n} {'x' * 80}")
        for n in range(60)
    )
    formats = tuple(CustomFormat(f"Format {n}", conditions, 1) for n in range(60))
    told = tried(AcquisitionPolicy(formats=formats), NAME, only, START)
    shown = [json.dumps(one.model_dump()) for one in told.formats]
    assert sum(map(len, shown)) < 2 * FORMAT_BYTES
    assert len(told.formats) + told.formats_left_out == (60 if only is None else 1)
    first = told.formats[0]
    assert len(first.conditions) + first.conditions_left_out == 60
    assert (len(first.conditions) == MOST_CONDITIONS) == (only is None)


def test_of_many_rules_the_first_are_told_and_the_rest_is_counted() -> None:
    tokens = tuple(NAME.casefold().replace("-", ".").split("."))
    formats = tuple(
        CustomFormat(f"Group {number}", (Condition(ConditionKind.GROUP, "GRP"),), 1)
        for number in range(MOST_RULES)
    )
    told = tried(AcquisitionPolicy(refused_tokens=tokens, formats=formats), NAME, None, START)
    assert len(told.rules) == MOST_RULES
    assert told.rules_left_out >= len(tokens)
