"""How one attempt at a task ended."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing more is owed; ``step`` says what was done."""

    step: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Go on when woken, or after ``after_s`` seconds; waiting is no attempt."""

    after_s: float
    step: str | None = None


@dataclass(frozen=True, slots=True)
class Setback:
    """It did not work. With ``retry`` it is tried again, later each time, up to a limit.

    ``told``: the owner knows already why, so that the end of the task is no further decision.
    """

    sentence: str
    retry: bool = True
    told: bool = False


Result = Done | Wait | Setback
