import time

import pytest

from capabilities.rules.expressions import LONGEST
from capabilities.rules.names.parsing import LONGEST_NAME
from capabilities.rules.patterns import MOST_PATTERNS, Examiner, flaw, hit, too_many
from capabilities.rules.time_budget import Budget


def test_case_never_counts() -> None:
    assert hit(r"\bweb-?dl\b", "T.2020.WEB-DL.x264") == "WEB-DL"
    assert hit("remux", "T.2020.WEB-DL") is None


def test_what_guides_write_for_another_dialect_is_understood() -> None:
    behind = r"(?<=^|[\s.-])(?<!not[ .])dv\b(?=.*\bHDR)"
    assert hit(behind, "T.2020.DV.HDR10") == "DV"
    assert hit(behind, "T.2020.not.DV.HDR10") is None


@pytest.mark.parametrize("text", ["(a|a)+$", r"(\w|[a-z])+\d$", "(a|aa)+$", "(.*a){20}$"])
def test_a_pattern_that_would_not_end_is_refused_in_bounded_time(text: str) -> None:
    begun = time.monotonic()
    assert flaw(text) == "it takes too long on some names"
    assert time.monotonic() - begun < 4


def test_a_slow_name_does_not_switch_a_pattern_off() -> None:
    slow = "(a|aa)+$"
    for _ in range(5):
        with pytest.raises(TimeoutError):
            hit(slow, "a" * 250 + "!")
    assert hit(slow, "T.a") == "a"


def test_nothing_is_tried_when_no_time_is_left() -> None:
    with pytest.raises(TimeoutError):
        hit("a", "a", Budget(0))


def test_too_many_expressions_for_one_policy_are_counted_and_weighed() -> None:
    assert too_many(["a"] * MOST_PATTERNS) is None
    assert "2001 expressions" in str(too_many(["a"] * (MOST_PATTERNS + 1)))
    assert "characters" in str(too_many(["(?:a{9}){900}"] * 40))


def test_what_is_no_pattern_is_said_to_be_none() -> None:
    assert "no regular expression" in str(flaw("("))
    assert "longer" in str(flaw("a" * (LONGEST + 1)))
    assert flaw(r"^(?!.*\bremux\b).*\b(AVC|HEVC)\b") is None


def test_a_pattern_sees_as_much_of_a_name_as_is_read_of_it() -> None:
    assert hit("-BADGRP$", "a" * 316 + "-BADGRP") == "-BADGRP"
    assert hit("z", "a" * LONGEST_NAME + "z") is None


def test_many_slow_patterns_are_not_all_tried() -> None:
    examiner = Examiner(seconds=0.2)
    begun = time.process_time()
    told = [examiner.flaw(f"(a|aa)+{number}$") for number in range(500)]
    assert time.process_time() - begun < 3
    assert "save them in parts" in str(told[-1])
