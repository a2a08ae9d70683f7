"""The works of the loopback metadata server: the data of `works.json`, given in TMDB's shapes."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from world.metadata_parts import (
    CountryTitle,
    Json,
    KnownCollection,
    KnownOrder,
    KnownSeason,
    Part,
    Words,
)

_WORD = re.compile(r"\w+")


class Known(Part):
    """What a film and a series have in common."""

    id: int
    imdb_id: str
    title: str
    original_title: str
    original_language: str
    date: str
    popularity: float
    overview: str
    alternative_titles: tuple[CountryTitle, ...]
    translations: tuple[Words, ...]

    def matches(self, query: str) -> bool:
        """Whether every word of the query is in one title, or the query is a part of one."""
        wanted = query.casefold().strip()
        titles = [self.title, self.original_title]
        titles += [other.title for other in (*self.alternative_titles, *self.translations)]
        return any(_says(title.casefold(), wanted) for title in titles)

    def row(self, language: str) -> Json:
        """The entry of a list."""
        raise NotImplementedError

    def details(self, language: str) -> Json:
        """The answer to a question for the work itself."""
        raise NotImplementedError

    def appended(self) -> Mapping[str, Json]:
        """What `append_to_response` may name."""
        raise NotImplementedError

    def elsewhere(self) -> Mapping[str, str]:
        """Its ids by what `external_source` may name."""
        return {"imdb_id": self.imdb_id}

    def in_language(self, language: str) -> tuple[str, str]:
        """Title and overview; the original ones where a language has none."""
        for words in self.translations:
            if language in {words.iso_639_1, f"{words.iso_639_1}-{words.iso_3166_1}"}:
                return words.title or self.title, words.overview or self.overview
        return self.title, self.overview

    def _common(self, overview: str) -> dict[str, object]:
        return {
            "adult": False,
            "genre_ids": [],
            "id": self.id,
            "original_language": self.original_language,
            "overview": overview,
            "popularity": self.popularity,
            "poster_path": None,
            "vote_average": 0.0,
            "vote_count": 0,
        }

    def _translated(self, title_key: str) -> Json:
        return {
            "translations": [
                {
                    "iso_3166_1": words.iso_3166_1,
                    "iso_639_1": words.iso_639_1,
                    "data": {title_key: words.title, "overview": words.overview},
                }
                for words in self.translations
            ]
        }


class KnownFilm(Known):
    """A film."""

    runtime: int

    def row(self, language: str) -> Json:
        """As in `/search/movie`."""
        title, overview = self.in_language(language)
        return {
            **self._common(overview),
            "title": title,
            "original_title": self.original_title,
            "release_date": self.date,
            "video": False,
        }

    def details(self, language: str) -> Json:
        """As `/movie/{id}`."""
        return {**self.row(language), "imdb_id": self.imdb_id, "runtime": self.runtime}

    def appended(self) -> Mapping[str, Json]:
        """As the sub-resources of `/movie/{id}`."""
        titles = [title.model_dump() for title in self.alternative_titles]
        return {
            "alternative_titles": {"titles": titles},
            "translations": self._translated("title"),
            "external_ids": {"imdb_id": self.imdb_id},
        }


class KnownSeries(Known):
    """A series."""

    tvdb_id: int
    episode_run_time: tuple[int, ...]
    seasons: tuple[KnownSeason, ...]
    episode_groups: tuple[KnownOrder, ...] = ()

    def row(self, language: str) -> Json:
        """As in `/search/tv`."""
        title, overview = self.in_language(language)
        return {
            **self._common(overview),
            "name": title,
            "original_name": self.original_title,
            "first_air_date": self.date,
            "origin_country": ["GB"],
        }

    def details(self, language: str) -> Json:
        """As `/tv/{id}`."""
        seasons = [
            {
                "season_number": season.season_number,
                "name": season.name,
                "air_date": season.air_date or None,
                "episode_count": len(season.episodes),
            }
            for season in self.seasons
        ]
        return {
            **self.row(language),
            "episode_run_time": self.episode_run_time,
            "number_of_seasons": len(self.seasons),
            "number_of_episodes": sum(len(season.episodes) for season in self.seasons),
            "seasons": seasons,
        }

    def appended(self) -> Mapping[str, Json]:
        """As the sub-resources of `/tv/{id}`."""
        titles = [title.model_dump() for title in self.alternative_titles]
        return {
            "alternative_titles": {"results": titles},
            "translations": self._translated("name"),
            "external_ids": {"imdb_id": self.imdb_id, "tvdb_id": self.tvdb_id},
        }

    def elsewhere(self) -> Mapping[str, str]:
        """A series is known at TheTVDB too."""
        return {"imdb_id": self.imdb_id, "tvdb_id": str(self.tvdb_id)}

    def season(self, number: int) -> Json | None:
        """As `/tv/{id}/season/{number}`."""
        for season in self.seasons:
            if season.season_number == number:
                episodes = [
                    {**episode.model_dump(), "season_number": number, "show_id": self.id}
                    for episode in season.episodes
                ]
                return {**season.model_dump(), "episodes": episodes}
        return None


class Works(Part):
    """Every known work."""

    films: tuple[KnownFilm, ...]
    series: tuple[KnownSeries, ...]
    collections: tuple[KnownCollection, ...] = ()

    def collection_of(self, film: int) -> Json | None:
        """As `belongs_to_collection` of a film."""
        for each in self.collections:
            if film in each.films:
                return {"id": each.id, "name": each.name, "poster_path": None}
        return None

    def collection(self, number: int, language: str) -> Json | None:
        """As `/collection/{id}`."""
        for each in self.collections:
            if each.id == number:
                parts = [film.row(language) for film in self.films if film.id in each.films]
                return {"id": each.id, "name": each.name, "overview": "", "parts": parts}
        return None

    def order(self, number: str) -> KnownOrder | None:
        """The episode group with this id, whatever its series."""
        orders = (order for series in self.series for order in series.episode_groups)
        return next((order for order in orders if order.id == number), None)

    def of(self, media_type: str) -> Sequence[KnownFilm] | Sequence[KnownSeries]:
        """All of `movie` or `tv`."""
        return self.films if media_type == "movie" else self.series


def load_works() -> Works:
    """The works of `works.json`."""
    return Works.model_validate_json(files("world").joinpath("works.json").read_bytes())


def _says(title: str, wanted: str) -> bool:
    words = set(_WORD.findall(title))
    asked = _WORD.findall(wanted)
    in_words = bool(asked) and all(word in words for word in asked)
    return in_words or (bool(wanted) and not wanted.isascii() and wanted in title)
