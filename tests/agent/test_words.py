from datetime import timedelta

import pytest

from agent.words import gigabytes, listed, one_line, span


@pytest.mark.parametrize(
    ("size", "shown"),
    [(0, 0.0), (8_400_000_000, 8.4), (8_449_999_999, 8.4), (99_000_000, 0.099)],
)
def test_sizes_are_gigabytes(size: int, shown: float) -> None:
    assert gigabytes(size) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "less than a minute"),
        (59, "less than a minute"),
        (60, "1 minute"),
        (3599, "59 minutes"),
        (3660, "1 hour 1 minute"),
        (7200, "2 hours 0 minutes"),
        (90_000, "1 day 1 hour"),
    ],
)
def test_a_span_is_told_in_its_largest_units(seconds: int, shown: str) -> None:
    assert span(timedelta(seconds=seconds)) == shown


def test_titles_are_listed_and_many_are_counted() -> None:
    assert listed(["A"]) == "A"
    assert listed(["A", "B"]) == "A and B"
    assert listed(["A", "B", "C", "D", "E"]) == "A, B, C and 2 more"


def test_words_of_others_stay_on_one_line_without_hidden_signs() -> None:
    assert one_line("a\nb\u202e\tc") == "a b c"
    assert len(one_line("x" * 1000)) == 160
