"""How much work a name can cost: counted in calls, which no busy machine changes."""

import sys
import time
from types import FrameType

import pytest

from capabilities.rules.names.facts import facts
from capabilities.rules.names.paths import parse_path

SHORT = 480
"""Characters; twice as many are still read."""
ROOM = 1.15
"""What doubling may cost beyond twice the work, for the steps from one length to the next."""
MOST_SECONDS = 0.25
PIECES = [
    *("1", "9", "1080p.", "S01E01", "S01E01-E2000 ", "E01-E2000 ", "e1-", "01 ", "1-2-3-4-5."),
    *(" ", ".", "-", "(", "[", "[a]", "(a) ", "[1-2000]", "[rarbg]", "[en]", "{", "\u3010\u3011"),
    *("aka ", "a.k.a. ", "sub ", "ger.", "sub.ger.", "eng-fre-", "NF ", "www.a.com ", "part 1 "),
    *(
        "\u7b2c",
        "\u7b2c\u4e00\u5b63",
        "\u7b2c1-2000\u96c6",
        "\uff41",
        "\u200b",
        "\x00",
        "%20",
        "a+",
    ),
    *(
        "x01-",
        "f01-",
        "vol 1 ",
        "2010 ",
        "(2010)",
        "1 of 2 ",
        "- 01 ",
        "Title - 01 - ",
        "28.05.19.",
    ),
    *("a-", "-a ", "ab-ab-", " - 1", "Sintel.2010.1080p.BluRay.x264-GRP ", "GRP-", "extended."),
    *(
        "2010 a ",
        "S01E01 2010 a ",
        "S01E01 Proper Limited ",
        "Season 1 2 3 ",
        "Season 1&3 ",
        "[a][b] c d ",
    ),
    *("real ", "the german 2010 ", "1984 a S01E01 ", "TV ", "[2010, a] ", "www a org - ", "a_-_"),
]


def work(text: str) -> int:
    """How many calls, of Python and of C, reading the text takes."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        facts(text)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("piece", PIECES)
def test_a_name_twice_as_long_costs_at_most_twice_the_work(piece: str) -> None:
    once = piece * (SHORT // len(piece))
    facts(once)
    assert work(once + once) <= 2 * ROOM * work(once)


@pytest.mark.parametrize("piece", PIECES)
def test_no_length_takes_long(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    spent: list[float] = []
    for _ in range(3):
        started = time.process_time()
        facts(text)
        parse_path(text)
        spent.append(time.process_time() - started)
    assert min(spent) < MOST_SECONDS
