import time
from contextlib import suppress

import pytest

from capabilities.rules.expressions import DEEPEST, LONGEST, expression, weight


@pytest.mark.parametrize(
    ("text", "written_out"),
    [
        ("abc", 3),
        ("a{4}", 4),
        ("a{2,5}b", 6),
        ("(?:ab){3}", 12),
        ("[^a{9}](?#(a{9}))x", 2),
        (r"\(\{9\}", 4),
        ("a{,3}a{x}", 7),
    ],
)
def test_counted_repeats_are_weighed_written_out(text: str, written_out: int) -> None:
    assert weight(text) == written_out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(?:(?:a{1000}){1000})", "counted repeats"),
        ("(?:(?:(?:a{1000}){1000}){1000})", "counted repeats"),
        ("[](](?:(?:a{1000}){1000})", "counted repeats"),
        (r"(?#\)[)(?:(?:a{1000}){1000})", "counted repeats"),
        ("a{1,99999999}", "a million times"),
        ("(" * 2_900 + ")" * 2_900, f"more than {DEEPEST} groups"),
        ("a" * (LONGEST + 1), "longer"),
        ("(?x) # [\n(?:(?:a{1000}){1000})", "are not taken"),
        ("[[:alpha:][](?:(?:a{1000}){1000})]", "no regular expression"),
        ("(", "no regular expression"),
        ("[a", "no regular expression"),
        ("(?V1)a", "are not taken"),
        (r"\L<names>", "no regular expression"),
    ],
)
def test_what_would_fill_the_memory_is_refused_before_it_is_compiled(text: str, why: str) -> None:
    begun = time.process_time()
    with pytest.raises(ValueError, match=why):
        expression(text)
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize("sign", ["[", "(", ")", "{", "{1", "(?#", "\\", "[[:a:]", "(?i", "a{9}"])
def test_weighing_is_quick_whatever_is_weighed(sign: str) -> None:
    begun = time.process_time()
    with suppress(ValueError):
        weight((sign * LONGEST)[:LONGEST])
    assert time.process_time() - begun < 0.5


def test_one_that_is_used_again_is_compiled_once() -> None:
    assert expression(r"\bonce\b") is expression(r"\bonce\b")


def test_what_is_kept_compiled_stays_within_bounds() -> None:
    first = expression("first of many")
    for number in range(60):
        expression(f"many {number} (?:a{{90}}){{99}}")
    assert expression("first of many") is not first
