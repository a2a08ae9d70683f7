"""Which season and episodes one file of a series holds, or why that cannot be said."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from capabilities.rules.episode_counting import (
    AS_SAID,
    PLAIN,
    SPECIALS,
    Counted,
    Counting,
    Unsettled,
    has,
    in_season,
    settles,
    through_seasons,
)
from capabilities.rules.episode_orders import Place
from capabilities.rules.evidence import Clue
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import Field
from capabilities.rules.sequels import as_season
from capabilities.rules.structure import structure_conflicts
from capabilities.rules.title_keys import title_key
from capabilities.rules.wording import quoted
from capabilities.rules.works import Work

BY_DATE: Final = "by its air date"
_NEAR: Final = timedelta(days=1)
"""Between the day a name says and the one its source says: what airs around midnight."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A season and episodes of it.

    Attributes:
        counted: the same in both numberings, for a person.
    """

    season: int
    episodes: tuple[int, ...]
    counted: tuple[Counted, ...] = ()

    @property
    def label(self) -> str:
        """Every episode in both numberings."""
        return ", ".join(one.label for one in self.counted)


def numbers_in(name: ReleaseName, work: Work, counting: Counting = PLAIN) -> Numbers | Unsettled:
    """The numbers of a name that stands for one file.

    A number that counts through all seasons is never turned into a season and an episode by
    guessing; it counts inside a season that the name says, or the only one the series has.
    """
    counted = places_in(name, work, counting)
    if isinstance(counted, Unsettled):
        return counted
    if not counted:
        return Unsettled("its name says no episode")
    seasons = sorted({one.place.season for one in counted})
    if len(seasons) > 1:
        return Unsettled(f"its numbers lie in seasons {_joined(seasons)}")
    return Numbers(seasons[0], tuple(one.place.episode for one in counted), tuple(counted))


def places_in(
    name: ReleaseName, work: Work, counting: Counting = PLAIN
) -> list[Counted] | Unsettled:
    """Every episode that a name counts, in both numberings; none for whole seasons."""
    name = as_season(name, work)
    conflict = next(structure_conflicts(name, work, counting), None)
    if conflict:
        owner_can = settles(work) if conflict.clue in {Clue.SEASON, Clue.EPISODE} else ""
        return Unsettled(conflict.sentence, owner_can)
    days = (name.air_date,) if name.air_date else name.air_date_readings
    if days and not name.episodes:
        return _by_date(days, work)
    numbers = name.episodes or name.absolute_episodes
    compact = _compact(name, work, counting)
    if compact is not None:
        return compact
    between = next((number for number in numbers if not float(number).is_integer()), None)
    if between is not None:
        return Unsettled(f"number {between} stands between two episodes")
    if len(name.seasons) > 1 and numbers:
        return Unsettled(f"its name says seasons {_joined(name.seasons)} for its numbers")
    counted: list[Counted] = []
    for number in numbers:
        one = _counted(int(number), name, work, counting)
        if isinstance(one, Unsettled):
            return one
        counted.append(one)
    return _title_conflict(name, counted, work) or counted


def _title_conflict(name: ReleaseName, counted: Sequence[Counted], work: Work) -> Unsettled | None:
    """Why number and title of an episode do not belong together, where both are known.

    Orders differ from source to source, and the title is what no order changes.
    """
    said = title_key(name.episode_title) if name.episode_title else ""
    if len(counted) != 1 or not said:
        return None
    titled = {
        Place(season.number, episode.number): title_key(episode.title)
        for season in work.seasons
        for episode in season.episodes
        if episode.title
    }
    others = [place for place, title in titled.items() if title == said]
    own = titled.get(counted[0].place)
    if own is None or len(others) != 1 or own in said or said in own:
        return None
    here, there = counted[0].label, Counted(others[0], None, None, AS_SAID).label
    title = quoted(name.episode_title or "")
    return Unsettled(
        f"it says {here} and the title of {there}, {title}",
        f'an offset of yours such as "{work.key} {here} = {there}"',
    )


def _counted(number: int, name: ReleaseName, work: Work, counting: Counting) -> Counted | Unsettled:
    if name.seasons:
        return in_season(name.seasons[0], number, work, counting)
    return through_seasons(number, work, counting)


def _compact(name: ReleaseName, work: Work, counting: Counting) -> Unsettled | None:
    """Why ``102`` may be two things: season 1, episode 2, and the number 102 of all."""
    said = name.said.get(Field.SEASON, "")
    if not said.isdecimal() or said != name.said.get(Field.EPISODE):
        return None
    through = through_seasons(int(said), work, counting)
    many = sum(season.episode_count for season in work.seasons if season.number != SPECIALS)
    if isinstance(through, Unsettled) and int(said) > many:
        return None
    if isinstance(through, Counted) and not has(through.place, work):
        return None
    season, episode = name.seasons[0], name.episodes[0]
    sentence = f"{said} may be season {season}, episode {episode}, and number {said} of all"
    return Unsettled(sentence, settles(work))


def _by_date(days: Sequence[date], work: Work) -> list[Counted] | Unsettled:
    """The episode of that very day, else the only one of the day before or after.

    A date that reads in several ways is the one on which something was aired.
    """
    aired = _aired(work, days, timedelta())
    near = aired or _aired(work, days, _NEAR)
    if len(near) == 1:
        return [Counted(near[0], None, None, BY_DATE)]
    many = "several episodes were" if near else "no known episode was"
    around = " or a day apart" if near and not aired else ""
    return Unsettled(f"{many} aired on {' or '.join(map(str, days))}{around}")


def _aired(work: Work, days: Sequence[date], apart: timedelta) -> list[Place]:
    return [
        Place(season.number, episode.number)
        for season in work.seasons
        for episode in season.episodes
        if episode.air_date and any(abs(episode.air_date - day) <= apart for day in days)
    ]


def _joined(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in numbers)
