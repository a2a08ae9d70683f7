from dataclasses import replace

import pytest

from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.importing import plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.samples import sample_limit_s, sample_problem
from capabilities.rules.works import Episode, Season
from tests.capabilities.rules.shelf import series


@pytest.mark.parametrize(
    ("minutes", "seconds"),
    [(3, 15), (4, 90), (10, 90), (11, 300), (30, 300), (31, 600), (180, 600)],
)
def test_what_a_sample_is_depends_on_how_long_the_whole_lasts(minutes: int, seconds: float) -> None:
    assert sample_limit_s(minutes) == seconds
    assert sample_problem(seconds, minutes) is None
    assert f"{minutes} min are expected" in (sample_problem(seconds - 1, minutes) or "")


@pytest.mark.parametrize(("seconds", "minutes"), [(None, 45), (10.0, None), (None, None)])
def test_where_nobody_says_how_long_nothing_is_a_sample(
    seconds: float | None, minutes: int | None
) -> None:
    assert sample_problem(seconds, minutes) is None


def test_a_video_of_no_length_is_one() -> None:
    assert sample_problem(0.0, 2) == "it is a sample: it lasts 0 s where 2 min are expected"


@pytest.mark.parametrize(
    ("minutes", "seconds", "placed_"),
    [
        (5, 279.0, True),
        (5, 80.0, False),
        (45, 279.0, False),
        (45, 0.0, False),
        (45, None, True),
        (None, 279.0, True),
    ],
    ids=[
        "arr-46 a cartoon",
        "the sample of a cartoon",
        "the sample of an hour",
        "nothing in it",
        "a file nobody could read",
        "nobody says how long",
    ],
)
def test_the_episodes_own_length_says_what_a_sample_is(
    minutes: int | None, seconds: float | None, *, placed_: bool
) -> None:
    season = Season(1, episodes=(Episode(1, runtime_minutes=minutes),))
    file = DownloadedFile("Show.S01E01.mkv", 40 * 10**6)
    made = plan_import(
        [file],
        Identity(Grade.A, series("Show", 2010, seasons=(season,))),
        parse("Show.S01E01"),
        OrganizePolicy(),
        runtime=minutes,
        durations={} if seconds is None else {file.path: seconds},
    )
    assert bool(made.placements) == placed_
    if not placed_:
        assert "it is a sample: it lasts" in made.left[0].why


def test_two_episodes_in_a_file_last_as_long_as_both_and_specials_as_they_like() -> None:
    season = Season(1, episodes=tuple(Episode(number, runtime_minutes=20) for number in (1, 2, 3)))
    show = replace(series("Show", 2010, seasons=(Season(0), season)), runtime_minutes=20)
    files = ["Show.S01E01-E02.mkv", "Show.S01E03.mkv", "Show.S00E01.mkv"]
    made = plan_import(
        [DownloadedFile(path, 400 * 10**6) for path in files],
        Identity(Grade.A, show),
        parse("Show.S01"),
        OrganizePolicy(),
        runtime=20,
        durations=dict.fromkeys(files, 400.0),
    )
    assert {one.source for one in made.placements} == {files[1], files[2]}
