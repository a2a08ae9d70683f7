"""Which season and episodes one file of a series holds, or why that cannot be said."""

from collections.abc import Sequence
from dataclasses import dataclass

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.structure import SPECIALS, structure_conflicts
from capabilities.rules.works import Work


@dataclass(frozen=True, slots=True)
class Numbers:
    """A season and episodes of it."""

    season: int
    episodes: tuple[int, ...]


def numbers_in(name: ReleaseName, work: Work) -> Numbers | str:
    """The numbers, or a sentence that says what is missing or wrong.

    A number that counts through all seasons is never turned into a season and an episode by
    guessing; it counts inside a season that the name says, or the only one the series has.
    """
    conflict = next(structure_conflicts(name, work), None)
    if conflict:
        return conflict.sentence
    if name.air_date and not name.episodes:
        return _by_date(name, work)
    numbers = name.episodes or name.absolute_episodes
    if not numbers:
        return "its name says no episode"
    whole = tuple(int(number) for number in numbers if float(number).is_integer())
    if len(whole) < len(numbers):
        return f"number {numbers[0]} stands between two episodes"
    season = _season(name, work)
    if season is None:
        return f"its name says no season for number {_joined(whole)}, and a mapping is needed"
    return Numbers(season, whole)


def _season(name: ReleaseName, work: Work) -> int | None:
    if name.seasons:
        return name.seasons[0] if len(name.seasons) == 1 else None
    regular = [season.number for season in work.seasons if season.number != SPECIALS]
    return regular[0] if len(regular) == 1 else None


def _by_date(name: ReleaseName, work: Work) -> Numbers | str:
    aired = [
        Numbers(season.number, (episode.number,))
        for season in work.seasons
        for episode in season.episodes
        if episode.air_date == name.air_date
    ]
    if len(aired) == 1:
        return aired[0]
    many = "several episodes were" if aired else "no known episode was"
    return f"{many} aired on {name.air_date}"


def _joined(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in numbers)
