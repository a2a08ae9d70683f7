"""Two copies of one film or episode, compared by what they are and not only by what they say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.labels import quality_words
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import Resolution
from capabilities.rules.owned_names import owned_name
from capabilities.rules.recognition.words import Word
from capabilities.rules.stored import found_from
from capabilities.rules.upgrading import Copy, Upgrade, upgrade
from capabilities.rules.verdicts import copy_judged
from capabilities.rules.works import Work

_LEAST: Final = (
    (Resolution.P4320, 6800, 3800),
    (Resolution.P2160, 3200, 1800),
    (Resolution.P1440, 2300, 1300),
    (Resolution.P1080, 1700, 950),
    (Resolution.P720, 1160, 650),
    (Resolution.P576, 1000, 560),
)
"""Width or height from which a picture counts; films leave bars out, old ones the sides."""


def real_resolution(width: int, height: int) -> Resolution | None:
    """What a picture is; None where it has no size."""
    if width <= 0 or height <= 0:
        return None
    fits = (one for one, wide, high in _LEAST if width >= wide or height >= high)
    return next(fits, Resolution.P480)


@dataclass(frozen=True, slots=True)
class RealCopy:
    """One side of a comparison.

    Attributes:
        copy: what the upgrade rules look at.
        quality: the same for a person, e.g. ``WEBDL-1080p``.
    """

    copy: Copy
    quality: str

    def __str__(self) -> str:
        return f"{self.quality or 'unknown quality'}, score {self.copy.score}"


def real_copy(
    name: ReleaseName,
    found: Mapping[str, Any] | None,
    streams: tuple[int, int] | None,
    policy: AcquisitionPolicy,
    work: Work,
) -> RealCopy:
    """A copy by its remembered release, with the resolution that its picture really has.

    Args:
        name: of the release; of the file, where nobody remembers one.
        found: its offer, where it is kept.
        streams: width and height of the picture; None where nobody has read it.
        policy: under which both sides are scored.
        work: which it is.
    """
    seen = None if streams is None else real_resolution(*streams)
    real = name if seen is None else replace(name, resolution=seen)
    offer = None if found is None else found_from(dict(found))
    return RealCopy(copy_judged(offer, real, policy, work=work), quality_words(real))


def remembered(title: str, words: Sequence[Word]) -> ReleaseName:
    """The name of a release, as its owner has names read."""
    return owned_name(title, words).name


def better(held: RealCopy, offered: RealCopy, policy: AcquisitionPolicy) -> Upgrade:
    """Whether one is worth taking in place of the other; it names both sides and their scores."""
    verdict = upgrade(held.copy, offered.copy, policy.goals)
    return replace(verdict, sentence=f"this is {offered}, and there is {held}: {verdict.sentence}")
