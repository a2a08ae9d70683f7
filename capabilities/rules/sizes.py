"""Sizes against running time: what a tier allows and prefers per minute."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from statistics import median
from typing import Final

from capabilities.rules.episode_counting import PLAIN, Counting
from capabilities.rules.evidence import Identity
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.reasons import Reason, Rule, notes, rejects
from capabilities.rules.targets import Target, targets_of
from capabilities.rules.tiers import Tier
from capabilities.rules.works import Work, WorkKind

PILOT_MINUTES: Final = 45
"""Of a first episode that is just on the air, whose length no source says yet."""
_NEW: Final = timedelta(days=1)
_PILOT: Final[Target] = (1, 1)
_MEGABYTE: Final = 1_000_000


def running_minutes(
    name: ReleaseName,
    identity: Identity,
    runtime_minutes: int | None,
    counting: Counting = PLAIN,
    now: datetime | None = None,
) -> int | None:
    """Minutes of everything in the release; None where runtime or episode count is unknown.

    An episode whose length nobody says is as long as the middle one of its season. A first episode
    that is on the air today is taken for `PILOT_MINUTES`, as Sonarr takes it.

    Args:
        name: the release; several episodes count several times.
        identity: whose work tells how many episodes a season pack has.
        runtime_minutes: of the film, or of one episode.
        counting: how the episodes of that work are counted besides their seasons.
        now: with its time zone, where it is known.
    """
    if name.kind is not WorkKind.SERIES:
        return runtime_minutes or None
    work = identity.work
    targets = frozenset[Target]() if work is None else targets_of(work, name, counting)
    lengths = [] if work is None else _own_lengths(name, work, runtime_minutes, targets)
    if work is not None and lengths == [0] and _PILOT in targets and _is_new(work, now):
        return PILOT_MINUTES
    if lengths:
        return sum(lengths) if all(lengths) else None
    parts = len(name.episodes) or len(name.absolute_episodes) or 1
    return runtime_minutes * parts if runtime_minutes and not name.is_season_pack else None


def _own_lengths(
    name: ReleaseName, work: Work, runtime: int | None, targets: frozenset[Target]
) -> list[int]:
    """Minutes of each episode in it, its own where the source says them; 0 for an unknown one."""
    if not targets or {season for season, _ in targets} < set(name.seasons):
        return []
    own = {
        (season.number, episode.number): episode.runtime_minutes
        for season in work.seasons
        for episode in season.episodes
        if episode.runtime_minutes
    }
    return [own.get(target) or runtime or _usual(own, target[0]) for target in targets]


def _usual(own: Mapping[Target, int], season: int) -> int:
    """Minutes of the middle episode of a season; 0 where no length of it is known."""
    known = [minutes for (number, _), minutes in own.items() if number == season]
    return round(median(known)) if known else 0


def _is_new(work: Work, now: datetime | None) -> bool:
    days = [
        episode.air_date
        for season in work.seasons
        for episode in season.episodes
        if (season.number, episode.number) == _PILOT
    ]
    return now is not None and any(day and abs(day - now.date()) <= _NEW for day in days)


def preferred_size(tier: Tier | None, minutes: int | None) -> int | None:
    """Bytes that ranking prefers for this running time, where the tier says so."""
    if tier is None or tier.preferred_per_minute is None or minutes is None:
        return None
    return tier.preferred_per_minute * minutes


def size_reasons(tier: Tier | None, size: int | None, minutes: int | None) -> Iterator[Reason]:
    """What the tier's bounds say; an unknown size or running time is held against nobody."""
    if tier is None or size is None or minutes is None:
        return
    per_minute = size // minutes
    if tier.least_per_minute is not None and per_minute < tier.least_per_minute:
        yield _out_of_bounds(tier, per_minute, f"less than {_megabytes(tier.least_per_minute)}")
    if tier.most_per_minute is not None and per_minute > tier.most_per_minute:
        yield _out_of_bounds(tier, per_minute, f"more than {_megabytes(tier.most_per_minute)}")


def unmeasured_reasons(
    tier: Tier | None,
    size: int | None,
    minutes: int | None,
    work: Work | None,
    targets: frozenset[Target],
) -> Iterator[Reason]:
    """What a size comes to that the tier bounds by the minute, when the minutes are not known.

    It is refused, as Radarr and Sonarr refuse it, where the source was asked and says no length.
    Where nobody asked, because the work or the episodes of the season are not known here, it is
    only said.
    """
    if tier is None or size is None or minutes is not None or not _is_bounded(tier):
        return
    if work is None or not _was_asked(work, targets):
        sentence = "its running time is not known here, so its size was not measured"
        yield notes(Rule.SIZE, "unknown", sentence)
        return
    sentence = (
        f'no source says how long it runs, so nobody can tell whether tier "{tier.name}" allows '
        "its size"
    )
    yield rejects(Rule.SIZE, "unknown", sentence)


def _is_bounded(tier: Tier) -> bool:
    return tier.least_per_minute is not None or tier.most_per_minute is not None


def _was_asked(work: Work, targets: frozenset[Target]) -> bool:
    """Whether the source was asked for the lengths: a series is kept without its episodes."""
    if work.key.kind is WorkKind.FILM:
        return True
    listed = {season.number for season in work.seasons if season.episodes}
    return bool(targets) and {season for season, _ in targets} <= listed


def _out_of_bounds(tier: Tier, per_minute: int, bound: str) -> Reason:
    token = f"{_megabytes(per_minute)} MB/min"
    sentence = f'{token} is {bound} MB/min, which tier "{tier.name}" allows'
    return rejects(Rule.SIZE, token, sentence)


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:.1f}"
