import time

import pytest

from capabilities.rules.recognition.applying import Reworded, reworded, reworded_path
from capabilities.rules.recognition.lines import words_from


def apply(text: str, *lines: str) -> Reworded:
    return reworded(text, words_from(lines))


@pytest.mark.parametrize(
    ("text", "line", "after", "did"),
    [
        ("A.Fansub.Show.S01E01", "block: Fansub", "A..Show.S01E01", 'took out "Fansub"'),
        ("[广告位招租]片名 2020", r"广告.*?(?=\])", "[]片名 2020", 'took out "广告位招租"'),
        ("Old.Name.2020", "replace: old name => New", "New.2020", 'replaced "Old.Name" by "New"'),
        (
            "Show.S02E01.1080p",
            r"replace: /S02E(\d+)/ => S01E1\1",
            "Show.S01E101.1080p",
            'replaced "S02E01" by "S01E101"',
        ),
        (
            "Show.S02E01.1080p.x265",
            "offset: S02E <> 1080p >> EP+12",
            "Show.S02E13.1080p.x265",
            "01 counts as 13",
        ),
        (
            "Re.Zero.S03E01.2024.1080p",
            "Re.Zero.S03E => Re.Zero.S01E && S01E <> .2024 >> EP+50",
            "Re.Zero.S01E51.2024.1080p",
            'replaced "Re.Zero.S03E" by "Re.Zero.S01E"; 01 counts as 51',
        ),
        (
            "[G] Show - 07 [1080p]",
            "offset: Show <> 1080p >> EP-6",
            "[G] Show - 01 [1080p]",
            "07 counts as 01",
        ),
        (
            "Show.S01E01E02.720p",
            "offset: Show <> 720p >> 2*EP",
            "Show.S01E02E04.720p",
            "01 counts as 02, 02 counts as 04",
        ),
        (
            "剧名 第03集 1080p",
            "offset: 剧名 <> 1080p >> EP+10",
            "剧名 第13集 1080p",
            "03 counts as 13",
        ),
        (
            "Show - 03 [1080p]",
            "offset: Show <> 1080p >> EP-12",
            "Show - 03 [1080p]",
            "03 would become no number of an episode and stays",
        ),
    ],
)
def test_a_word_does_what_it_says_and_tells_it(text: str, line: str, after: str, did: str) -> None:
    done = apply(text, line)
    assert done.text == after
    assert [hit.did for hit in done.hits] == [did]
    assert (done.hits[0].before, done.hits[0].after) == (text, after)


@pytest.mark.parametrize(
    "line",
    [
        "block: Elsewhere",
        "replace: Elsewhere => Here",
        "offset: Elsewhere <> 1080p >> EP+1",
        "offset: Show <> 480p >> EP+1",
        "offset: 1080p <> Show >> EP+1",
        "force: Elsewhere => tmdb:film:1",
    ],
)
def test_a_word_that_does_not_hit_changes_and_says_nothing(line: str) -> None:
    text = "Show\u200b.S01E01.1080p"
    assert apply(text, line) == Reworded(text)


def test_words_are_applied_in_their_order() -> None:
    done = apply("A.2020", "replace: A => B", "replace: B => C")
    assert done.text == "C.2020"
    assert apply("A.2020", "replace: B => C", "replace: A => B").text == "B.2020"


def test_a_forced_work_leaves_the_name_and_the_first_one_counts() -> None:
    done = apply(
        "Neverland.S01E01",
        "force: Neverland => tmdb:series:83097 season 1",
        "force: Neverland => tmdb:series:1",
    )
    assert done.text == "Neverland.S01E01"
    assert str(done.forced) == "tmdb:series:83097 season 1"
    assert [hit.did for hit in done.hits] == [
        "says that it is tmdb:series:83097 season 1",
        "says tmdb:series:1, and a word before it says tmdb:series:83097 season 1, which counts",
    ]


def test_each_part_of_a_path_is_taken_by_itself_and_the_file_counts_first() -> None:
    words = words_from(
        ["force: Pack => tmdb:series:1", "force: File => tmdb:series:2", "block: Pack/File"]
    )
    done = reworded_path("Pack/File.S01E01.mkv", words)
    assert done.text == "Pack/File.S01E01.mkv"
    assert str(done.forced) == "tmdb:series:2"
    assert str(reworded_path("Pack/01.mkv", words).forced) == "tmdb:series:1"


def test_a_slow_expression_is_left_out_and_named_and_many_of_them_end() -> None:
    slow = [f"/block{n}/ => x" for n in range(3)]
    lines = [f"block: /({n}|a|a)*b\\1{{3}}c|(x+x+)+y/" for n in range(40)]
    began = time.monotonic()
    done = apply("a" * 400 + "x" * 400, *lines, *slow, "block: nothing")
    assert time.monotonic() - began < 3
    assert len(done.hits) == 5
    assert all("takes too long" in hit.did for hit in done.hits)


def test_hostile_names_are_bounded_and_cleaned_before_words_see_them() -> None:
    done = apply("Fan\u200bsub\u202e.Show" + "x" * 20_000, "block: Fansub", "replace: y => z")
    assert len(done.text) <= 1000
    assert done.text.startswith(".Show")
    grown = apply("a " * 400, f"replace: a => {'b' * 200}")
    assert len(grown.text) <= 1000
