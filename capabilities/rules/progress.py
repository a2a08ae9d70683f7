"""When a download's progress is worth telling: by steps, and not more than once a minute."""

from dataclasses import dataclass
from typing import Final

from pydantic import AwareDatetime, TypeAdapter

STEP_PERCENT: Final = 5
LEAST_S: Final = 60.0
WHOLE: Final = 100


@dataclass(frozen=True, slots=True)
class Told:
    """What was told last: whole percents, and when."""

    percent: int
    at: AwareDatetime


_TOLD: Final = TypeAdapter(Told)


def told_json(told: Told) -> dict[str, object]:
    """As kept with the download."""
    return _TOLD.dump_python(told, mode="json")


def told_from(kept: object) -> Told | None:
    """What was kept; None where nothing was told yet."""
    return None if kept is None else _TOLD.validate_python(kept)


def percent_of(done: int, size: int) -> int:
    """Whole percents, 100 only for all of it."""
    return min(done * WHOLE // size, WHOLE) if size > 0 else 0


def news(before: Told | None, done: int, size: int, at: AwareDatetime) -> Told | None:
    """What is to be told now, if anything; the first look only begins to count.

    Never more than a line for each step, nor for each minute, whichever is rarer.
    """
    percent = percent_of(done, size)
    if before is None:
        return None
    if percent < before.percent + STEP_PERCENT or percent >= WHOLE:
        return None
    return Told(percent, at) if (at - before.at).total_seconds() >= LEAST_S else None
