import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.rules.search_terms import MOST_CHARACTERS, searchable


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Sintel", "Sintel"),
        ("  Big \t Buck\nBunny ", "Big Buck Bunny"),
        ("寻", "寻"),
        ("Я", "Я"),
        ("가", "가"),
        ("It", "It"),
        ("42", "42"),
        ("M*A*S*H", "M*A*S*H"),
    ],
)
def test_a_title_passes_with_its_blanks_put_in_order(text: str, term: str) -> None:
    assert searchable(text) == term


@pytest.mark.parametrize(
    "text", ["", "   ", "*", "??", "% _", "...", "\uff0a", "\u2026", "a", "Z", "é", "7"]
)
def test_what_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="give a title"):
        searchable(text)


@pytest.mark.parametrize(
    "sign", ["!", "\uff01", "。", "★", "\u1ea1", "\uff21", "\uff17", "😀", "¾"]
)
def test_a_single_sign_that_is_no_word_is_refused(sign: str) -> None:
    with pytest.raises(ValueError, match="give a title"):
        searchable(sign)


def test_a_long_term_is_cut() -> None:
    assert searchable("x" * 500) == "x" * MOST_CHARACTERS


@given(st.text(max_size=300))
def test_a_term_that_passes_holds_a_word_and_no_blanks_around_it(text: str) -> None:
    try:
        term = searchable(text)
    except ValueError:
        return
    assert term == term.strip()
    assert 0 < len(term) <= MOST_CHARACTERS
    assert not any(unicodedata.category(sign) == "Cc" and sign.isspace() for sign in term)
