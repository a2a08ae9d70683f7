"""Seasons and episodes a name counts against those a series has."""

from collections.abc import Iterator

from capabilities.rules.evidence import Clue, Contradiction
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.works import Season, Work

SPECIALS = 0


def structure_conflicts(name: ReleaseName, work: Work) -> Iterator[Contradiction]:
    """Seasons the work does not have, and episodes beyond a season's or the series' end.

    A count of 0 is an unknown one, and specials are numbered differently everywhere: neither is
    held against a name.
    """
    seasons = {season.number: season for season in work.seasons}
    if not seasons:
        return
    for number in name.seasons:
        if number not in seasons and number != SPECIALS:
            sentence = f"season {number} is named, and no such season is known"
            yield Contradiction(Clue.SEASON, work.key, sentence)
    if len(name.seasons) == 1 and name.seasons[0] in seasons:
        yield from _beyond(name, work, seasons[name.seasons[0]])
    if name.absolute_episodes and not name.seasons:
        yield from _beyond_all(name, work)


def _beyond(name: ReleaseName, work: Work, season: Season) -> Iterator[Contradiction]:
    numbers = name.episodes or name.absolute_episodes
    if season.number == SPECIALS or not season.episode_count or not numbers:
        return
    if max(numbers) > season.episode_count:
        sentence = (
            f"episode {max(numbers)} is beyond season {season.number},"
            f" which has {season.episode_count}"
        )
        yield Contradiction(Clue.EPISODE, work.key, sentence)


def _beyond_all(name: ReleaseName, work: Work) -> Iterator[Contradiction]:
    counts = [season.episode_count for season in work.seasons if season.number != SPECIALS]
    if counts and all(counts) and max(name.absolute_episodes) > sum(counts):
        sentence = f"episode {max(name.absolute_episodes)} is beyond all {sum(counts)} episodes"
        yield Contradiction(Clue.EPISODE, work.key, sentence)
