"""Cases with an id are those of the regression table for subscriptions."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

import pytest

from capabilities.rules.missing import SETTLING, EpisodeRange, Missing, Wanted, missing
from capabilities.rules.works import Episode, Season, Work, WorkKey, WorkKind
from tests.capabilities.rules.shelf import SINTEL

TODAY = date(2024, 6, 1)
LONG_AGO = TODAY - timedelta(days=400)
ALL = Wanted()


def season(number: int, total: int, *, aired: int | None = None, last: date = LONG_AGO) -> Season:
    """A season of which the first ``aired`` episodes have aired, the last of them on ``last``."""
    aired = total if aired is None else aired
    episodes = tuple(
        Episode(one, air_date=last - timedelta(days=7 * (aired - one)))
        for one in range(1, aired + 1)
    )
    later = tuple(
        Episode(one, air_date=TODAY + timedelta(days=one)) for one in range(aired + 1, total + 1)
    )
    return Season(number, 2023, total, (*episodes, *later))


def show(*seasons: Season) -> Work:
    return Work(WorkKey("tmdb", WorkKind.SERIES, "1"), "Show", 2023, seasons=seasons)


def left(
    work: Work,
    on_disk: Iterable[tuple[int, int]] = (),
    in_flight: Iterable[tuple[int, int]] = (),
    wanted: Wanted = ALL,
    reported: Iterable[tuple[int, int]] | None = None,
) -> Missing:
    return missing(
        work,
        wanted,
        on_disk=list(on_disk),
        in_flight=list(in_flight),
        today=TODAY,
        reported=None if reported is None else list(reported),
    )


def of(number: int, *episodes: int) -> set[tuple[int, int]]:
    return {(number, one) for one in episodes}


def test_what_is_on_its_way_is_not_missing() -> None:
    """SUB-01: an in-flight target set counts as held."""
    work = show(season(4, 8))
    found = left(work, in_flight=of(4, 1, 2, 3))
    assert found.targets == of(4, 4, 5, 6, 7, 8)


def test_a_range_beyond_the_season_is_reported_and_nothing_is_missing() -> None:
    """SUB-02: start episode 159, season total 158."""
    found = left(show(season(1, 158)), wanted=Wanted({1: EpisodeRange(159)}))
    assert found.targets == set()
    assert found.open
    assert "episode 159 and later are wanted, and it has 158" in found.remarks[0]


def test_an_episode_that_is_listed_twice_is_there_once() -> None:
    """SUB-04: library answer [10, 10, 11]."""
    found = left(show(season(1, 12)), on_disk=[(1, 10), (1, 10), (1, 11)])
    assert found.targets == of(1, *range(1, 10), 12)


def test_half_a_season_leaves_the_other_half_missing() -> None:
    """SUB-08: library {7: [1..7]}, the season has 13."""
    found = left(show(season(7, 13)), on_disk=of(7, *range(1, 8)))
    assert found.targets == of(7, *range(8, 14))
    assert found.open


def test_facts_that_contradict_each_other_keep_it_open() -> None:
    """SUB-08b: the server says it has nothing, nothing is missing, 11 of 12 have aired."""
    work = show(season(1, 12, aired=11))
    found = left(work, on_disk=of(1, *range(1, 12)), reported=())
    assert (found.targets, found.open) == (set(), True)
    assert "do not say the same" in found.remarks[-1]
    settled = left(show(season(1, 12)), of(1, *range(1, 13)), reported=of(1, *range(1, 13)))
    assert not settled.open


@pytest.mark.parametrize(
    ("work", "on_disk"),
    [
        pytest.param(show(season(1, 1, last=TODAY)), of(1, 1), id="SUB-09 on the air date"),
        pytest.param(show(season(1, 4)), of(1, 1, 2, 3, 4, 5, 6), id="SUB-09 more exist"),
        pytest.param(show(season(1, 12)), of(1, *range(1, 14)), id="SUB-10 13 of 12"),
        pytest.param(show(Season(1, 2023, 0)), of(1, 1), id="a season nobody knows"),
    ],
)
def test_a_total_that_may_still_change_is_never_final(
    work: Work, on_disk: set[tuple[int, int]]
) -> None:
    found = left(work, on_disk)
    assert found.targets == set()
    assert found.open
    assert found.remarks


def test_an_episode_out_of_range_is_ignored_and_named() -> None:
    """SUB-10: a local scan claims 1..13 of 12."""
    found = left(show(season(1, 12)), of(1, *range(2, 14)))
    assert found.targets == of(1, 1)
    assert "episode 13 is on the shelf; it is ignored" in found.remarks[0]


def test_a_season_that_ended_long_ago_closes_when_all_of_it_is_there() -> None:
    work = show(season(1, 3))
    assert not left(work, of(1, 1, 2, 3)).open
    lately = show(season(1, 3, last=TODAY - SETTLING + timedelta(days=1)))
    assert left(lately, of(1, 1, 2, 3)).open


def test_what_the_owner_gave_up_is_not_fetched_again() -> None:
    """SUB-19g: the user deleted watched episodes E97 and E98."""
    gone = of(1, 97, 98)
    found = left(show(season(1, 100)), of(1, *range(1, 97)), wanted=Wanted(not_wanted=gone))
    assert found.targets == of(1, 99, 100)
    assert left(SINTEL, wanted=Wanted(not_wanted={(0, 0)})).targets == set()


def test_the_owners_own_total_stands() -> None:
    work = show(season(1, 24, aired=12, last=TODAY))
    found = left(work, of(1, *range(1, 13)), wanted=Wanted(totals={1: 12}))
    assert (found.targets, found.open) == (set(), False)


def test_what_has_not_aired_is_not_missing_yet() -> None:
    found = left(show(season(1, 10, aired=4, last=TODAY)))
    assert found.targets == of(1, 1, 2, 3, 4)
    unlisted = show(Season(1, 2010, 6))
    assert left(unlisted).targets == of(1, 1, 2, 3, 4, 5, 6)
    undated = show(replace(season(1, 1), episodes=(Episode(1),)))
    assert left(undated).targets == set()
    assert left(undated).open


def test_arr_59_specials_are_never_implied() -> None:
    work = show(season(0, 3), season(1, 1))
    assert left(work).targets == of(1, 1)
    assert left(work, wanted=Wanted({0: EpisodeRange(2, 3)})).targets == of(0, 2, 3)


def test_a_film_is_missing_until_it_is_there_or_on_its_way() -> None:
    assert left(SINTEL).targets == {(0, 0)}
    assert left(SINTEL, on_disk=[(0, 0)]) == Missing(frozenset(), open=False)
    assert left(SINTEL, in_flight=[(0, 0)]).targets == set()


def test_a_season_that_its_source_does_not_know_is_named_and_keeps_it_open() -> None:
    found = left(show(season(1, 3)), wanted=Wanted({9: EpisodeRange()}))
    assert (found.targets, found.open) == (set(), True)
    assert found.remarks == ("season 9: the metadata source does not know it",)


def test_one_episode_beyond_the_season_is_named_as_one() -> None:
    found = left(show(season(1, 3)), wanted=Wanted({1: EpisodeRange(9, 9)}))
    assert found.remarks == ("season 1: episode 9 is wanted, and it has 3",)
