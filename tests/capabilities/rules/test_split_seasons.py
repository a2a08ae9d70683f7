from dataclasses import replace

import pytest

from capabilities.rules.split_seasons import split_seasons_left_out
from capabilities.rules.works import (
    Relation,
    RelationKind,
    Title,
    TitleKind,
    Work,
    WorkKey,
    WorkKind,
)
from tests.capabilities.rules.shelf import series

WHOLE = series("Lantern Street", 2019, "1")
FIRST = WorkKey("anilist", WorkKind.SERIES, "3")


def later(title: str, *alternatives: str, **ids: str) -> Work:
    """An entry of a source that lists each season by itself, with one before it."""
    titles = tuple(Title(text, TitleKind.ALTERNATIVE) for text in alternatives)
    relations = (Relation(RelationKind.PREQUEL, FIRST),)
    key = WorkKey("anilist", WorkKind.SERIES, "4")
    return Work(key, title, 2021, titles, external_ids=ids, relations=relations)


@pytest.mark.parametrize(
    "title",
    [
        "Lantern Street 2",
        "Lantern Street II",
        "Lantern Street Season 2",
        "Lantern Street: Season 2 Part 2",
        "Lantern Street 2nd Season",
        "Lantern Street: The Final Season",
        "Lantern Street",
    ],
)
def test_a_later_season_of_a_series_that_is_there_is_left_out(title: str) -> None:
    assert split_seasons_left_out([WHOLE, later(title)]) == [WHOLE]


def test_it_is_left_out_by_another_of_its_titles() -> None:
    street = replace(WHOLE, titles=(Title("灯籠の町", TitleKind.ORIGINAL),))
    assert split_seasons_left_out([later("Tourou no Machi", "灯籠の町 第2期"), street]) == [street]


def test_it_is_left_out_by_a_number_that_both_have() -> None:
    street = replace(WHOLE, external_ids={"mal": "9"})
    assert split_seasons_left_out([street, later("The Harbour", mal="9")]) == [street]


@pytest.mark.parametrize("title", ["Paper Comets 2", "Lantern Streets 2", "The Harbour"])
def test_an_unrelated_series_leaves_it_in(title: str) -> None:
    entry = later(title)
    assert split_seasons_left_out([WHOLE, entry]) == [WHOLE, entry]


def test_a_film_of_its_title_leaves_it_in() -> None:
    film, entry = replace(WHOLE, key=WorkKey("tmdb", WorkKind.FILM, "1")), later("Lantern Street 2")
    assert split_seasons_left_out([film, entry]) == [film, entry]


def test_what_has_no_season_before_it_stays() -> None:
    entry = replace(later("Lantern Street 2"), relations=())
    assert split_seasons_left_out([WHOLE, entry]) == [WHOLE, entry]
