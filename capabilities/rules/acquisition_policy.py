"""Which releases an owner takes; its defaults are version 1, which a new home works with."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from capabilities.rules.formats import CustomFormat, Modifier
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.patience import Patience
from capabilities.rules.problems import Problem, refuse
from capabilities.rules.satisfiable import (
    list_problems,
    size_problems,
    tier_problems,
    token_problems,
)
from capabilities.rules.satisfiable_formats import format_problems, reachable
from capabilities.rules.satisfiable_languages import language_problems
from capabilities.rules.satisfiable_numbers import (
    factor_problems,
    number_problems,
    score_problems,
)
from capabilities.rules.seeding import SeedingGoals
from capabilities.rules.tiers import TIERS_V1, SizeRule, Tier, place_of, sized
from capabilities.rules.upgrading import Goals, ProperPolicy, goal_of
from capabilities.rules.works import WorkKind

REFUSED_SOURCES_V1: Final = (
    Source.CAM,
    Source.TELESYNC,
    Source.TELECINE,
    Source.SCREENER,
    Source.PRE_DVD,
    Source.WORKPRINT,
)


@dataclass(frozen=True, slots=True)
class AcquisitionPolicy:
    """Which releases are taken, and which of them first.

    Refusing beats requiring: one refused token, source, group or language rejects a release that
    meets everything else.

    Attributes:
        tiers: ranks of quality, the best first; what no tier holds is refused.
        upgrade_until: the tier at which upgrades end, None for no upgrades.
        required_tokens: words that must all stand in the name.
        required_languages: BCP 47 tags in lower case, of which the name must say at least one.
        required_groups: groups of which one must have made the release; empty for any.
        least_score: the score below which a release is refused, None for any.
        least_seeders: refused below; a number the indexer does not say is not zero.
        free_leech_only: refused unless the indexer says that the download is not counted.
        delay_minutes: how long after its publication a release waits for better ones.
        most_age_days: refused when published earlier, None for any.
        upgrade_until_score: the score at which upgrades for the score alone end, None for no end.
        least_gain: points by which a score must rise to be worth another download.
        propers: what a later revision of the same quality is worth.
        sizes: sizes a minute for one kind of work, in place of the tiers' own.
        most_download_factor: refused when more of the download is counted (0 is free, 1 is all),
            or when the indexer does not say how much; None for any.
        undelayed_top_tier: whether a release of the best tier does not wait.
        undelayed_score: a score from which a release does not wait, None for none.
        refused_modifiers: what is refused within its source, e.g. discs that nobody encoded.
        patience: how long a download may give nothing.
        seeding: what a download is to give back, and what becomes of it then.

    Raises:
        UnsatisfiableError: no release can ever meet the policy, or a part of it says nothing; all
            that is wrong is in it.
    """

    tiers: tuple[Tier, ...] = TIERS_V1
    upgrade_until: str | None = "Blu-ray 1080p"
    required_tokens: tuple[str, ...] = ()
    refused_tokens: tuple[str, ...] = ()
    refused_sources: tuple[Source, ...] = REFUSED_SOURCES_V1
    required_languages: tuple[str, ...] = ()
    refused_languages: tuple[str, ...] = ()
    required_groups: tuple[str, ...] = ()
    refused_groups: tuple[str, ...] = ()
    formats: tuple[CustomFormat, ...] = ()
    least_score: int | None = None
    least_seeders: int = 1
    free_leech_only: bool = False
    delay_minutes: int = 0
    most_age_days: int | None = None
    upgrade_until_score: int | None = 0
    least_gain: int = 1
    propers: ProperPolicy = ProperPolicy.PREFER_AND_UPGRADE
    sizes: tuple[SizeRule, ...] = ()
    most_download_factor: float | None = None
    undelayed_top_tier: bool = False
    undelayed_score: int | None = None
    refused_modifiers: tuple[Modifier, ...] = (Modifier.DISC,)
    patience: Patience = field(default_factory=Patience)
    seeding: SeedingGoals = field(default_factory=SeedingGoals)

    def __post_init__(self) -> None:
        """Refuse what cannot be met."""
        refuse(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from tier_problems(self.tiers, self.upgrade_until, self.refused_sources)
        yield from size_problems(self.sizes, self.tiers)
        yield from list_problems("tokens", self.required_tokens, self.refused_tokens, any_of=False)
        yield from list_problems(
            "languages", self.required_languages, self.refused_languages, any_of=True
        )
        yield from language_problems(self.required_languages, self.refused_languages)
        yield from list_problems("groups", self.required_groups, self.refused_groups, any_of=True)
        yield from token_problems(self.required_tokens, self.tiers, self.refused_sources)
        yield from format_problems(self.formats, self.least_score)
        yield from number_problems(
            self.least_seeders, self.delay_minutes, self.most_age_days, self.least_gain
        )
        yield from score_problems(
            least_score=self.least_score,
            upgrade_until_score=self.upgrade_until_score,
            undelayed_score=self.undelayed_score,
        )
        yield from factor_problems(self.most_download_factor, free_leech_only=self.free_leech_only)
        if self.undelayed_score is not None and self.undelayed_score > reachable(self.formats):
            why = f"a score of {self.undelayed_score} is more than the formats reach"
            yield Problem("undelayed_score", why, "lower it, or leave it out")

    @property
    def goals(self) -> Goals:
        """How far upgrades go."""
        return Goals(
            upgrade_until=goal_of(self.tiers, self.upgrade_until),
            least_score=self.least_score,
            upgrade_until_score=self.upgrade_until_score,
            least_gain=self.least_gain,
            propers=self.propers,
        )

    @property
    def most_counted(self) -> float | None:
        """The share of a download that may be counted at most; None for any."""
        return 0.0 if self.free_leech_only else self.most_download_factor

    def tier_of(
        self, resolution: Resolution | None, source: Source | None, kind: WorkKind | None
    ) -> tuple[int | None, Tier | None]:
        """The place and the tier that holds this quality, with the sizes for a kind of work."""
        place = place_of(self.tiers, resolution, source)
        return place, None if place is None else sized(self.tiers[place], self.sizes, kind)
