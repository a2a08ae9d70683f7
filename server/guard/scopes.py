"""The closed set of scopes: what keys may carry, from what the capabilities ask for."""

from collections.abc import Iterable, Mapping

from capabilities.kernel.spec import Audience, Spec

READ, RUN, RUN_ASK = "read", "run", "run.ask"

_GROUPS = {
    READ: "Everything that only reads.",
    "plan": "Plans and proposals; nothing outside Matinee's own tables changes.",
    RUN: "Start and steer runs of the agent.",
    RUN_ASK: "Let runs wait for the owner's approval instead of being refused.",
}

LOCAL_SCOPES = (
    *_GROUPS,
    "download.submit",
    "download.recheck",
    "organize.execute",
    "task.retry",
    "task.cancel",
    "policy.apply",
)
"""What the built-in key of the terminal and of local clients carries: the default tool set, and
asking the owner to publish what it may draft. Publishing always asks, whoever calls."""


def known_scopes(specs: Iterable[Spec]) -> Mapping[str, str]:
    """Every scope a key can be given, with a sentence about it."""
    own = {
        spec.scope: f"{spec.title}; the plan or the act itself still needs the owner's approval."
        for spec in specs
        if spec.audience is Audience.PUBLIC and spec.scope not in _GROUPS
    }
    return {**_GROUPS, **dict(sorted(own.items()))}
