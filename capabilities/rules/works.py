"""Works: films and series as metadata sources know them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum


class WorkKind(StrEnum):
    """Films and series share numbers at every source, so the kind is part of a work's key."""

    FILM = "film"
    SERIES = "series"


@dataclass(frozen=True, slots=True)
class WorkKey:
    """Where a work is known and under which number, e.g. ``tmdb:film:45745``."""

    source: str
    kind: WorkKind
    id: str

    def __str__(self) -> str:
        """The one spelling used in tables, targets and folder names."""
        return f"{self.source}:{self.kind}:{self.id}"


class TitleKind(StrEnum):
    """What a title is to its work; an alternative one is never evidence enough by itself."""

    MAIN = "main"
    ORIGINAL = "original"
    TRANSLATION = "translation"
    ALTERNATIVE = "alternative"


@dataclass(frozen=True, slots=True)
class Title:
    """One title of a work; ``language`` is a BCP 47 tag where the source gives one."""

    text: str
    kind: TitleKind
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Episode:
    """One aired or announced episode."""

    number: int
    title: str | None = None
    air_date: date | None = None
    runtime_minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Season:
    """A season with its own year; number 0 holds the specials."""

    number: int
    year: int | None = None
    episode_count: int = 0
    episodes: tuple[Episode, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """A film or a series; ``external_ids`` maps e.g. ``imdb`` to ``tt1727587``."""

    key: WorkKey
    title: str
    year: int | None
    titles: tuple[Title, ...] = ()
    seasons: tuple[Season, ...] = ()
    external_ids: Mapping[str, str] = field(default_factory=dict[str, str])
    runtime_minutes: int | None = None
    overview: str | None = None
