"""Sizes against running time: what a tier allows and prefers per minute."""

from collections.abc import Iterator
from typing import Final

from capabilities.rules.episode_counting import PLAIN, Counting
from capabilities.rules.evidence import Identity
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.reasons import Reason, Rule, rejects
from capabilities.rules.targets import Target, targets_of
from capabilities.rules.tiers import Tier
from capabilities.rules.works import Work, WorkKind

_MEGABYTE: Final = 1_000_000


def running_minutes(
    name: ReleaseName,
    identity: Identity,
    runtime_minutes: int | None,
    counting: Counting = PLAIN,
) -> int | None:
    """Minutes of everything in the release; None where runtime or episode count is unknown.

    Args:
        name: the release; several episodes count several times.
        identity: whose work tells how many episodes a season pack has.
        runtime_minutes: of the film, or of one episode.
        counting: how the episodes of that work are counted besides their seasons.
    """
    if name.kind is not WorkKind.SERIES:
        return runtime_minutes or None
    lengths = _own_lengths(name, identity.work, runtime_minutes, counting)
    if lengths:
        return sum(lengths) if all(lengths) else None
    parts = len(name.episodes) or len(name.absolute_episodes) or 1
    return runtime_minutes * parts if runtime_minutes and not name.is_season_pack else None


def _own_lengths(
    name: ReleaseName, work: Work | None, runtime: int | None, counting: Counting
) -> list[int]:
    """Minutes of each episode in it, its own where the source says them; 0 for an unknown one."""
    targets = frozenset[Target]() if work is None else targets_of(work, name, counting)
    if work is None or not targets or {season for season, _ in targets} < set(name.seasons):
        return []
    own = {
        (season.number, episode.number): episode.runtime_minutes
        for season in work.seasons
        for episode in season.episodes
    }
    return [own.get(target) or runtime or 0 for target in targets]


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


def _out_of_bounds(tier: Tier, per_minute: int, bound: str) -> Reason:
    token = f"{_megabytes(per_minute)} MB/min"
    sentence = f'{token} is {bound} MB/min, which tier "{tier.name}" allows'
    return rejects(Rule.SIZE, token, sentence)


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:.1f}"
