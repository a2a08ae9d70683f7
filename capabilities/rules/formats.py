"""Custom formats: named conditions on a release, and the score they are worth.

The way conditions combine is the one of Radarr's and Sonarr's custom formats, so that a guide's
formats keep their meaning: kinds are joined by "and", conditions of one kind by "or", and a
required condition must hold in any case (one that holds is then enough for its kind).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from capabilities.rules.found import Found
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.time_budget import Budget

JUDGING_S = 0.5
"""For all the patterns of a policy on one name; ordinary ones take a tenth of it."""


class ConditionKind(StrEnum):
    """What a condition looks at."""

    WORDS = "words"
    RESOLUTION = "resolution"
    SOURCE = "source"
    VIDEO_CODEC = "video_codec"
    DYNAMIC_RANGE = "dynamic_range"
    AUDIO = "audio"
    LANGUAGE = "language"
    EDITION = "edition"
    GROUP = "group"
    PATTERN = "pattern"
    GROUP_PATTERN = "group_pattern"
    EDITION_PATTERN = "edition_pattern"
    MODIFIER = "modifier"
    INDEXER_FLAG = "indexer_flag"
    SIZE = "size"
    YEAR = "year"
    RELEASE_TYPE = "release_type"


PATTERNS = frozenset(
    {ConditionKind.PATTERN, ConditionKind.GROUP_PATTERN, ConditionKind.EDITION_PATTERN}
)
RANGES = frozenset({ConditionKind.SIZE, ConditionKind.YEAR})


class Modifier(StrEnum):
    """What sets a release apart within its source."""

    NONE = "none"
    REGIONAL = "regional"
    SCREENER = "screener"
    RAW_HD = "raw-hd"
    DISC = "disc"
    REMUX = "remux"


class ReleaseType(StrEnum):
    """How much of a series a release holds."""

    SINGLE = "single"
    MULTIPLE = "multiple"
    PACK = "pack"


class IndexerFlag(StrEnum):
    """What an indexer says of an offer; the numbers say how much of it is not counted."""

    FREE_LEECH = "freeleech"
    FREE_LEECH_75 = "freeleech75"
    HALF_LEECH = "halfleech"
    FREE_LEECH_25 = "freeleech25"
    DOUBLE_UPLOAD = "double_upload"
    INTERNAL = "internal"
    SCENE = "scene"
    NUKED = "nuked"


ORIGINAL = "original"
"""Among languages: the one that the work was made in."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing a release must, or must not, say.

    Attributes:
        value: in the vocabulary's spelling; several, of which one is enough, are joined by ``|``.
            Of a pattern, a regular expression; of a size (in GiB) or a year, ``least..most``.
        name: what its author calls it.
    """

    kind: ConditionKind
    value: str
    negate: bool = False
    required: bool = False
    name: str = ""

    @property
    def options(self) -> tuple[str, ...]:
        """The values of which one is enough, in lower case."""
        return tuple(self.value.casefold().split("|"))

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and most of a range.

        Raises:
            ValueError: the value is no range.
        """
        least, dots, most = self.value.partition("..")
        if not dots:
            raise ValueError(f'"{self.value}" is no range; write least..most')
        return float(least), float(most)


@dataclass(frozen=True, slots=True)
class CustomFormat:
    """A name for a set of conditions, and what a match adds to the score."""

    name: str
    conditions: tuple[Condition, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Subject:
    """What formats look at.

    Attributes:
        words: those of the name.
        found: the offer, None where there is only a name.
        original_language: of the work, where it is known.
        budget: the time there is for patterns; what it does not suffice for is undecided.
    """

    name: ReleaseName
    words: Sequence[str]
    found: Found | None = None
    original_language: str | None = None
    budget: Budget = field(default_factory=lambda: Budget(JUDGING_S), compare=False)
