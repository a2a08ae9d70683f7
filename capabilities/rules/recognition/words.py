"""The four kinds of recognition words, as values."""

from dataclasses import dataclass
from typing import Final

from capabilities.rules.recognition.finding import Find
from capabilities.rules.recognition.sums import EpisodeSum
from capabilities.rules.works import WorkKey

MOST_WORDS: Final = 500
LONGEST_REPLACEMENT: Final = 200


@dataclass(frozen=True, slots=True)
class Block:
    """Takes what it finds out of the name."""

    find: Find


@dataclass(frozen=True, slots=True)
class Offset:
    """Counts the episode numbers between two anchors anew."""

    front: Find
    back: Find
    sum: EpisodeSum


@dataclass(frozen=True, slots=True)
class Replace:
    r"""Puts other text where it finds something.

    Attributes:
        by: the text; ``\1`` is what an expression's first group found.
        then: counts anew in the changed name, where something was found.
    """

    find: Find
    by: str
    then: Offset | None = None

    def __post_init__(self) -> None:
        """Refuse a replacement that is no part of a name."""
        if len(self.by) > LONGEST_REPLACEMENT:
            raise ValueError(f"the replacement is longer than {LONGEST_REPLACEMENT} characters")


@dataclass(frozen=True, slots=True)
class Forced:
    """What a name means by its owner's word.

    Attributes:
        episode: of that season, or of the season that the name says.
    """

    work: WorkKey
    season: int | None = None
    episode: int | None = None

    def __str__(self) -> str:
        """The one written form."""
        season = "" if self.season is None else f" season {self.season}"
        episode = "" if self.episode is None else f" episode {self.episode}"
        return f"{self.work}{season}{episode}"


@dataclass(frozen=True, slots=True)
class Force:
    """Says which work every name means in which it finds something."""

    find: Find
    forced: Forced


Word = Block | Replace | Offset | Force
