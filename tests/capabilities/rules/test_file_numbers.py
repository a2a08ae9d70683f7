from datetime import date

import pytest

from capabilities.rules.episode_counting import Unsettled, counting_of
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.file_numbers import Numbers, numbers_in, places_in
from capabilities.rules.names.parsing import parse
from capabilities.rules.works import Episode, Season, Work
from tests.capabilities.rules.shelf import PIONEER, series


def found(text: str, work: Work = PIONEER) -> tuple[int, tuple[int, ...]] | str:
    numbers = numbers_in(parse(text), work)
    if isinstance(numbers, Numbers):
        return numbers.season, numbers.episodes
    return numbers.sentence


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Pioneer.One.S01E02.720p", (1, (2,))),
        ("Pioneer.One.S01E01E02.720p", (1, (1, 2))),
        ("Pioneer.One.S00E01.720p", (0, (1,))),
        ("[G] Pioneer One II - 01 [720p]", (2, (1,))),
        ("Pioneer.One.2010.12.15.720p", (1, (2,))),
        ("Pioneer.One.2010.12.16.720p", (1, (2,))),
        ("Pioneer.One.S01.720p", "its name says no episode"),
        ("Pioneer.One.S01-S02.E01.720p", "its name says seasons 1, 2 for its numbers"),
        ("Pioneer.One.S01E09.720p", "episode 9 is beyond season 1, which has 3"),
        ("Pioneer.One.2012.06.16.720p", "no known episode was aired on 2012-06-16"),
    ],
)
def test_numbers_are_read_off_or_said_to_be_missing(
    text: str, numbers: tuple[int, tuple[int, ...]] | str
) -> None:
    assert found(text) == numbers


def test_two_episodes_a_day_apart_are_not_chosen_between() -> None:
    days = (date(2020, 4, 3), date(2020, 4, 5))
    episodes = tuple(Episode(n, None, day) for n, day in enumerate(days, start=1))
    show = series("Daily", 2020, seasons=(Season(1, 2020, 2, episodes),))
    assert found("Daily.2020.04.04.720p", show) == (
        "several episodes were aired on 2020-04-04 or a day apart"
    )


def test_numbers_of_one_file_lie_in_one_season() -> None:
    counting = counting_of(PIONEER.key, [offset_from("tmdb:series:4711 4-5 = S02E01")])
    across = parse("[G] Pioneer One - 03-04 [720p]")
    assert isinstance(numbers_in(across, PIONEER, counting), Unsettled)
    through = counting_of(PIONEER.key, through=[str(PIONEER.key)])
    placed = places_in(across, PIONEER, through)
    assert not isinstance(placed, Unsettled)
    assert [one.label for one in placed] == ["S01E03 (3)", "S02E01 (4)"]
    spread = numbers_in(across, PIONEER, through)
    assert isinstance(spread, Unsettled)
    assert spread.sentence == "its numbers lie in seasons 1, 2"


def test_whole_seasons_count_no_episodes() -> None:
    assert places_in(parse("Pioneer.One.S01.720p"), PIONEER) == []


def test_an_episodes_title_that_contradicts_its_number_is_asked_about() -> None:
    assert found("Pioneer.One.S01E02.The.Man.from.Mars.720p") == (1, (2,))
    assert found("Pioneer.One.S01E02.Something.Else.720p") == (1, (2,))
    wrong = numbers_in(parse("Pioneer.One.S01E01.The.Man.from.Mars.720p"), PIONEER)
    assert isinstance(wrong, Unsettled)
    assert wrong.sentence == 'it says S01E01 and the title of S01E02, "The Man from Mars"'
    assert '"tmdb:series:4711 S01E01 = S01E02"' in wrong.settles
