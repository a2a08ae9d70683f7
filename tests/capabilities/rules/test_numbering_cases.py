"""Reported names whose episode numbers were read wrongly, by the row of each report."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from capabilities.rules.episode_counting import Counting, Unsettled, counting_of
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.episode_orders import EpisodeOrder, OrderGroup, OrderKind, Place
from capabilities.rules.evidence import Grade
from capabilities.rules.file_numbers import Numbers, numbers_in
from capabilities.rules.identity import accepts, as_forced, grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.recognition.applying import reworded
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.works import Episode, Season, Work
from tests.capabilities.rules.reported import (
    JUJUTSU,
    MASHLE,
    RE_ZERO,
    SLAYER,
    SWALLOWED,
    TENSEI,
    long,
)
from tests.capabilities.rules.shelf import series

DEFAULT = IdentityPolicy()


@pytest.mark.parametrize(
    ("row", "text", "show", "label"),
    [
        (
            "ID-26",
            "[orion origin] Goblin Slayer II [01v2] [1080p] [H265 AAC] [CHS\uff06JPN].mp4",
            SLAYER,
            "S02E01",
        ),
        ("ID-27", "[DMG&RoxyLib][Mushoku_Tensei_II][08][1080P][GB].mp4", TENSEI, "S02E08"),
        ("ID-27b", "[DMG&RoxyLib][Mushoku_Tensei_\u2161][08][1080P][GB].mp4", TENSEI, "S02E08"),
    ],
)
def test_a_numeral_behind_the_title_is_the_season(
    row: str, text: str, show: Work, label: str
) -> None:
    identity = grade(parse(text), {}, (show,))
    assert (identity.grade, identity.work) == (Grade.C, show), row
    assert numbers(text, show).label == label
    assert parse(text).version == (2 if "v2" in text else 1)


def test_id_27_a_series_of_that_very_name_is_not_passed_over() -> None:
    own = long("Goblin Slayer II", 2023, 12, number="9")
    identity = grade(parse("[G] Goblin Slayer II [01][1080p]"), {}, (SLAYER, own))
    assert (identity.grade, identity.work) == (Grade.D, None)


def test_id_23_a_range_is_whole_and_the_owners_word_is_respected() -> None:
    name = parse("Show.S1E01E02.1080p")
    assert numbers(name.text, long("Show", 2020, 12)).episodes == (1, 2)
    forced = reworded("Show.S1E01E02.1080p", words_from(["force: Show => tmdb:series:1 episode 7"]))
    again = as_forced(name, forced.forced)
    assert (again.seasons, again.episodes) == ((1,), (7,))


def offset(line: str) -> Callable[[Work], Counting]:
    return lambda work: counting_of(work.key, [offset_from(line)])


def confirmed(work: Work) -> Counting:
    return counting_of(work.key, through=[str(work.key)])


def groups(kind: OrderKind, *sizes: int) -> Callable[[Work], Counting]:
    """An order whose groups cut one long season in pieces."""
    made: list[OrderGroup] = []
    at = 0
    for number, size in enumerate(sizes, start=1):
        places = tuple(Place(1, episode) for episode in range(at + 1, at + size + 1))
        made.append(OrderGroup(number, f"Season {number}", places))
        at += size
    order = EpisodeOrder("tmdb", "x", kind, "Seasons", tuple(made))
    return lambda work: counting_of(work.key, orders=[order])


def absolute(*sizes: int) -> Callable[[Work], Counting]:
    places = [
        Place(season, episode)
        for season, size in enumerate(sizes, start=1)
        for episode in range(1, size + 1)
    ]
    order = EpisodeOrder(
        "tmdb", "x", OrderKind.ABSOLUTE, "Absolute", (OrderGroup(1, "All", tuple(places)),)
    )
    return lambda work: counting_of(work.key, orders=[order])


@pytest.mark.parametrize(
    ("text", "show", "mapping", "label"),
    [
        (
            "Mashle.Magic.and.Muscles.2024.S02E01.1080p",
            MASHLE,
            offset("tmdb:series:204832 S02E01-E12 = S01E13"),
            "S01E13 (S02E01 in the name)",
        ),
        ("Jujutsu Kaisen S02E03 1080p", JUJUTSU, absolute(24, 23), "S02E03 (27)"),
        ("[G] Jujutsu Kaisen - 27 [1080p]", JUJUTSU, absolute(24, 23), "S02E03 (27)"),
        (
            "[G] Jujutsu Kaisen - 27 [1080p]",
            JUJUTSU,
            offset("tmdb:series:95479 25-47 = S02E01"),
            "S02E03 (27)",
        ),
        (
            "[G] Jujutsu Kaisen - 27 [1080p]",
            JUJUTSU,
            confirmed,
            "S02E03 (27)",
        ),
        (
            "Re.Zero.S03E01.1080p",
            RE_ZERO,
            groups(OrderKind.TV, 25, 25, 16),
            "S01E51 (S03E01 in the name)",
        ),
        (
            "吞噬星空.S04E10.1080p",
            SWALLOWED,
            offset("tmdb:series:112886 S04E01 = S01E113"),
            "S01E122 (S04E10 in the name)",
        ),
    ],
    ids=["mashle", "season-said", "order", "offset", "confirmed", "re-zero", "swallowed"],
)
def test_id_31_a_mapping_places_numbers_and_shows_both(
    text: str, show: Work, mapping: Callable[[Work], Counting], label: str
) -> None:
    counting = mapping(show)
    found = numbers_in(parse(text), show, counting)
    assert isinstance(found, Numbers)
    assert found.label == label
    identity = grade(parse(text), {}, (show,), {show.key: counting})
    assert identity.work == show
    assert identity.contradictions == ()


@pytest.mark.parametrize(
    ("text", "show"),
    [
        ("Mashle.Magic.and.Muscles.2024.S02E01.1080p", MASHLE),
        ("[G] Jujutsu Kaisen - 27 [1080p]", JUJUTSU),
        ("Re.Zero.S03E01.1080p", RE_ZERO),
        ("吞噬星空.S04E10.1080p", SWALLOWED),
    ],
)
def test_id_31_without_a_mapping_it_is_open_and_says_what_would_settle_it(
    text: str, show: Work
) -> None:
    found = numbers_in(parse(text), show)
    assert isinstance(found, Unsettled)
    assert f'"{show.key} ' in found.settles
    assert not accepts(DEFAULT, grade(parse(text), {}, (show,)))


def test_id_32_a_season_is_carried_through_unchanged() -> None:
    show = long("Show", 2020, 10, 10, 10)
    assert numbers("Show.S03E04.1080p", show).season == 3


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("[HatSubs] One Piece 1004 [E63F2984].mkv", 1004),
        ("[Erai-raws] Detective Conan - 1000 [1080p HEVC].mkv", 1000),
    ],
)
def test_arr_2_and_3_a_great_number_is_absolute_and_is_not_placed_by_guessing(
    text: str, number: int
) -> None:
    show = long("Any", 1999, 61, 1200)
    assert parse(text).absolute_episodes == (number,)
    assert isinstance(numbers_in(parse(text), show), Unsettled)
    assert numbers(text, show, absolute(61, 1200)(show)).label == f"S02E{number - 61} ({number})"


def test_arr_4_a_season_and_a_number_apart_from_it_belong_together() -> None:
    show = long("Boku No Hero Academia", 2016, 13, 25, 25)
    assert numbers("Boku No Hero Academia S03 - EP14 VOSTFR 1080p", show).label == "S03E14"


def test_arr_6_a_compact_number_is_asked_about_where_it_fits_twice() -> None:
    anime, short = long("Dragonball Z", 1989, 39, 35, 33, 32), long("Dragonball Z", 1989, 10)
    assert isinstance(numbers_in(parse("Dragonball.Z.102.720p"), anime), Unsettled)
    assert numbers("Dragonball.Z.102.720p", short).label == "S01E02"


def test_arr_8_a_special_between_two_episodes_goes_by_its_season() -> None:
    show = replace(long("Show", 2020, 12), seasons=(Season(0, 2020, 3), Season(1, 2020, 12)))
    assert numbers("[G] Show - 07.5 [S00E01].mkv", show).label == "S00E01"


def test_arr_19_an_air_date_is_met_within_a_day_and_two_are_asked_about() -> None:
    days = (date(2020, 4, 3), date(2020, 4, 5), date(2020, 4, 9))
    episodes = tuple(Episode(n, None, day) for n, day in enumerate(days, start=1))
    show = series("Daily", 2020, seasons=(Season(1, 2020, 3, episodes),))
    assert numbers("Daily.2020.04.03.720p", show).label == "S01E01"
    assert numbers("Daily.2020.04.10.720p", show).label == "S01E03"
    assert isinstance(numbers_in(parse("Daily.2020.04.04.720p"), show), Unsettled)
    assert numbers("Daily.03.04.2020.720p", show).label == "S01E01"


def numbers(text: str, show: Work, counting: Counting | None = None) -> Numbers:
    found = numbers_in(parse(text), show, counting or Counting())
    assert isinstance(found, Numbers), found
    return found
