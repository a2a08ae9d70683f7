import pytest

from capabilities.rules.lengths import expected_minutes, length_problem
from capabilities.rules.works import Episode, Season, Work, WorkKey, WorkKind

FILM = Work(WorkKey("tmdb", WorkKind.FILM, "1"), "Sintel", 2010, runtime_minutes=15)
SHOW = Work(
    WorkKey("tmdb", WorkKind.SERIES, "2"),
    "Lantern Street",
    2019,
    seasons=(
        Season(0, episodes=(Episode(1), Episode(2, runtime_minutes=40))),
        Season(1, episodes=(Episode(1, runtime_minutes=24), Episode(2), Episode(3, None))),
    ),
    runtime_minutes=30,
)
UNKNOWN = Work(WorkKey("tmdb", WorkKind.SERIES, "3"), "Nobody Says", None)


@pytest.mark.parametrize(
    ("work", "season", "episodes", "minutes"),
    [
        (FILM, 0, [], 15),
        (SHOW, 1, [1], 24),
        (SHOW, 1, [1, 2], 54),
        (SHOW, 2, [9], 30),
        (SHOW, 0, [2], 40),
        (SHOW, 0, [1], None),
        (SHOW, 0, [1, 2], None),
        (SHOW, 1, [], None),
        (UNKNOWN, 1, [1], None),
    ],
)
def test_what_a_file_should_last_is_the_sum_of_what_is_in_it(
    work: Work, season: int, episodes: list[int], minutes: int | None
) -> None:
    assert expected_minutes(work, season, episodes) == minutes


@pytest.mark.parametrize(
    ("seconds", "minutes"),
    [
        (900, 15),
        (42 * 60, 60),
        (21.5 * 60, 30),
        (228 * 60, 178),
        (312 * 60, 188),
        (1.0, None),
        (None, 15),
    ],
    ids=[
        "exact",
        "an hour with advertisements",
        "half an hour with them",
        "an extended cut",
        "a much longer one",
        "nobody says how long",
        "the file does not say",
    ],
)
def test_what_lasts_about_as_long_is_right(seconds: float | None, minutes: int | None) -> None:
    assert length_problem(seconds, minutes) is None


@pytest.mark.parametrize(
    ("seconds", "minutes", "said"),
    [
        (60, 45, "lasts 1 min where 45 min"),
        (20, 45, "lasts 20 s where 45 min"),
        (22 * 60, 45, "a part of it"),
        (48 * 60, 24, "more than that"),
        (90 * 60, 45, "more than that"),
    ],
    ids=["a sample", "seconds", "half of it", "two short episodes", "two long ones"],
)
def test_what_cannot_be_it_is_said_with_both_lengths(
    seconds: float, minutes: int, said: str
) -> None:
    problem = length_problem(seconds, minutes)
    assert problem is not None
    assert said in problem
