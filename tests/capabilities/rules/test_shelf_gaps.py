from datetime import date, timedelta

from capabilities.rules.shelf_gaps import shelf_gaps
from capabilities.rules.works import Episode, Season, Work, WorkKey, WorkKind

TODAY = date(2026, 3, 1)
TOMORROW = TODAY + timedelta(days=1)
FILM = Work(WorkKey("tmdb", WorkKind.FILM, "1"), "Sintel", 2010)


def series(*seasons: Season) -> Work:
    return Work(WorkKey("tmdb", WorkKind.SERIES, "1"), "Lantern Street", 2019, seasons=seasons)


def aired(number: int, *dates: date | None) -> Season:
    episodes = tuple(Episode(at + 1, air_date=day) for at, day in enumerate(dates))
    return Season(number, episode_count=len(dates), episodes=episodes)


def test_a_film_is_missing_where_its_slot_is_not_filled() -> None:
    assert shelf_gaps(FILM, there=[], wanted=[(0, 0)], today=TODAY).by_season == {"0": [0]}
    assert shelf_gaps(FILM, there=[(0, 0)], wanted=[(0, 0)], today=TODAY).by_season == {}


def test_the_rest_of_a_season_that_was_begun_is_missing_and_no_other_season() -> None:
    work = series(Season(0, episode_count=9), Season(1, episode_count=3), Season(2, None, 2))
    gaps = shelf_gaps(work, there=[(1, 2), (0, 4)], wanted=[], today=TODAY)
    assert gaps.by_season == {"1": [1, 3]}
    gaps = shelf_gaps(work, there=[(1, 2)], wanted=[(2, 1), (0, 5)], today=TODAY)
    assert gaps.by_season == {"0": [5], "1": [1, 3], "2": [1, 2]}


def test_what_has_not_aired_is_no_gap_until_its_day() -> None:
    work = series(aired(1, TODAY, TODAY, TOMORROW, None))
    gaps = shelf_gaps(work, there=[(1, 1)], wanted=[], today=TODAY)
    assert (gaps.by_season, gaps.airs_next) == ({"1": [2]}, TOMORROW)
    later = shelf_gaps(work, there=[(1, 1)], wanted=[], today=TOMORROW)
    assert (later.by_season, later.airs_next) == ({"1": [2, 3]}, None)


def test_days_of_seasons_that_nobody_began_are_not_waited_for() -> None:
    work = series(aired(1, TODAY), aired(2, TOMORROW))
    assert shelf_gaps(work, there=[(1, 1)], wanted=[], today=TODAY).airs_next is None
