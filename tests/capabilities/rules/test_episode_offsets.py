import pytest

from capabilities.rules.episode_offsets import offset_from, offsets_from
from capabilities.rules.episode_orders import Place

LINES = (
    "tmdb:series:204832 S02E01 = S01E13",
    "tmdb:series:204832 S02E01-E12 = S01E13",
    "tmdb:series:95479 25-47 = S02E01",
    "tmdb:series:95479 25 = S02E01",
)


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_and_written_back_as_it_was(line: str) -> None:
    assert str(offset_from(line)) == line


def test_a_run_places_its_numbers_and_no_others() -> None:
    run = offset_from(LINES[1])
    assert run.place_of(2, 1) == Place(1, 13)
    assert run.place_of(2, 12) == Place(1, 24)
    assert run.place_of(2, 13) is None
    assert run.place_of(1, 1) is None
    assert run.place_of(None, 1) is None


def test_a_run_without_an_end_goes_on() -> None:
    assert offset_from(LINES[3]).place_of(None, 1_000) == Place(2, 976)
    assert offset_from(LINES[3]).place_of(None, 24) is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "S02E01 = S01E13",
        "tmdb:film:1 S02E01 = S01E13",
        "tmdb:series:1 S02E01",
        "tmdb:series:1 S02E01 = 13",
        "tmdb:series:1 S02E12-E01 = S01E13",
        "tmdb:series:1 S٢E01 = S01E13",
    ],
)
def test_any_other_line_is_refused_and_shown_a_right_one(line: str) -> None:
    with pytest.raises(ValueError, match=r"write tmdb:series|ends before"):
        offset_from(line)


def test_lines_are_refused_by_their_number() -> None:
    assert len(offsets_from(["", LINES[0], LINES[2]])) == 2
    with pytest.raises(ValueError, match=r"line 2: .* is no offset"):
        offsets_from([LINES[0], "x"])


@pytest.mark.parametrize("second", ["S02E05 = S01E20", "S02E12-E20 = S03E01"])
def test_no_number_has_two_places(second: str) -> None:
    with pytest.raises(ValueError, match="other places"):
        offsets_from(["tmdb:series:204832 S02E01-E12 = S01E13", f"tmdb:series:204832 {second}"])


def test_there_is_an_end_to_the_number_of_offsets() -> None:
    lines = [f"tmdb:series:{n} S02E01 = S01E13" for n in range(501)]
    with pytest.raises(ValueError, match="more than 500"):
        offsets_from(lines)
