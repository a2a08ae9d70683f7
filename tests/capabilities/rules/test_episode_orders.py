import pytest

from capabilities.rules.episode_orders import (
    EpisodeOrder,
    OrderGroup,
    OrderKind,
    Place,
    absolute_numbers,
)


def order(*groups: OrderGroup, kind: OrderKind = OrderKind.ABSOLUTE) -> EpisodeOrder:
    return EpisodeOrder("tmdb", "ab", kind, "Absolute Order", groups)


SPECIALS = OrderGroup(0, "Specials", (Place(0, 1), Place(0, 2)))
FIRST = OrderGroup(1, "One", (Place(1, 1), Place(1, 2)))
SECOND = OrderGroup(2, "Two", (Place(2, 1), Place(2, 2), Place(3, 1)))


def test_groups_are_counted_through_and_specials_are_not_counted() -> None:
    numbers = absolute_numbers(order(SECOND, SPECIALS, FIRST))
    assert numbers is not None
    assert [numbers.place_of(n) for n in range(1, 6)] == [*FIRST.places, *SECOND.places]
    assert numbers.absolute_of(Place(3, 1)) == 5
    assert (numbers.place_of(6), numbers.place_of(0)) == (None, None)
    assert numbers.absolute_of(Place(0, 1)) is None
    assert numbers.order == "Absolute Order"


def test_a_special_in_the_run_keeps_its_number() -> None:
    numbers = absolute_numbers(order(OrderGroup(1, "All", (Place(1, 1), Place(0, 4), Place(1, 2)))))
    assert numbers is not None
    assert (numbers.place_of(2), numbers.absolute_of(Place(1, 2))) == (Place(0, 4), 3)


def test_an_only_group_is_counted_whatever_its_number() -> None:
    numbers = absolute_numbers(order(OrderGroup(0, "All", FIRST.places)))
    assert numbers is not None
    assert numbers.place_of(2) == Place(1, 2)


def test_an_episode_that_is_named_twice_has_no_number_and_the_others_keep_theirs() -> None:
    twice = OrderGroup(1, "All", (Place(1, 1), Place(1, 2), Place(1, 1), Place(1, 3)))
    numbers = absolute_numbers(order(twice))
    assert numbers is not None
    assert [numbers.place_of(n) for n in range(1, 5)] == [None, Place(1, 2), None, Place(1, 3)]
    assert numbers.absolute_of(Place(1, 1)) is None


@pytest.mark.parametrize("kind", [kind for kind in OrderKind if kind is not OrderKind.ABSOLUTE])
def test_orders_of_other_kinds_give_no_absolute_numbers(kind: OrderKind) -> None:
    assert absolute_numbers(order(FIRST, kind=kind)) is None


def test_an_order_of_nothing_but_specials_gives_none() -> None:
    assert absolute_numbers(order(SPECIALS)) is None
    assert absolute_numbers(order()) is None
