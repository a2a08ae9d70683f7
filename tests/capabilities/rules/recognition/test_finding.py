import time

import pytest

from capabilities.rules.recognition.finding import Find, find_from


def hit(written: str, text: str, *, whole: bool = True) -> str | None:
    found = find_from(written).first(text, whole=whole)
    return None if found is None else text[found.start() : found.end()]


@pytest.mark.parametrize(
    ("written", "text", "found"),
    [
        ("Night Train", "The.NIGHT.train.1959.1080p", "NIGHT.train"),
        ("night-train", "The_Night_Train_1959", "Night_Train"),
        ("Train", "The.Trains.1959", None),
        ("Train", "Trainspotting", None),
        ("梦幻岛", "约定的梦幻岛第二季", "梦幻岛"),
        ("梦幻岛 S2", "约定的梦幻岛.S2.01", "梦幻岛.S2"),
        ("a+b", "a+b 2020", "a+b"),
    ],
)
def test_plain_words_are_whole_words_in_any_case_between_any_separators(
    written: str, text: str, found: str | None
) -> None:
    assert hit(written, text) == found


def test_an_anchor_may_be_the_beginning_of_a_word() -> None:
    assert hit("S02E", "Show.S02E01", whole=False) == "S02E"
    assert hit("S02E", "Show.S02E01") is None


def test_an_expression_stands_between_slashes() -> None:
    assert hit(r"/S0(?=2E)/", "Show.S02E01") == "S0"
    assert hit(r"/^show\./", "Show.S02E01") == "Show."
    assert str(find_from("/a|b/")) == "/a|b/"
    assert str(find_from(" a  b ")) == "a  b"


def test_finding_nothing_long_is_finding_nothing() -> None:
    assert hit("/x*/", "abc") is None


@pytest.mark.parametrize(
    "written",
    [
        "",
        "   ",
        "...",
        "/(/",
        "/[/",
        "a" * 201,
        "//",
        "/(?:(?:a{1000}){1000})/",
        "/" + "(" * 90 + ")" * 90 + "/",
    ],
)
def test_what_can_find_nothing_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        find_from(written)


def test_an_expression_that_would_take_for_ever_is_given_up() -> None:
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        Find("(a|a)*b\\1{3}c|(x+x+)+y", is_expression=True).first("a" * 400 + "x" * 400)
    assert time.monotonic() - began < 2
