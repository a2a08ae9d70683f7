import pytest

from capabilities.rules.wording import LONGEST_QUOTE, counted, quoted


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 works"), (1, "1 work"), (2, "2 works"), (1000, "1000 works")]
)
def test_things_are_counted_in_their_number(number: int, told: str) -> None:
    assert counted(number, "work") == told


def test_a_plural_of_its_own_is_given() -> None:
    assert counted(1, "grant was", "grants were") == "1 grant was"
    assert counted(3, "grant was", "grants were") == "3 grants were"


def test_a_quote_is_one_line_without_hidden_signs_and_cut() -> None:
    assert quoted("a\nb\u202e c") == '"a b c"'
    assert quoted("x" * LONGEST_QUOTE) == f'"{"x" * LONGEST_QUOTE}"'
    assert quoted("x" * (LONGEST_QUOTE + 1)) == f'"{"x" * (LONGEST_QUOTE - 1)}…"'
