from typing import Any

import pytest

from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.seeding import SeedingGoals, WhenSeeded


@pytest.mark.parametrize(
    ("goals", "ratio", "seeding_s", "reached"),
    [
        (SeedingGoals(), 99.0, 10**9, False),
        (SeedingGoals(ratio=2.0), 1.99, 10**9, False),
        (SeedingGoals(ratio=2.0), 2.0, 0, True),
        (SeedingGoals(minutes=10), 99.0, 599, False),
        (SeedingGoals(minutes=10), 0.0, 600, True),
        (SeedingGoals(ratio=1.0, minutes=10), 0.0, 600, True),
        (SeedingGoals(ratio=1.0, minutes=10), 1.0, 0, True),
        (SeedingGoals(ratio=1.0, minutes=10, both=True), 1.0, 599, False),
        (SeedingGoals(ratio=1.0, minutes=10, both=True), 1.0, 600, True),
    ],
)
def test_goals_are_reached_by_one_of_them_or_by_both_as_asked(
    goals: SeedingGoals, ratio: float, seeding_s: int, *, reached: bool
) -> None:
    assert goals.reached(ratio, seeding_s) is reached


@pytest.mark.parametrize(
    ("goals", "field"),
    [
        ({"ratio": 0.0}, "seeding.ratio"),
        ({"ratio": 5000.0}, "seeding.ratio"),
        ({"minutes": 0}, "seeding.minutes"),
        ({"ratio": 1.0, "both": True}, "seeding.both"),
        ({"then": WhenSeeded.ASK_TO_REMOVE}, "seeding.then"),
    ],
)
def test_goals_that_say_nothing_are_refused_by_their_field(
    goals: dict[str, Any], field: str
) -> None:
    with pytest.raises(UnsatisfiableError) as wrong:
        SeedingGoals(**goals)
    assert wrong.value.problems[0].field == field
