"""How much one run may use."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets and waits of a run.

    Attributes:
        max_tool_calls: calls answered since the run was opened or reopened.
        max_duration_s: seconds of work since then; waiting does not count.
        goal_poll_s: seconds between two looks at unsettled downloads when nothing woke the run.
        goal_wait_s: seconds after which a run stops looking and reports what is still open.
        reply_tries: how often one reply is asked for when its stream breaks off.
        reply_pause_s: seconds before such a reply is asked for again.
    """

    max_tool_calls: int = 120
    max_duration_s: float = 1800.0
    goal_poll_s: float = 60.0
    goal_wait_s: float = 72 * 3600.0
    reply_tries: int = 3
    reply_pause_s: float = 1.0
