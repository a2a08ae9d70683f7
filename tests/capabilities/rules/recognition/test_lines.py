import pytest

from capabilities.rules.recognition.finding import Find
from capabilities.rules.recognition.lines import word_from, words_from, written
from capabilities.rules.recognition.sums import EpisodeSum
from capabilities.rules.recognition.words import Block, Force, Forced, Offset, Replace
from capabilities.rules.works import WorkKey, WorkKind

SERIES = WorkKey("tmdb", WorkKind.SERIES, "83097")
LINES = (
    "block: Some Words",
    "block: /广告.*?版/",
    "replace: A B => C",
    "replace: A B =>",
    r"replace: /S0(\d)E/ => S\1E",
    "replace: A => B S01 && S01 <> 1080p >> EP+12",
    "offset: Show <> 1080p >> EP-1",
    "force: Neverland => tmdb:series:83097",
    "force: Neverland => tmdb:series:83097 season 1 episode 3",
    "force: /Sintel/ => tmdb:film:45745",
)


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_and_written_back_as_it_was(line: str) -> None:
    assert written(word_from(line)) == line
    assert words_from([line]) == (word_from(line),)


def test_the_four_forms_of_moviepilot_are_taken() -> None:
    lines = [
        "# remarks and empty lines are left out",
        "",
        "屏蔽词",
        "Re.Zero.S03E => Re.Zero.S01E && S01E <> .2024 >> EP+50",
        "Show <> 1080p >> 2*EP-1",
        "A => B",
    ]
    block, both, offset, replace = words_from(lines)
    assert block == Block(Find("屏蔽词", is_expression=True))
    assert isinstance(both, Replace)
    assert (both.by, both.then and both.then.sum) == ("Re.Zero.S01E", EpisodeSum("EP+50"))
    assert isinstance(offset, Offset)
    assert offset.back == Find("1080p", is_expression=True)
    assert replace == Replace(Find("A", is_expression=True), "B")


def test_moviepilots_forced_work_becomes_a_word_of_its_own() -> None:
    (force,) = words_from(["约定 => {[tmdbid=83097;type=tv;s=1;e=3]}"])
    assert force == Force(Find("约定", is_expression=True), Forced(SERIES, 1, 3))
    force, replace = words_from(["My.S02E => {[tmdbid=123;type=tv]}My S01E && S01E <> .x >> EP+12"])
    assert isinstance(force, Force)
    assert str(force.forced) == "tmdb:series:123"
    assert isinstance(replace, Replace)
    assert replace.by == "My S01E"
    assert replace.then is not None
    (film,) = words_from(["A => {[doubanid=1291543;type=movie]}"])
    assert written(film) == "force: /A/ => douban:film:1291543"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("replace: A", "no arrow"),
        ("offset: A <> B", "no offset"),
        ("offset: A <> B >> EP/2", "no sum"),
        ("force: A => 83097", "names no work"),
        ("force: A => tmdb:tv:83097", "names no work"),
        ("block:", "what to look for"),
        ("(", "no regular expression"),
        ("A => {[tmdbid=1]}", "names no work"),
        ("A => {[tmdbid=1;type=tv;s=x]}", "no number"),
        ("A => {[tmdbid=1;type=tv;g=5f1]}", "episode group"),
        (f"replace: A => {'b' * 201}", "longer than"),
        ("x" * 900, "longer than"),
    ],
)
def test_a_wrong_line_is_refused_by_its_number(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"line 2: .*{why}"):
        words_from(["block: fine", line])


def test_a_line_without_its_kind_is_no_line_of_ours() -> None:
    with pytest.raises(ValueError, match="begin it with block:"):
        word_from("A => B")


def test_there_is_an_end_to_the_number_of_words() -> None:
    with pytest.raises(ValueError, match="more than 500"):
        words_from(["block: a"] * 501)


def test_all_wrong_lines_are_named_in_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"line 1: .* no arrow.*; line 3: .* no offset"):
        words_from(["replace: A", "block: fine", "offset: A <> B"])
