from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.retry import RetryPolicy, retry_after_s


@given(failures=st.integers(1, 60), tries=st.integers(1, 60))
def test_pauses_never_shrink_never_pass_the_longest_and_end(failures: int, tries: int) -> None:
    policy = RetryPolicy(tries=tries, first_pause_s=0.5, longest_pause_s=30.0)
    pause = policy.pause_after(failures, None)
    if failures >= tries:
        assert pause is None
    else:
        assert pause is not None
        assert 0.5 <= pause <= 30.0
        earlier = policy.pause_after(max(failures - 1, 1), None)
        assert earlier is not None
        assert earlier <= pause


def test_a_wished_pause_wins_up_to_the_longest() -> None:
    policy = RetryPolicy(tries=3, first_pause_s=1.0, longest_pause_s=30.0)
    assert policy.pause_after(1, 30.0) == 30.0
    assert policy.pause_after(1, 0.0) == 0.0
    assert policy.pause_after(1, 30.1) is None
    assert policy.pause_after(3, 1.0) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 -0000"}, 0.0),
    ],
)
def test_the_wished_pause_is_read_in_every_form(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_s(headers) == seconds


def test_a_date_to_come_is_the_time_until_then() -> None:
    then = datetime.now(UTC) + timedelta(seconds=90)
    seconds = retry_after_s({"retry-after": format_datetime(then, usegmt=True)})
    assert seconds is not None
    assert 80 < seconds <= 90
