"""Quality tiers: which resolutions and sources a household ranks alike, and how big they may be."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from capabilities.rules.names.vocabulary import Resolution, Source
from capabilities.rules.works import WorkKind


@dataclass(frozen=True, slots=True)
class Tier:
    """One rank of quality: every one of its resolutions with every one of its sources.

    Attributes:
        resolutions: None among them stands for a name that says no resolution.
        sources: None among them stands for a name that says no source.
        least_per_minute: bytes a minute of running time below which a release is refused.
        most_per_minute: bytes a minute above which it is refused.
        preferred_per_minute: bytes a minute that ranking prefers among equals.
    """

    name: str
    resolutions: tuple[Resolution | None, ...]
    sources: tuple[Source | None, ...]
    least_per_minute: int | None = None
    most_per_minute: int | None = None
    preferred_per_minute: int | None = None

    def holds(self, resolution: Resolution | None, source: Source | None) -> bool:
        """Whether a release of this resolution and source belongs here."""
        return resolution in self.resolutions and source in self.sources


@dataclass(frozen=True, slots=True)
class SizeRule:
    """Sizes a minute of one tier for one kind of work, in place of the tier's own."""

    tier: str
    kind: WorkKind
    least_per_minute: int | None = None
    most_per_minute: int | None = None
    preferred_per_minute: int | None = None


def sized(tier: Tier, rules: Sequence[SizeRule], kind: WorkKind | None) -> Tier:
    """The tier with the sizes that hold for a kind of work."""
    for rule in rules:
        if rule.tier == tier.name and rule.kind is kind:
            return replace(
                tier,
                least_per_minute=rule.least_per_minute,
                most_per_minute=rule.most_per_minute,
                preferred_per_minute=rule.preferred_per_minute,
            )
    return tier


def place_of(
    tiers: Sequence[Tier], resolution: Resolution | None, source: Source | None
) -> int | None:
    """The place of the first tier that holds them, 0 for the best; None if none does."""
    places = (place for place, tier in enumerate(tiers) if tier.holds(resolution, source))
    return next(places, None)


_MEGABYTE: Final = 1_000_000
_DISC: Final = (Source.BLURAY, Source.HD_DVD)
_WEB: Final = (Source.WEB_DL, Source.WEBRIP, Source.WEB, Source.VOD)
_BROADCAST: Final = (Source.HDTV, Source.HDRIP, Source.TV, Source.PPV)
_ANY: Final = (*_DISC, *_WEB, *_BROADCAST, None)
_SMALL: Final = (Resolution.P576, Resolution.P540, Resolution.P480, Resolution.P360, None)

TIERS_V1: Final = (
    Tier(
        "Blu-ray 1080p",
        (Resolution.P1080,),
        _DISC,
        most_per_minute=400 * _MEGABYTE,
        preferred_per_minute=80 * _MEGABYTE,
    ),
    Tier(
        "Web 1080p",
        (Resolution.P1080,),
        _WEB,
        most_per_minute=200 * _MEGABYTE,
        preferred_per_minute=50 * _MEGABYTE,
    ),
    Tier(
        "Broadcast 1080p",
        (Resolution.P1080,),
        (*_BROADCAST, None),
        most_per_minute=200 * _MEGABYTE,
    ),
    Tier("Remux 1080p", (Resolution.P1080,), (Source.REMUX,), most_per_minute=500 * _MEGABYTE),
    Tier(
        "2160p",
        (Resolution.P2160, Resolution.P1440),
        (*_ANY, Source.REMUX),
        most_per_minute=1_200 * _MEGABYTE,
    ),
    Tier("720p", (Resolution.P720,), (*_ANY, Source.REMUX), most_per_minute=200 * _MEGABYTE),
    Tier("SD", _SMALL, (Source.DVD, Source.REMUX, *_ANY), most_per_minute=120 * _MEGABYTE),
)
"""1080p first; 2160p and smaller pictures only where there is no 1080p.

The bounds keep out what is several times the usual size; at the top of each lies a full disc.
"""
