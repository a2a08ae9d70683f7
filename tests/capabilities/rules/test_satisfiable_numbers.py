import pytest

from capabilities.rules.satisfiable_numbers import (
    MOST_DELAY_MINUTES,
    MOST_GIGABYTES_PER_DAY,
    a_day_problems,
    factor_problems,
    number_problems,
    score_problems,
    within,
)


def test_the_bounds_themselves_are_within() -> None:
    assert list(number_problems(0, MOST_DELAY_MINUTES, None, 1)) == []
    assert list(a_day_problems(1, MOST_GIGABYTES_PER_DAY, acquire=True)) == []
    assert list(score_problems(least_score=None, undelayed_score=-1_000_000)) == []
    assert list(factor_problems(0.5, free_leech_only=False)) == []


@pytest.mark.parametrize("number", [-1, 11, 10**400, -(10**400)])
def test_what_is_beyond_a_bound_is_told_with_its_field_and_a_cure(number: int) -> None:
    (problem,) = within("field", number, 0, 10)
    assert problem.field == "field"
    assert problem.cure.startswith("write ")
    assert len(problem.sentence) < 100


def test_a_delay_ends_before_the_limit_of_age() -> None:
    (problem,) = number_problems(1, 60 * 24, 1, 1)
    assert problem.why == "releases would be too old before the delay ends"


def test_a_limit_of_nothing_says_nothing() -> None:
    (none,) = a_day_problems(0, None, acquire=True)
    assert none.why == "nothing would be downloaded"
    (unused,) = a_day_problems(None, 5, acquire=False)
    assert unused.cure == "set acquire as well"
