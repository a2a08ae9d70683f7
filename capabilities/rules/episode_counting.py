"""A name's episodes as places in a series' own seasons: read off, mapped, never guessed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from capabilities.rules.episode_offsets import EpisodeOffset
from capabilities.rules.episode_orders import (
    AbsoluteNumbers,
    EpisodeOrder,
    OrderKind,
    Place,
    absolute_numbers,
)
from capabilities.rules.wording import quoted
from capabilities.rules.works import Season, Work, WorkKey

SPECIALS: Final = 0
AS_SAID: Final = "as the name says"
YOUR_OFFSET: Final = "by your offset"
YOUR_WORD: Final = "by your word that its numbers count through the seasons"
ONLY_SEASON: Final = "in the only season there is"


@dataclass(frozen=True, slots=True)
class Counting:
    """How the episodes of one work are counted besides its seasons.

    Attributes:
        offsets: the owner's own, of this work.
        absolute: what an absolute order at the source says.
        orders: the source's other orders, whose groups may be the seasons that names say.
        through: whether the owner confirmed that numbers count through the seasons as listed.
    """

    offsets: tuple[EpisodeOffset, ...] = ()
    absolute: AbsoluteNumbers | None = None
    orders: tuple[EpisodeOrder, ...] = ()
    through: bool = False


PLAIN: Final = Counting()


@dataclass(frozen=True, slots=True)
class Counted:
    """One episode in both numberings.

    Attributes:
        absolute: its number through all seasons, None where nothing says it.
        said: how the name writes it, where that is another number.
        by: what the place rests on, for a person.
    """

    place: Place
    absolute: int | None
    said: str | None
    by: str

    @property
    def label(self) -> str:
        """Both numbers: ``S02E03 (27)``, or ``S01E13 (S02E01 in the name)``."""
        code = f"S{self.place.season:02}E{self.place.episode:02}"
        if self.said is not None and self.said != str(self.absolute):
            return f"{code} ({self.said} in the name)"
        return code if self.absolute is None else f"{code} ({self.absolute})"


@dataclass(frozen=True, slots=True)
class Unsettled:
    """Why it is not known which episodes are meant.

    Attributes:
        settles: what would settle it; empty where nothing that the owner can say would.
    """

    sentence: str
    settles: str = ""


def counting_of(
    key: WorkKey,
    offsets: Iterable[EpisodeOffset] = (),
    through: Iterable[str] = (),
    orders: Sequence[EpisodeOrder] = (),
) -> Counting:
    """What the owner and the source say of one work.

    Several absolute orders that say different things say nothing.
    """
    known = [numbers for order in orders if (numbers := absolute_numbers(order))]
    agree = known and all(one.places == known[0].places for one in known)
    return Counting(
        tuple(offset for offset in offsets if offset.work == str(key)),
        known[0] if agree else None,
        tuple(order for order in orders if order.kind is not OrderKind.ABSOLUTE),
        str(key) in set(through),
    )


def has(place: Place, work: Work) -> bool:
    """Whether the work has the episode, as far as it is known; a count of 0 is an unknown one."""
    season = _season(place.season, work)
    if season is None:
        return place.season == SPECIALS or not work.seasons
    known = season.number != SPECIALS and season.episode_count
    return not known or 1 <= place.episode <= season.episode_count


def in_season(season: int, number: int, work: Work, counting: Counting) -> Counted:
    """The place of a number that the name gives a season; the work need not have it."""
    said = Place(season, number)
    place, by = _by_offset(season, number, counting), YOUR_OFFSET
    if place is None and not has(said, work):
        place, by = _by_orders(said, work, counting)
    if place is None:
        return Counted(said, _absolute(said, work, counting), None, AS_SAID)
    wrote = f"S{season:02}E{number:02}"
    return Counted(place, _absolute(place, work, counting), wrote if place != said else None, by)


def through_seasons(number: int, work: Work, counting: Counting) -> Counted | Unsettled:
    """The place of a number that the name gives no season."""
    place, by = _by_offset(None, number, counting), YOUR_OFFSET
    if place is None and counting.absolute is not None:
        place, by = counting.absolute.place_of(number), _order(counting.absolute.order)
    if place is None and counting.through:
        place, by = _by_sizes(number, work), YOUR_WORD
    regular = _regular(work)
    if place is None and len(regular) == 1:
        place, by = Place(regular[0].number, number), ONLY_SEASON
    if place is not None:
        return Counted(place, number, str(number), by)
    return Unsettled(
        f"its name says no season for number {number}, and a mapping is needed", settles(work)
    )


def settles(work: Work) -> str:
    """What would tell where numbers of a name stand in the work's seasons."""
    return (
        "an absolute order at the metadata source, an offset of yours such as "
        f'"{work.key} 25-47 = S02E01", or your word that its numbers count through the seasons'
    )


def _by_offset(season: int | None, number: int, counting: Counting) -> Place | None:
    found = (offset.place_of(season, number) for offset in counting.offsets)
    return next((place for place in found if place is not None), None)


def _by_orders(said: Place, work: Work, counting: Counting) -> tuple[Place | None, str]:
    """Where the source's other orders put it; only what all of them that know it agree on."""
    found = {
        place: order.title
        for order in counting.orders
        for place in _in_order(said, order)
        if has(place, work)
    }
    if len(found) != 1:
        return None, ""
    ((place, title),) = found.items()
    return place, _order(title)


def _in_order(said: Place, order: EpisodeOrder) -> Iterator[Place]:
    for group in order.groups:
        if group.number == said.season and 1 <= said.episode <= len(group.places):
            yield group.places[said.episode - 1]


def _order(title: str) -> str:
    return f"by the order {quoted(title)} of the metadata source"


def _absolute(place: Place, work: Work, counting: Counting) -> int | None:
    if counting.absolute is not None:
        return counting.absolute.absolute_of(place)
    if not counting.through or place.season == SPECIALS:
        return None
    before = [season for season in _regular(work) if season.number < place.season]
    if not all(season.episode_count for season in before):
        return None
    return sum(season.episode_count for season in before) + place.episode


def _by_sizes(number: int, work: Work) -> Place | None:
    left = number
    for season in _regular(work):
        if not season.episode_count:
            return None
        if left <= season.episode_count:
            return Place(season.number, left) if left > 0 else None
        left -= season.episode_count
    return None


def _season(number: int, work: Work) -> Season | None:
    return next((season for season in work.seasons if season.number == number), None)


def _regular(work: Work) -> list[Season]:
    regular = [season for season in work.seasons if season.number != SPECIALS]
    return sorted(regular, key=lambda season: season.number)
