"""Which of the judged offers to take for what is missing in the scope of a search."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from capabilities.release.judging import Judged
from capabilities.release.standard import Standard
from capabilities.rules.choosing import Choice, Chosen, Waiting, choose, waiting
from capabilities.rules.missing import EpisodeRange, Missing, Wanted, missing
from capabilities.rules.ranking import rank
from capabilities.rules.targets import Target
from capabilities.rules.works import Season, Work, WorkKind

UNCERTAIN = "it is not certain that it is this work; identity__resolve settles that"


@dataclass(frozen=True, slots=True)
class Scope:
    """What of a work is asked for: an episode, a season, or all that there is."""

    season: int | None = None
    episode: int | None = None

    def of(self, work: Work) -> Wanted:
        """As something wanted of the work; a film has no parts."""
        if work.key.kind is WorkKind.FILM or self.season is None:
            return Wanted()
        wanted = (
            EpisodeRange() if self.episode is None else EpisodeRange(self.episode, self.episode)
        )
        return Wanted({self.season: wanted})

    def unknown(self, work: Work) -> str | None:
        """What of it its metadata source does not know, for a person; None where it knows all."""
        if work.key.kind is WorkKind.FILM or self.season is None:
            return None
        counts = {season.number: _episodes(season) for season in work.seasons}
        if self.season not in counts:
            known = ", ".join(str(number) for number in sorted(counts) if number)
            which = f"it has {known}" if known else "it has none"
            return f"its metadata source does not know season {self.season}: {which}"
        if self.episode is not None and self.episode > counts[self.season]:
            has = f"it has {counts[self.season]}"
            return f"season {self.season} has no episode {self.episode} that is known: {has}"
        return None


def _episodes(season: Season) -> int:
    return max((season.episode_count, *(one.number for one in season.episodes)))


@dataclass(frozen=True, slots=True)
class Selection:
    """What is missing, and what becomes of every accepted offer, by its rank.

    Attributes:
        taken: one release for each missing target that is on offer.
        passed: why the other accepted ones are not taken.
        waiting: what is taken later for targets of which nothing is taken now.
        uncovered: missing, and neither taken nor waiting.
        wholes: by season, how many episodes it has.
        unknown: what was asked for and its metadata source does not know, for a person.
    """

    missing: Missing
    taken: Mapping[int, Chosen]
    passed: Mapping[int, str]
    waiting: Mapping[int, Waiting]
    uncovered: frozenset[Target]
    wholes: Mapping[int, int]
    unknown: str | None = None


def selection(
    ranked: Sequence[Judged], work: Work, scope: Scope, by: Standard, today: date
) -> Selection:
    """Work out what is missing, and choose for it.

    Args:
        ranked: as `judging.judged` made them.
        work: that was asked for, with the episodes of the seasons whose air dates matter.
        scope: what of it was asked for.
        by: with what is there of the work.
        today: in the time zone of the ledger.
    """
    left = missing(
        work, scope.of(work), on_disk=by.on_shelf, in_flight=by.around.in_flight, today=today
    )
    certain = rank([one.candidate for one in ranked if one.is_work(by)])
    rank_of = {id(one.candidate): one.rank for one in ranked}
    coming = frozenset(by.around.in_flight)
    made = choose(certain, left.targets, held=by.on_shelf, coming=coming)
    busy = coming.union(*(one.candidate.judgement.targets for one in made.chosen))
    later = waiting(certain, made.uncovered, held=by.on_shelf, coming=busy)
    return Selection(
        missing=left,
        taken={rank_of[id(one.candidate)]: one for one in made.chosen},
        passed=dict(_passed(ranked, made, rank_of, by)),
        waiting={rank_of[id(one.candidate)]: one for one in later},
        uncovered=made.uncovered.difference(*(one.targets for one in later)),
        wholes={season.number: season.episode_count for season in work.seasons},
        unknown=scope.unknown(work),
    )


def _passed(
    ranked: Sequence[Judged], made: Choice, rank_of: Mapping[int, int], by: Standard
) -> Iterator[tuple[int, str]]:
    for candidate, why in made.passed:
        yield rank_of[id(candidate)], why
    for one in ranked:
        if one.accepted and not one.is_work(by):
            yield one.rank, UNCERTAIN
