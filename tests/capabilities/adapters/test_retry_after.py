from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.retry_after import retry_after_s

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Thu, 01 Jan 2026 12:01:30 GMT", 90.0),
        ("Thu, 01 Jan 2026 12:01:30 -0000", 90.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        ("99999999999999999999", 86_400.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400.0),
    ],
)
def test_a_number_or_a_date_becomes_seconds(header: str, seconds: float) -> None:
    assert retry_after_s(header, NOW) == seconds


@pytest.mark.parametrize("header", [None, "", "soon", "-5", "1.5", "nan", "Thu, 99 Foo 2026"])
def test_what_cannot_be_read_is_no_wish(header: str | None) -> None:
    assert retry_after_s(header, NOW) is None


@given(st.text())
def test_no_text_breaks_it_or_asks_for_more_than_a_day(header: str) -> None:
    seconds = retry_after_s(header, NOW)
    assert seconds is None or 0 <= seconds <= 86_400


@given(st.integers(min_value=0, max_value=86_400))
def test_the_two_forms_say_the_same(seconds: int) -> None:
    date = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after_s(date, NOW) == retry_after_s(str(seconds), NOW) == seconds
