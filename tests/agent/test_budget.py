import pytest

from agent import budget
from agent.limits import Limits
from agent.usage import Used

LIMITS = Limits(max_tool_calls=100, max_duration_s=600.0)


@pytest.mark.parametrize(
    ("used", "urgency"),
    [
        (Used(), 0),
        (Used(tool_calls=84), 0),
        (Used(tool_calls=85), 1),
        (Used(active_s=510.0), 1),
        (Used(tool_calls=97), 1),
        (Used(tool_calls=98), 2),
        (Used(tool_calls=198, calls_before=100), 2),
        (Used(tool_calls=100, calls_before=100), 0),
    ],
)
def test_urgency_grows_towards_the_end(used: Used, urgency: int) -> None:
    assert budget.urgency(used, LIMITS) == urgency


def test_the_last_call_is_allowed_and_one_more_is_not() -> None:
    assert budget.calls_gone(Used(tool_calls=99), LIMITS) is None
    assert budget.calls_gone(Used(tool_calls=100), LIMITS) == (
        "The run used all of its 100 tool calls."
    )


def test_time_is_gone_at_its_end() -> None:
    assert budget.time_gone(Used(active_s=599.0), LIMITS) is None
    assert budget.time_gone(Used(active_s=600.0), LIMITS) == (
        "The run used all of its 10 minutes of work."
    )
    assert budget.seconds_left(Used(active_s=700.0), LIMITS) == 0.0


def test_the_notice_says_what_is_left() -> None:
    assert budget.notice(Used(tool_calls=99, active_s=300.0), LIMITS) == (
        "1 tool call is left, and 5 minutes of work. Stop here and sum up."
    )
