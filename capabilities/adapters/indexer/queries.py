"""What indexers are asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TextQuery:
    """Words that a release name must contain."""

    text: str


@dataclass(frozen=True, slots=True)
class FilmQuery:
    """A film; ``external_ids`` as in a work, e.g. ``{"tmdb": "45745", "imdb": "tt1727587"}``."""

    title: str
    year: int | None = None
    external_ids: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class SeriesQuery:
    """A series, one of its seasons, or one episode (which needs its season)."""

    title: str
    season: int | None = None
    episode: int | None = None
    external_ids: Mapping[str, str] = field(default_factory=dict[str, str])


Query = TextQuery | FilmQuery | SeriesQuery
