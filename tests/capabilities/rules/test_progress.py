from datetime import UTC, datetime, timedelta

import pytest

from capabilities.rules.progress import Told, news, percent_of, told_from, told_json

START = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("percent", "seconds", "told"),
    [
        (10, 3_600, False),
        (14, 3_600, False),
        (15, 60, True),
        (15, 59, False),
        (40, 60, True),
        (40, 1, False),
        (99, 60, True),
        (100, 3_600, False),
        (5, 3_600, False),
    ],
)
def test_a_step_is_told_and_no_more_than_one_a_minute(
    percent: int, seconds: int, *, told: bool
) -> None:
    now = START + timedelta(seconds=seconds)
    found = news(Told(10, START), percent, 100, now)
    assert found == (Told(percent, now) if told else None)


def test_the_first_look_only_begins_to_count() -> None:
    assert news(None, 50, 100, START) is None


def test_a_whole_download_is_told_at_most_twenty_times() -> None:
    told, lines = Told(0, START), 0
    for step in range(100_000):
        found = news(told, step, 100_000, START + timedelta(seconds=step))
        if found is not None:
            told, lines = found, lines + 1
    assert lines == 19


def test_a_hundred_percent_is_all_of_it() -> None:
    assert percent_of(999, 1_000) == 99
    assert percent_of(1_000, 1_000) == 100
    assert percent_of(0, 0) == 0


def test_what_was_told_is_kept() -> None:
    assert told_from(told_json(Told(5, START))) == Told(5, START)
    assert told_from(None) is None
