"""When a run's budget runs out, and when the model is told that it will."""

from agent.limits import Limits
from agent.usage import Used

WARN_AT = 0.85
LAST_CALLS = 2


def exceeded(used: Used, limits: Limits) -> str | None:
    """Why nothing more may be used, as a sentence, or None."""
    if used.calls >= limits.max_tool_calls:
        return f"The run used all of its {limits.max_tool_calls} tool calls."
    if used.seconds >= limits.max_duration_s:
        return f"The run used all of its {limits.max_duration_s / 60:.0f} minutes of work."
    return None


def seconds_left(used: Used, limits: Limits) -> float:
    """Seconds of work that remain, never below zero."""
    return max(0.0, limits.max_duration_s - used.seconds)


def notice(used: Used, limits: Limits) -> str | None:
    """What the model is told with a result: once near the end, and once just before it."""
    left = max(0, limits.max_tool_calls - used.calls)
    if left <= LAST_CALLS:
        due = 2
    elif _share(used, limits) >= WARN_AT:
        due = 1
    else:
        due = 0
    if used.noticed >= due:
        return None
    calls = "1 tool call is" if left == 1 else f"{left} tool calls are"
    minutes = seconds_left(used, limits) / 60
    return f"{calls} left, and {minutes:.0f} minutes of work. Stop here and sum up."


def _share(used: Used, limits: Limits) -> float:
    return max(used.calls / limits.max_tool_calls, used.seconds / limits.max_duration_s)
