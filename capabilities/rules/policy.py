"""What an owner has decided beforehand: acquisition, identity, organize and automation policies.

The defaults are version 1 of each, which a new home works with before anyone tunes it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from capabilities.rules.evidence import Grade
from capabilities.rules.formats import CustomFormat
from capabilities.rules.names.vocabulary import Source
from capabilities.rules.naming import NamingPreset
from capabilities.rules.satisfiable import (
    check_formats,
    check_lists,
    check_numbers,
    check_required_tokens,
    check_roots,
    check_tiers,
)
from capabilities.rules.tiers import TIERS_V1, Tier
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
        required_languages: BCP 47 tags of which the name must say at least one.
        required_groups: groups of which one must have made the release; empty for any.
        least_score: the score below which a release is refused, None for any.
        least_seeders: refused below; a number the indexer does not say is not zero.
        free_leech_only: refused unless the indexer says that the download is not counted.
        delay_minutes: how long after its publication a release waits for better ones.
        most_age_days: refused when published earlier, None for any.

    Raises:
        ValueError: no release can ever meet the policy, or a part of it says nothing.
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

    def __post_init__(self) -> None:
        """Refuse what cannot be met."""
        check_tiers(self.tiers, self.upgrade_until, self.refused_sources)
        check_lists("tokens", self.required_tokens, self.refused_tokens, any_of=False)
        check_lists("languages", self.required_languages, self.refused_languages, any_of=True)
        check_lists("groups", self.required_groups, self.refused_groups, any_of=True)
        check_required_tokens(self.required_tokens, self.tiers, self.refused_sources)
        check_formats(self.formats, self.least_score)
        check_numbers(self.least_seeders, self.delay_minutes, self.most_age_days)


@dataclass(frozen=True, slots=True)
class IdentityPolicy:
    """Which grades of identity are taken without asking."""

    accepted: tuple[Grade, ...] = (Grade.A, Grade.B)


class OrganizeMode(StrEnum):
    """How a file comes from the download folder onto the shelf."""

    HARDLINK = "hardlink"
    REFLINK = "reflink"
    COPY = "copy"
    MOVE = "move"
    SYMLINK = "symlink"


@dataclass(frozen=True, slots=True)
class LibraryRoot:
    """Where works of one kind stand; a path with ``/``, without ``..``."""

    kind: WorkKind
    path: str


@dataclass(frozen=True, slots=True)
class OrganizePolicy:
    """How finished downloads come onto the shelf.

    Attributes:
        copy_across_devices: whether a link that two devices make impossible becomes a copy.

    Raises:
        ValueError: a kind without a root or with two, or a root that is no clean path.
    """

    mode: OrganizeMode = OrganizeMode.HARDLINK
    preset: NamingPreset = NamingPreset.PLEX
    roots: tuple[LibraryRoot, ...] = (
        LibraryRoot(WorkKind.FILM, "films"),
        LibraryRoot(WorkKind.SERIES, "series"),
    )
    copy_across_devices: bool = False

    def __post_init__(self) -> None:
        """Refuse roots that lead nowhere."""
        check_roots([(root.kind, root.path) for root in self.roots])

    def root_of(self, kind: WorkKind) -> str:
        """The root for works of a kind."""
        return next(root.path for root in self.roots if root.kind is kind)


@dataclass(frozen=True, slots=True)
class AutomationPolicy:
    """What may happen without a person's word; nothing, to begin with."""

    acquire: bool = False
    upgrade: bool = False
    organize: bool = False
    replace: bool = False
    remove: bool = False
