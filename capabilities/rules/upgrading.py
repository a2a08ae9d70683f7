"""Whether one copy is worth taking in place of another, step by step.

The steps and their order are those of Radarr's and Sonarr's upgrade decision, so that a profile
keeps its meaning. What is on the shelf and what is still on its way go through the same rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.tiers import Tier


class ProperPolicy(StrEnum):
    """What a proper, a repack or a later version of the same quality is worth.

    Under `DO_NOT_PREFER` a revision counts for nothing, whoever made it: the score decides, which a
    custom format for propers can raise.
    """

    PREFER_AND_UPGRADE = "prefer_and_upgrade"
    DO_NOT_UPGRADE = "do_not_upgrade"
    DO_NOT_PREFER = "do_not_prefer"


@dataclass(frozen=True, slots=True)
class Copy:
    """What is compared of a release or of a file; both must be read from a release name.

    Attributes:
        place: of its quality tier, 0 for the best; None where no tier holds it.
        score: of its custom formats, under the policy that decides.
        revision: 1 for a first release, 2 for its proper or repack, and so on.
        repack: whether its own group made it anew, so that it mends that group's release only.
    """

    place: int | None
    score: int
    resolution: Resolution | None = None
    source: Source | None = None
    revision: int = 1
    repack: bool = False
    group: str | None = None

    @property
    def quality(self) -> tuple[Resolution | None, Source | None]:
        """Resolution and source: only within one quality does a revision count."""
        return self.resolution, self.source


def copy_of(name: ReleaseName, *, place: int | None, score: int) -> Copy:
    """What is compared of a name that was read.

    A second version that is no proper is the same group's again, like a repack.
    """
    return Copy(
        place=place,
        score=score,
        resolution=name.resolution,
        source=name.source,
        revision=name.version + name.real,
        repack=name.repack or (name.version > 1 and not name.proper),
        group=name.group,
    )


@dataclass(frozen=True, slots=True)
class Goals:
    """How far upgrades go.

    Attributes:
        upgrade_until: place of the tier at which upgrades end; None for no upgrades.
        least_score: below it nothing is taken, whatever its quality; None for any.
        upgrade_until_score: the score at which upgrades for the score alone end; None for no end.
        least_gain: points by which a score must rise to be worth another download, 1 or more.
    """

    upgrade_until: int | None
    least_score: int | None = None
    upgrade_until_score: int | None = 0
    least_gain: int = 1
    propers: ProperPolicy = ProperPolicy.PREFER_AND_UPGRADE


class Step(StrEnum):
    """The step at which the decision fell; the first that applies decides."""

    SCORE_TOO_LOW = "score_too_low"
    NO_TIER = "no_tier"
    REPACK_OF_ANOTHER = "repack_of_another_group"
    BETTER_QUALITY = "better_quality"
    WORSE_QUALITY = "worse_quality"
    HIGHER_REVISION = "higher_revision"
    NO_PROPER_UPGRADE = "no_upgrade_to_propers"
    UPGRADES_OFF = "upgrades_off"
    LOWER_REVISION = "lower_revision"
    GOAL_REACHED = "goal_reached"
    SCORE_NOT_HIGHER = "score_not_higher"
    SCORE_REACHED = "score_reached"
    GAIN_TOO_SMALL = "gain_too_small"
    HIGHER_SCORE = "higher_score"


TAKING = frozenset({Step.BETTER_QUALITY, Step.HIGHER_REVISION, Step.HIGHER_SCORE})


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The decision, the step at which it fell, and the same for a person."""

    step: Step
    sentence: str

    @property
    def taken(self) -> bool:
        """Whether the offered copy is worth taking."""
        return self.step in TAKING


def goal_of(tiers: Sequence[Tier], upgrade_until: str | None) -> int | None:
    """The place of the tier at which upgrades end; None where there are no upgrades."""
    return next((place for place, tier in enumerate(tiers) if tier.name == upgrade_until), None)


def upgrade(held: Copy, offered: Copy, goals: Goals) -> Upgrade:
    """Decide between what is held, or on its way, and what is offered."""
    return _refused_outright(held, offered, goals) or _by_quality(held, offered, goals)


def _refused_outright(held: Copy, offered: Copy, goals: Goals) -> Upgrade | None:
    if goals.least_score is not None and offered.score < goals.least_score:
        said = f"its score is {offered.score}, and {goals.least_score} is the least"
        return Upgrade(Step.SCORE_TOO_LOW, said)
    if offered.place is None:
        return Upgrade(Step.NO_TIER, "no tier of the policy holds it")
    if _is_revision(held, offered, goals) and offered.repack and not _same_group(held, offered):
        made, had = offered.group or "an unknown group", held.group or "an unknown group"
        said = f"it is a repack by {made}, which mends nothing of what {had} made"
        return Upgrade(Step.REPACK_OF_ANOTHER, said)
    return None


def _is_revision(held: Copy, offered: Copy, goals: Goals) -> bool:
    """Whether what is offered is a later revision, and revisions count for something."""
    counts = goals.propers is not ProperPolicy.DO_NOT_PREFER and held.quality == offered.quality
    return counts and offered.revision > held.revision


def _same_group(held: Copy, offered: Copy) -> bool:
    if held.group is None or offered.group is None:
        return False
    return held.group.casefold() == offered.group.casefold()


def _by_quality(held: Copy, offered: Copy, goals: Goals) -> Upgrade:
    better = _is_better(offered, held)
    open_ = goals.upgrade_until is not None and (
        held.place is None or held.place > goals.upgrade_until
    )
    if better and open_:
        return Upgrade(Step.BETTER_QUALITY, "its quality is better, and upgrades go on to there")
    if _is_better(held, offered):
        return Upgrade(Step.WORSE_QUALITY, "its quality is worse")
    return _by_revision(held, offered, goals, better=better)


def _is_better(one: Copy, other: Copy) -> bool:
    if one.place is None:
        return False
    return other.place is None or one.place < other.place


def _by_revision(held: Copy, offered: Copy, goals: Goals, *, better: bool) -> Upgrade:
    if _is_revision(held, offered, goals):
        if goals.propers is ProperPolicy.DO_NOT_UPGRADE:
            said = "it is a later revision, and those are not taken as upgrades"
            return Upgrade(Step.NO_PROPER_UPGRADE, said)
        said = f"the same quality in revision {offered.revision} instead of {held.revision}"
        return Upgrade(Step.HIGHER_REVISION, said)
    if goals.upgrade_until is None:
        return Upgrade(Step.UPGRADES_OFF, "upgrades are off")
    if _is_revision(offered, held, goals):
        said = f"it is revision {offered.revision}, and {held.revision} is here"
        return Upgrade(Step.LOWER_REVISION, said)
    if better:
        said = "its quality is better, but what is here is good enough: upgrades end below"
        return Upgrade(Step.GOAL_REACHED, said)
    return _by_score(held, offered, goals)


def _by_score(held: Copy, offered: Copy, goals: Goals) -> Upgrade:
    scores = f"its score is {offered.score}, and what is here has {held.score}"
    if held.quality == offered.quality and offered.revision > held.revision:
        scores = f"a later revision counts for nothing here, the score decides: {scores}"
    if offered.score <= held.score:
        return Upgrade(Step.SCORE_NOT_HIGHER, f"the same quality, and {scores}")
    end = goals.upgrade_until_score
    if end is not None and held.score >= end:
        return Upgrade(Step.SCORE_REACHED, f"{scores}: upgrades for the score end at {end}")
    if offered.score - held.score < goals.least_gain:
        said = f"{scores}: it must gain {goals.least_gain} at least"
        return Upgrade(Step.GAIN_TOO_SMALL, said)
    return Upgrade(Step.HIGHER_SCORE, scores)
