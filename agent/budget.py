"""When a run's budget runs out, and when the model is told that it will."""

from agent.limits import Limits
from agent.usage import Used

WARN_AT = 0.85
LAST_CALLS = 2


def calls_gone(used: Used, limits: Limits) -> str | None:
    """Why no further call may be made, as a sentence, or None.

    The model may still answer in words: only a call more than allowed ends the run.
    """
    if used.calls < limits.max_tool_calls:
        return None
    return f"The run used all of its {limits.max_tool_calls} tool calls."


def time_gone(used: Used, limits: Limits) -> str | None:
    """Why the model may not be asked again, as a sentence, or None."""
    if used.seconds < limits.max_duration_s:
        return None
    return f"The run used all of its {limits.max_duration_s / 60:.0f} minutes of work."


def seconds_left(used: Used, limits: Limits) -> float:
    """Seconds of work that remain, never below zero."""
    return max(0.0, limits.max_duration_s - used.seconds)


def calls_left(used: Used, limits: Limits) -> int:
    """Tool calls that remain, never below zero."""
    return max(0, limits.max_tool_calls - used.calls)


def urgency(used: Used, limits: Limits) -> int:
    """0 while there is room, 1 near the end, 2 just before it."""
    if calls_left(used, limits) <= LAST_CALLS:
        return 2
    share = max(used.calls / limits.max_tool_calls, used.seconds / limits.max_duration_s)
    return 1 if share >= WARN_AT else 0


def notice(used: Used, limits: Limits) -> str:
    """What the model is told with a result once the end is near."""
    left = calls_left(used, limits)
    calls = "1 tool call is" if left == 1 else f"{left} tool calls are"
    minutes = seconds_left(used, limits) / 60
    return f"{calls} left, and {minutes:.0f} minutes of work. Stop here and sum up."
