"""What is missing of a work on the shelf: what is wanted, or belongs to a season that is there."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from capabilities.rules.missing import EpisodeRange, Wanted, missing
from capabilities.rules.targets import Target
from capabilities.rules.works import Work, WorkKind


@dataclass(frozen=True, slots=True)
class Gaps:
    """What is not there though it could be.

    Attributes:
        targets: season and episode, both 0 for a film.
        airs_next: the day on which the next episode of such a season comes out, if it is known.
    """

    targets: frozenset[Target]
    airs_next: date | None = None

    @property
    def by_season(self) -> dict[str, list[int]]:
        """The episodes by the number of their season, in order."""
        told: dict[str, list[int]] = {}
        for season, episode in sorted(self.targets):
            told.setdefault(str(season), []).append(episode)
        return told


def shelf_gaps(
    work: Work, *, there: Collection[Target], wanted: Collection[Target], today: date
) -> Gaps:
    """The gaps of a work.

    A season counts once an episode of it is there or wanted, and what has not aired is no gap of
    it. Specials are a gap only where one is wanted itself.

    Args:
        work: with its seasons, as its source knows them now.
        there: what the files hold, and what slots say is there.
        wanted: every slot, filled or not.
        today: where the household lives.
    """
    held = {*there}
    targets = {*wanted} - held
    if work.key.kind is WorkKind.FILM:
        return Gaps(frozenset(targets))
    begun = {season for season, _ in {*wanted, *held} if season}
    known = [season for season in work.seasons if season.number in begun]
    if known:
        ranges = {season.number: EpisodeRange() for season in known}
        owed = missing(work, Wanted(ranges), on_disk=held, in_flight=(), today=today)
        targets |= owed.targets
    to_come = [
        episode.air_date
        for season in known
        for episode in season.episodes
        if episode.air_date is not None and episode.air_date > today
    ]
    return Gaps(frozenset(targets), min(to_come, default=None))
