"""Whether everything that a season pack claims to hold can exist yet."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Final

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.reasons import Reason, Rule, waits
from capabilities.rules.works import Work

AHEAD: Final = timedelta(days=1)
"""By which an episode may be ahead of its air date: dates are those of another time zone."""


def airing_reasons(name: ReleaseName, work: Work | None, now: datetime | None) -> Iterator[Reason]:
    """Refuse a pack of a season of which an episode has not aired; time takes that away.

    Where no air date is known, nothing is held against it.
    """
    if work is None or now is None or not name.is_season_pack:
        return
    for season in work.seasons:
        if season.number not in name.seasons:
            continue
        dates = [one.air_date for one in season.episodes if one.air_date is not None]
        if dates and max(dates) > (now + AHEAD).date():
            said = f"it claims all of season {season.number}, of which an episode airs on"
            sentence = f"{said} {max(dates).isoformat()}"
            until = datetime.combine(max(dates), time(), now.tzinfo) - AHEAD
            yield waits(Rule.UNAIRED, name.text, sentence, until)
