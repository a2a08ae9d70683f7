from typing import Any

import pytest

from server.cli.evidence_view import facts_told


@pytest.mark.parametrize(
    ("held", "lines"),
    [
        ("Sintel", ["  seen name: Sintel"]),
        (12, ["  seen name: 12"]),
        (True, ["  seen name: yes"]),
        (None, ["  seen name: none"]),
        ([], ["  seen name: none"]),
        (["one"], ["  seen name: one"]),
        (["one", "it's two"], ["  seen name:", "    one", "    it's two"]),
        ({"episodes": ["S01E01", "S01E02"], "by": "tvmaze"}, None),
        ([{"word": "block: A", "did_it": False}], ["  seen name: word block: A, did it no"]),
    ],
)
def test_a_value_is_told_in_words(held: Any, lines: list[str] | None) -> None:
    told = list(facts_told({"seen_name": held}))
    assert told == (lines or ["  seen name: episodes S01E01, S01E02, by tvmaze"])


def test_each_name_has_what_is_to_stand_before_it() -> None:
    assert list(facts_told({"a": 1, "b": 2}, "seen: ")) == ["  seen: a: 1", "  seen: b: 2"]


def test_nothing_in_it_steers_the_terminal() -> None:
    hostile = "\x1b[2J\u202e"
    told = list(facts_told({f"n{hostile}": [hostile, {f"k{hostile}": hostile}], "x": hostile}))
    assert all(line.isprintable() for line in told)
