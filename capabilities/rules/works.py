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


class Fact(StrEnum):
    """What metadata can say in two ways."""

    KIND = "kind"
    YEAR = "year"
    EXTERNAL_ID = "external_id"
    SEASONS = "seasons"
    EPISODES = "episodes"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A contradiction within a source or between two, and which word was kept, for a person."""

    fact: Fact
    sentence: str


@dataclass(frozen=True, slots=True)
class Season:
    """A season with its own year; number 0 holds the specials."""

    number: int
    year: int | None = None
    episode_count: int = 0
    episodes: tuple[Episode, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()


class RelationKind(StrEnum):
    """What another work is to this one."""

    PREQUEL = "prequel"
    SEQUEL = "sequel"


@dataclass(frozen=True, slots=True)
class Relation:
    """Another work of the same source that goes before this one or follows it."""

    kind: RelationKind
    key: WorkKey


@dataclass(frozen=True, slots=True)
class CollectionRef:
    """A named collection of films, by its number at a source."""

    source: str
    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Work:
    """A film or a series.

    Attributes:
        external_ids: the same work elsewhere, e.g. ``imdb`` to ``tt1727587``. A source whose
            numbers of films and series overlap has the number under this work's kind.
        ids_by_title: the sources among these whose entry was taken for this work by its title, so
            that their number is no proof.
        collection: the collection that a film belongs to.
        relations: what goes before and after it, where its source has an entry for each season.
        disagreements: what its sources contradict themselves or one another in.
    """

    key: WorkKey
    title: str
    year: int | None
    titles: tuple[Title, ...] = ()
    seasons: tuple[Season, ...] = ()
    external_ids: Mapping[str, str] = field(default_factory=dict[str, str])
    runtime_minutes: int | None = None
    overview: str | None = None
    collection: CollectionRef | None = None
    relations: tuple[Relation, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    ids_by_title: tuple[str, ...] = ()

    @property
    def ids(self) -> Mapping[str, str]:
        """Every number by which the work is known, its own included."""
        return {**self.external_ids, self.key.source: self.key.id}


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection with its films, in order of release, as a list tells of them."""

    ref: CollectionRef
    films: tuple[Work, ...] = ()
