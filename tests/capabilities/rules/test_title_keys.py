import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.rules.title_keys import (
    LONGEST_TITLE,
    is_similar,
    share_enough,
    title_key,
    title_words,
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Amélie", "AMELIE"),
        ("Fast & Furious", "Fast and Furious"),
        ("WALL·E", "Wall-E"),
        ("\uff35\uff50", "Up"),
        ("Straße", "STRASSE"),
        ("Ame\u0301lie", "Am\u00e9lie"),
    ],
)
def test_two_spellings_of_a_title_have_one_key(first: str, second: str) -> None:
    assert title_key(first) == title_key(second)


@pytest.mark.parametrize(("first", "second"), [("か", "が"), ("!!!", "???"), ("Up", "Ups")])
def test_two_titles_have_two_keys(first: str, second: str) -> None:
    assert title_key(first) != title_key(second)


@given(st.text(max_size=40))
def test_the_key_of_a_key_is_itself(title: str) -> None:
    assert title_key(title_key(title)) == title_key(title)


def test_what_is_beyond_the_longest_title_does_not_count() -> None:
    assert title_key("a" * LONGEST_TITLE + "b") == "a" * LONGEST_TITLE


def test_words_are_folded_and_signs_part_them() -> None:
    assert title_words("L'Été: Part-II") == {"l", "ete", "part", "ii"}
    assert title_words("...") == frozenset()


@pytest.mark.parametrize(
    ("title", "other", "similar"),
    [
        ("Big Sky", "The Big Sky", True),
        ("El Up", "Up", True),
        ("Big Sky", "Big Blue Low Sea", False),
        ("...", "!!!", False),
    ],
)
def test_titles_are_alike_that_share_most_of_their_words(
    title: str, other: str, *, similar: bool
) -> None:
    assert is_similar(title, ["Nothing", other]) is similar


def test_three_of_five_words_on_either_side_are_enough_and_two_are_not() -> None:
    assert share_enough(3, 5, 5)
    assert not share_enough(2, 5, 5)
    assert not share_enough(0, 0, 0)
