import pytest

from capabilities.rules.episode_counting import (
    Counted,
    Counting,
    Unsettled,
    counting_of,
    has,
    in_season,
    through_seasons,
)
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.episode_orders import EpisodeOrder, OrderGroup, OrderKind, Place
from capabilities.rules.works import Season
from tests.capabilities.rules.shelf import series

SHOW = series(
    "Show", 2020, "7", seasons=(Season(0, 2020, 2), Season(1, 2020, 12), Season(2, 2021, 12))
)
ONE_SEASON = series("Show", 2020, "7", seasons=(Season(1, 2020, 24),))
OFFSET = offset_from("tmdb:series:7 13-24 = S02E01")


def order(kind: OrderKind, *groups: list[tuple[int, int]], title: str = "Order") -> EpisodeOrder:
    made = tuple(
        OrderGroup(number, f"Part {number}", tuple(Place(*place) for place in places))
        for number, places in enumerate(groups, start=1)
    )
    return EpisodeOrder("tmdb", title, kind, title, made)


ALL = [(1, n) for n in range(1, 13)] + [(2, n) for n in range(1, 13)]
ABSOLUTE = order(OrderKind.ABSOLUTE, ALL)


def test_a_number_of_a_season_stands_where_the_name_says() -> None:
    assert in_season(2, 3, SHOW, Counting()).label == "S02E03"
    assert in_season(2, 3, SHOW, counting_of(SHOW.key, orders=[ABSOLUTE])).label == "S02E03 (15)"
    assert in_season(0, 1, SHOW, counting_of(SHOW.key, orders=[ABSOLUTE])).label == "S00E01"


@pytest.mark.parametrize(
    ("counting", "by"),
    [
        (counting_of(SHOW.key, orders=[ABSOLUTE]), "by the order"),
        (counting_of(SHOW.key, [OFFSET]), "by your offset"),
        (counting_of(SHOW.key, through=["tmdb:series:7"]), "by your word"),
    ],
    ids=["order", "offset", "confirmed"],
)
def test_a_number_through_all_seasons_needs_a_mapping(counting: Counting, by: str) -> None:
    found = through_seasons(15, SHOW, counting)
    assert isinstance(found, Counted)
    assert (found.label, found.absolute) == ("S02E03 (15)", 15)
    assert found.by.startswith(by)


@pytest.mark.parametrize(
    "counting",
    [
        Counting(),
        counting_of(SHOW.key, [offset_from("tmdb:series:8 13-24 = S02E01")]),
        counting_of(SHOW.key, through=["tmdb:series:8"]),
        counting_of(SHOW.key, orders=[ABSOLUTE, order(OrderKind.ABSOLUTE, ALL[::-1])]),
        counting_of(SHOW.key, orders=[order(OrderKind.DVD, ALL)]),
    ],
    ids=["nothing", "other-offset", "other-word", "rival-orders", "no-absolute-order"],
)
def test_without_one_it_is_open_and_says_what_would_settle_it(counting: Counting) -> None:
    found = through_seasons(15, SHOW, counting)
    assert isinstance(found, Unsettled)
    assert "a mapping is needed" in found.sentence
    assert '"tmdb:series:7 25-47 = S02E01"' in found.settles


def test_sizes_of_seasons_count_only_by_the_owners_word_and_where_all_are_known() -> None:
    unknown = series("Show", 2020, "7", seasons=(Season(1), Season(2, 2021, 12)))
    counting = counting_of(unknown.key, through=["tmdb:series:7"])
    assert isinstance(through_seasons(15, unknown, counting), Unsettled)
    assert isinstance(through_seasons(25, SHOW, counting), Unsettled)
    assert in_season(2, 3, unknown, counting).label == "S02E03"
    assert in_season(2, 3, SHOW, counting).label == "S02E03 (15)"


def test_the_only_season_there_is_needs_no_mapping() -> None:
    found = through_seasons(15, ONE_SEASON, Counting())
    assert isinstance(found, Counted)
    assert found.label == "S01E15 (15)"


def test_a_season_that_the_work_lacks_is_placed_by_the_sources_other_orders() -> None:
    halves = [(1, n) for n in range(1, 13)], [(1, n) for n in range(13, 25)]
    counting = counting_of(ONE_SEASON.key, orders=[order(OrderKind.TV, *halves)])
    assert in_season(2, 3, ONE_SEASON, counting).label == "S01E15 (S02E03 in the name)"
    rival = order(OrderKind.DVD, [(1, 1)], [(1, n) for n in range(2, 25)], title="Disc")
    both = counting_of(ONE_SEASON.key, orders=[order(OrderKind.TV, *halves), rival])
    found = in_season(2, 3, ONE_SEASON, both)
    assert (found.place, has(found.place, ONE_SEASON)) == (Place(2, 3), False)


def test_the_owners_offset_comes_before_any_order() -> None:
    counting = counting_of(SHOW.key, [offset_from("tmdb:series:7 15 = S01E01")], orders=[ABSOLUTE])
    found = through_seasons(15, SHOW, counting)
    assert isinstance(found, Counted)
    assert found.place == Place(1, 1)


@pytest.mark.parametrize(
    ("place", "there"),
    [
        (Place(1, 12), True),
        (Place(1, 13), False),
        (Place(1, 0), False),
        (Place(3, 1), False),
        (Place(0, 40), True),
    ],
)
def test_what_a_work_has_is_known_but_for_its_specials(place: Place, there: bool) -> None:
    assert has(place, SHOW) == there


def test_nothing_is_held_against_a_work_of_unknown_seasons() -> None:
    assert has(Place(9, 9), series("Show", 2020))
    assert has(Place(1, 99), series("Show", 2020, seasons=(Season(1),)))
