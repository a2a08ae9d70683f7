"""Which packs only a person takes."""

from collections.abc import Iterator

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.reasons import Reason, Rule, rejects
from capabilities.rules.works import Work, WorkKind


def pack_reasons(name: ReleaseName, work: Work | None) -> Iterator[Reason]:
    """Refuse a pack of several seasons: it is planned by hand only.

    A name that says "complete" and no season is one too, where its work has several seasons.

    Args:
        name: as read.
        work: which it is, None where nobody knows.
    """
    held = _several_seasons(name, work)
    if held is not None:
        sentence = f"it holds {held}, and a pack of several seasons is only taken by hand"
        yield rejects(Rule.SEASONS, held, sentence)


def _several_seasons(name: ReleaseName, work: Work | None) -> str | None:
    """What it holds, in words; None for what is no pack of several seasons."""
    if name.is_season_pack and len(name.seasons) > 1:
        return f"seasons {', '.join(map(str, name.seasons))}"
    counted = name.seasons or name.episodes or name.absolute_episodes or name.air_date
    if counted or not name.complete or work is None or work.key.kind is not WorkKind.SERIES:
        return None
    regular = [season for season in work.seasons if season.number > 0]
    return f"all {len(regular)} seasons" if len(regular) > 1 else None
