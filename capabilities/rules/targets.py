"""What a release is for: the film, or which episodes of a series."""

from capabilities.rules.episode_counting import PLAIN, Counting, Unsettled
from capabilities.rules.file_numbers import places_in
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.sequels import as_season
from capabilities.rules.works import Work, WorkKind

Target = tuple[int, int]
"""Season and episode; 0 and 0 for a film."""
FILM: Target = (0, 0)


def targets_of(work: Work, name: ReleaseName, counting: Counting = PLAIN) -> frozenset[Target]:
    """Everything a name covers of a work; empty where that is not known.

    Episodes are counted as `places_in` counts them. Episodes of the one season that a name says
    are taken as it says them even where the source does not know them yet; otherwise nobody
    guesses.
    """
    if work.key.kind is WorkKind.FILM:
        return frozenset({FILM})
    name = as_season(name, work)
    placed = places_in(name, work, counting)
    if isinstance(placed, Unsettled):
        return _as_said(work, name)
    found = frozenset((one.place.season, one.place.episode) for one in placed)
    return found or _whole_seasons(work, name)


def _as_said(work: Work, name: ReleaseName) -> frozenset[Target]:
    dated = name.air_date or name.air_date_readings
    if not (name.episodes or name.absolute_episodes or dated):
        return _whole_seasons(work, name)
    if len(name.seasons) != 1:
        return frozenset()
    return frozenset((name.seasons[0], number) for number in name.episodes)


def _whole_seasons(work: Work, name: ReleaseName) -> frozenset[Target]:
    counts = {season.number: season.episode_count for season in work.seasons}
    return frozenset(
        (season, number + 1) for season in name.seasons for number in range(counts.get(season, 0))
    )
