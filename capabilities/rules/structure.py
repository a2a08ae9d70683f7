"""Seasons and episodes a name counts against those a series has."""

from collections.abc import Iterator

from capabilities.rules.episode_counting import (
    AS_SAID,
    PLAIN,
    SPECIALS,
    Counted,
    Counting,
    has,
    in_season,
    through_seasons,
)
from capabilities.rules.evidence import Clue, Contradiction
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.wording import counted
from capabilities.rules.works import Season, Work


def structure_conflicts(
    name: ReleaseName, work: Work, counting: Counting = PLAIN
) -> Iterator[Contradiction]:
    """Seasons the work does not have, and episodes beyond a season's or the series' end.

    Numbers that a mapping places are held to their places. A count of 0 is an unknown one, and
    specials are numbered differently everywhere: neither is held against a name.
    """
    seasons = {season.number: season for season in work.seasons}
    if not seasons:
        return
    for number in name.seasons:
        if number not in seasons and number != SPECIALS and not _is_mapped(number, name, counting):
            sentence = f"season {number} is named, and no such season is known"
            yield Contradiction(Clue.SEASON, work.key, sentence)
    if len(name.seasons) == 1:
        yield from _beyond(name, work, counting, seasons.get(name.seasons[0]))
    if name.absolute_episodes and not name.seasons:
        yield from _beyond_all(name, work, counting)


def _is_mapped(season: int, name: ReleaseName, counting: Counting) -> bool:
    """Whether an offset or an order speaks of the season that the name says."""
    numbers = _whole(name)
    offsets = (offset for offset in counting.offsets if offset.season == season)
    by_offset = any(
        not numbers or any(offset.place_of(season, number) for number in numbers)
        for offset in offsets
    )
    return by_offset or any(
        group.number == season and group.places
        for order in counting.orders
        for group in order.groups
    )


def _beyond(
    name: ReleaseName, work: Work, counting: Counting, season: Season | None
) -> Iterator[Contradiction]:
    counted = [in_season(name.seasons[0], number, work, counting) for number in _whole(name)]
    lost = [one for one in counted if not has(one.place, work)]
    if not lost or (season is None and all(one.by == AS_SAID for one in lost)):
        return  # that the season is not known is said already
    last = max(lost, key=lambda one: (one.place.season, one.place.episode))
    yield Contradiction(Clue.EPISODE, work.key, _beyond_sentence(last, work))


def _beyond_sentence(one: Counted, work: Work) -> str:
    sizes = {season.number: season.episode_count for season in work.seasons}
    size = sizes.get(one.place.season)
    end = "which is not known" if size is None else f"which has {size}"
    mapped = "" if one.by == AS_SAID else f", {one.by}"
    return f"episode {one.place.episode} is beyond season {one.place.season}, {end}{mapped}"


def _beyond_all(name: ReleaseName, work: Work, counting: Counting) -> Iterator[Contradiction]:
    counts = [season.episode_count for season in work.seasons if season.number != SPECIALS]
    last = max(name.absolute_episodes)
    placed = through_seasons(int(last), work, counting)
    if isinstance(placed, Counted) and has(placed.place, work):
        return
    if counts and all(counts) and last > sum(counts):
        sentence = f"episode {last} is beyond all {counted(sum(counts), 'episode')}"
        yield Contradiction(Clue.EPISODE, work.key, sentence)


def _whole(name: ReleaseName) -> list[int]:
    numbers = name.episodes or name.absolute_episodes
    return [int(number) for number in numbers if float(number).is_integer()]
