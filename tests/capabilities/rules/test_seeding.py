from typing import Any

import pytest

from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.seeding import Floor, SeedingGoals, WhenSeeded, gave_enough, spent


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


REACHED = "It has seeded a ratio of 0.50 of 0.50. The goal is reached:"


@pytest.mark.parametrize(
    ("goals", "words"),
    [
        (SeedingGoals(), "No goal is set; it has a ratio of 0.50 after 3 h."),
        (SeedingGoals(ratio=2.0), "It has seeded a ratio of 0.50 of 2.00."),
        (SeedingGoals(minutes=600), "It has seeded 3 h of 10 h."),
        (
            SeedingGoals(ratio=2.0, minutes=600),
            "It has seeded a ratio of 0.50 of 2.00 and 3 h of 10 h; one of them is enough.",
        ),
        (
            SeedingGoals(ratio=0.5, minutes=600, both=True),
            "It has seeded a ratio of 0.50 of 0.50 and 3 h of 10 h; both are asked.",
        ),
        (
            SeedingGoals(ratio=0.5, then=WhenSeeded.ASK_TO_REMOVE),
            f"{REACHED} you are asked whether it may go.",
        ),
        (
            SeedingGoals(ratio=0.5),
            f"{REACHED} it is kept.",
        ),
    ],
)
def test_how_far_a_download_is_is_said_in_words(goals: SeedingGoals, words: str) -> None:
    assert goals.progress(0.5, 3 * 3600) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 min"), (3599, "59 min"), (3600, "1 h"), (47 * 3600, "47 h"), (48 * 3600, "2 d")],
)
def test_a_time_is_said_as_a_person_does(seconds: int, words: str) -> None:
    assert spent(seconds) == words


@pytest.mark.parametrize(
    ("floor", "kept"),
    [
        (Floor(), True),
        (Floor(ratio=1.0), True),
        (Floor(ratio=1.1), False),
        (Floor(seeding_s=60), True),
        (Floor(seeding_s=61), False),
        (Floor(ratio=1.0, seeding_s=61), False),
        (Floor(ratio=1.1, seeding_s=60), False),
    ],
)
def test_the_least_that_a_tracker_asks_is_kept_in_all_that_it_names(
    floor: Floor, *, kept: bool
) -> None:
    assert floor.kept(1.0, 60) is kept


@pytest.mark.parametrize(
    ("floor", "ratio", "stopped", "enough"),
    [
        (Floor(), 2.0, False, True),
        (Floor(), 1.0, False, False),
        (Floor(), 1.0, True, True),
        (Floor(ratio=1.5), 1.0, True, False),
        (Floor(ratio=3.0), 2.0, False, False),
    ],
)
def test_a_stricter_limit_of_the_client_counts_and_none_goes_below_the_trackers_floor(
    floor: Floor, ratio: float, *, stopped: bool, enough: bool
) -> None:
    goals = SeedingGoals(ratio=2.0)
    assert gave_enough(goals, floor, ratio, 0, stopped_at_limit=stopped) is enough
