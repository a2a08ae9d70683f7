import pytest

from capabilities.rules.names.parsing import parse
from capabilities.rules.sequels import (
    as_season,
    numbered_key,
    numeral_at_end,
    part_of,
    without_collection,
    without_first_part,
)
from capabilities.rules.works import Season
from tests.capabilities.rules.shelf import film, series

SLAYER = series("Goblin Slayer", 2018, seasons=(Season(1, 2018, 12), Season(2, 2023, 12)))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Rocky II", "Rocky 2"),
        ("Rocky \u2161", "rocky ii"),
        ("无间道II", "无间道2"),
        ("Part III: The End", "Part 3: The End"),
        ("Rocky II-III", "Rocky 2-3"),
        ("Rocky-II", "Rocky-2"),
        ("Rocky II - The End", "Rocky 2 - The End"),
    ],
)
def test_numerals_of_both_sorts_make_one_key(first: str, second: str) -> None:
    assert numbered_key(first) == numbered_key(second)


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Malcolm X", "malcolmx"),
        ("V for Vendetta", "vforvendetta"),
        ("I, Robot", "irobot"),
        ("Vivid", "vivid"),
        ("Iii-chan", "iiichan"),
        ("Vi-chan no Uta", "vichannouta"),
    ],
)
def test_words_that_look_like_numerals_stay_words(title: str, key: str) -> None:
    assert numbered_key(title) == key


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Infernal Affairs II", ("Infernal Affairs", 2)),
        ("倩女幽魂\u2162", ("倩女幽魂", 3)),
        ("Home Alone 2", ("Home Alone", 2)),
        ("Area 51", None),
        ("Show", None),
        ("II", None),
        ("1", None),
    ],
)
def test_a_numeral_at_the_end_is_told_from_the_title(
    title: str, found: tuple[str, int] | None
) -> None:
    assert numeral_at_end(title) == found


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("II", 2),
        ("2", 2),
        ("02", 2),
        ("Part 3", 3),
        ("第二部", 2),
        ("part one", 1),
        ("Disc", None),
        ("0", None),
        ("1080p", None),
        ("movie", None),
    ],
)
def test_a_folder_that_is_nothing_but_a_numeral_is_a_part(text: str, number: int | None) -> None:
    assert part_of(text) == number


def test_the_first_part_and_the_collection_are_taken_off() -> None:
    assert without_first_part("Back to the Future Part I") == "Back to the Future"
    assert without_first_part("Back to the Future Part II") is None
    assert without_collection("Infernal Affairs Trilogy") == "Infernal Affairs"
    assert without_collection("Trilogy") == "Trilogy"


def test_a_numeral_is_a_season_only_where_the_series_has_one() -> None:
    name = parse("[G] Goblin Slayer II - 01 [1080p]")
    read = as_season(name, SLAYER)
    assert (read.title, read.seasons, read.episodes) == ("Goblin Slayer", (2,), (1,))
    assert as_season(parse("[G] Goblin Slayer III - 01 [1080p]"), SLAYER).seasons == ()
    assert as_season(parse("[G] Other Show II - 01 [1080p]"), SLAYER).seasons == ()
    assert as_season(parse("Goblin Slayer II 2023 1080p"), SLAYER).seasons == ()
    assert as_season(name, film("Goblin Slayer", 2020)) is name


def test_long_titles_take_bounded_time() -> None:
    hostile = "y." * 40_000 + "II"
    assert numeral_at_end(hostile) is None
    assert len(numbered_key(hostile)) <= 300
    assert without_collection("a" * 500) == "a" * 300
