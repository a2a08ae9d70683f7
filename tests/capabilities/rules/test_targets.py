from datetime import date

import pytest

from capabilities.rules.episode_counting import counting_of
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.names.parsing import parse
from capabilities.rules.targets import FILM, targets_of
from capabilities.rules.works import Episode, Season, Work, WorkKey, WorkKind
from tests.capabilities.rules.reported import MASHLE, SLAYER
from tests.capabilities.rules.shelf import PIONEER, SINTEL

AS_ONE = offset_from("tmdb:series:204832 S02E01-E12 = S01E13")
DAILY = Work(
    WorkKey("tmdb", WorkKind.SERIES, "2"),
    "Daily",
    2020,
    seasons=(Season(0, 2020, 3), Season(1, 2020, 3, (Episode(2, air_date=date(2020, 4, 3)),))),
)

NONE: set[tuple[int, int]] = set()


@pytest.mark.parametrize(
    ("work", "text", "targets"),
    [
        (SINTEL, "Sintel.2010.1080p", {FILM}),
        (PIONEER, "Pioneer.One.S01E01E02.1080p", {(1, 1), (1, 2)}),
        (PIONEER, "Pioneer.One.S01.1080p", {(1, 1), (1, 2), (1, 3)}),
        (PIONEER, "Pioneer.One.S09.1080p", NONE),
        (PIONEER, "[Group] Pioneer One - 04 [1080p]", NONE),
        (DAILY, "[Group] Daily - 03 [1080p]", {(1, 3)}),
        (DAILY, "Daily.2020.04.03.1080p.WEB-DL", {(1, 2)}),
        (DAILY, "Daily.1080p.WEB-DL", NONE),
        (SLAYER, "[G] Goblin Slayer II [01v2][1080p]", {(2, 1)}),
        (SLAYER, "[G] Goblin Slayer S2 - 03 [1080p]", {(2, 3)}),
        (SLAYER, "[G] Goblin Slayer S2 - 13 [1080p]", NONE),
        (SLAYER, "Goblin.Slayer.S02E13.1080p", {(2, 13)}),
        (SLAYER, "Goblin.Slayer.S01E05.S02E06.1080p", NONE),
        (SLAYER, "Goblin.Slayer.S02-S03.1080p", {(2, number) for number in range(1, 13)}),
    ],
)
def test_a_name_covers_what_it_says_and_nobody_guesses(
    work: Work, text: str, targets: set[tuple[int, int]]
) -> None:
    assert targets_of(work, parse(text)) == targets


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Mashle.S02E01.1080p", {(1, 13)}),
        ("Mashle.S02E11E12.1080p", {(1, 23), (1, 24)}),
        ("Mashle.S01E05.1080p", {(1, 5)}),
    ],
)
def test_episodes_are_counted_as_their_owner_has_them_counted(
    text: str, targets: set[tuple[int, int]]
) -> None:
    counting = counting_of(MASHLE.key, (AS_ONE,))
    assert targets_of(MASHLE, parse(text), counting) == targets


def test_numbers_count_through_the_seasons_by_the_owners_word() -> None:
    counting = counting_of(SLAYER.key, through=[str(SLAYER.key)])
    name = parse("[G] Goblin Slayer - 15 [1080p]")
    assert targets_of(SLAYER, name) == NONE
    assert targets_of(SLAYER, name, counting) == {(2, 3)}
