"""Putting the layers together: what never changes first, what always changes last."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from agent.limits import Limits
from agent.prompt.behaviour import BEHAVIOUR
from agent.prompt.environment import Surroundings, environment
from agent.prompt.goal import goal_layer
from agent.prompt.plan import plan_layer
from agent.prompt.report_format import REPORT_FORMAT
from agent.prompt.role import ROLE
from agent.prompt.routes import routes
from agent.prompt.skills import Library, Skill, block, index
from agent.usage import Used
from capabilities.kernel.spec import Spec

PROPOSE_FIRST = """\
# This run proposes first
Nothing may be carried out until the owner has chosen. Find out, say what you propose with its \
alternatives and their differences, and end your turn."""


def system_prompt(
    specs: Sequence[Spec], library: Library, skills: Sequence[Skill], *, proposes_first: bool
) -> str:
    """The stable part: byte-identical at every request of a run.

    Args:
        specs: what the run may use.
        library: all skills; those that are not given are listed by name.
        skills: the skills chosen for the goal.
        proposes_first: whether executing is refused until the owner has chosen.
    """
    given = {skill.name for skill in skills}
    layers = [ROLE, routes(specs), BEHAVIOUR, REPORT_FORMAT]
    if proposes_first:
        layers.append(PROPOSE_FIRST)
    layers += [block(skill) for skill in skills]
    if any(skill.name not in given for skill in library.skills):
        layers.append(index(library, given))
    return "\n\n".join(layers)


def tail(
    surroundings: Surroundings,
    now: datetime,
    *,
    plan: Mapping[str, Any] | None,
    goal: str,
    used: Used,
    limits: Limits,
) -> str:
    """The part that changes with every request; facts of the server, after the newest message."""
    layers = [environment(surroundings, now), plan_layer(plan), goal_layer(goal, used, limits)]
    return "\n\n".join(["<state>", *layers, "</state>"])
