"""The goal and what is left of the budget: the last layer."""

from agent.budget import calls_left, seconds_left
from agent.limits import Limits
from agent.usage import Used


def goal_layer(goal: str, used: Used, limits: Limits) -> str:
    """What this run is for, in the owner's words, and how far it may go."""
    minutes = seconds_left(used, limits) / 60
    left = f"Left: {calls_left(used, limits)} tool calls, {minutes:.0f} minutes of work."
    return f"# The goal of this run\n{goal}\n{left}"
