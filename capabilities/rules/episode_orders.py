"""Other orders in which the episodes of a series are counted, and absolute numbers in both ways.

An order names each episode by its place in the source's own seasons. Nothing is computed from
lengths of seasons: an episode that no order names has no absolute number.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class OrderKind(StrEnum):
    """By what an order goes (the seven kinds of TMDB's episode groups)."""

    AIRED = "aired"
    ABSOLUTE = "absolute"
    DVD = "dvd"
    DIGITAL = "digital"
    STORY = "story"
    PRODUCTION = "production"
    TV = "tv"


@dataclass(frozen=True, slots=True)
class Place:
    """An episode by season and number, as its source counts; season 0 holds the specials."""

    season: int
    episode: int


@dataclass(frozen=True, slots=True)
class OrderGroup:
    """A part of an order, such as a season on disc; number 0 holds the specials."""

    number: int
    title: str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeOrder:
    """One order of a series; its groups are empty where a list names the order only."""

    source: str
    id: str
    kind: OrderKind
    title: str
    groups: tuple[OrderGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class AbsoluteNumbers:
    """Absolute numbers and places, each of which leads to one of the other.

    Attributes:
        places: by absolute number, from 1. What an order names twice is in neither direction.
        order: title of the order that says so, to be shown beside both numbers.
    """

    places: Mapping[int, Place]
    order: str

    def place_of(self, absolute: int) -> Place | None:
        """Season and episode of an absolute number; None where the order has none."""
        return self.places.get(absolute)

    def absolute_of(self, place: Place) -> int | None:
        """The absolute number of an episode; None where the order has none."""
        return next((number for number, known in self.places.items() if known == place), None)


def absolute_numbers(order: EpisodeOrder) -> AbsoluteNumbers | None:
    """The numbering that an absolute order gives; None for orders of other kinds, and empty ones.

    The groups are counted through, one after the other. A group with number 0 holds the specials
    unless it is the only one, and is not counted; nor is one of nothing but specials.
    """
    if order.kind is not OrderKind.ABSOLUTE:
        return None
    groups = sorted(order.groups, key=lambda group: group.number)
    counted = [group for group in groups if group.number != 0 or len(groups) == 1]
    run = [
        place
        for group in counted
        if any(place.season != 0 for place in group.places)
        for place in group.places
    ]
    times = Counter(run)
    places = {number: place for number, place in enumerate(run, start=1) if times[place] == 1}
    return AbsoluteNumbers(places, order.title) if places else None
