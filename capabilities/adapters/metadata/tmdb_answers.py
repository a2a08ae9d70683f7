"""TMDB's answers as far as they are used (API version 3, as its OpenAPI description has them).

Films say `title` and `release_date` where series say `name` and `first_air_date`; here both read
the same. What TMDB adds in future is ignored; what it leaves out or sends empty is None.
"""

from datetime import date
from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field


def _none_if_empty(value: object) -> object:
    return None if value in ("", 0) else value


Day = Annotated[date | None, BeforeValidator(_none_if_empty)]
Text = Annotated[str | None, BeforeValidator(_none_if_empty)]
Minutes = Annotated[int | None, BeforeValidator(_none_if_empty)]


class TmdbAnswer(BaseModel):
    """What every answer and every part of one has in common."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    @property
    def says_nothing(self) -> bool:
        """Whether the answer is that there is nothing."""
        return False


class Row(TmdbAnswer):
    """A film or a series in a list; in mixed lists `media_type` tells which, or another thing.

    Unfinished entries have no title; they are not worth failing a whole page.
    """

    id: int
    title: str = Field(default="", validation_alias=AliasChoices("title", "name"))
    original_title: Text = Field(
        default=None, validation_alias=AliasChoices("original_title", "original_name")
    )
    original_language: Text = None
    first_shown: Day = Field(
        default=None, validation_alias=AliasChoices("release_date", "first_air_date")
    )
    overview: Text = None
    popularity: float = 0.0
    media_type: str | None = None


class SearchPage(TmdbAnswer):
    """One page of `/search/...`."""

    results: tuple[Row, ...]
    total_pages: int = 1

    @property
    def says_nothing(self) -> bool:
        """Whether nothing was found."""
        return not self.results


class FindAnswer(TmdbAnswer):
    """The answer of `/find/...`, as far as it concerns films and series."""

    movie_results: tuple[Row, ...] = ()
    tv_results: tuple[Row, ...] = ()

    @property
    def says_nothing(self) -> bool:
        """Whether nothing was found."""
        return not (self.movie_results or self.tv_results)


class AlternativeTitle(TmdbAnswer):
    """A title by country."""

    title: str


class AlternativeTitles(TmdbAnswer):
    """All titles by country."""

    titles: tuple[AlternativeTitle, ...] = Field(
        default=(), validation_alias=AliasChoices("titles", "results")
    )


class TranslatedText(TmdbAnswer):
    """The words of one translation; a missing title is the original one."""

    title: Text = Field(default=None, validation_alias=AliasChoices("title", "name"))
    overview: Text = None


class Translation(TmdbAnswer):
    """A translation by language and country."""

    iso_639_1: str
    iso_3166_1: str
    data: TranslatedText

    @property
    def tag(self) -> str:
        """The BCP 47 tag."""
        return f"{self.iso_639_1}-{self.iso_3166_1}"


class Translations(TmdbAnswer):
    """All translations."""

    translations: tuple[Translation, ...] = ()


class ExternalIds(TmdbAnswer):
    """Where else the work is known."""

    imdb_id: Text = None
    tvdb_id: Annotated[int | None, BeforeValidator(_none_if_empty)] = None


class SeasonRow(TmdbAnswer):
    """A season as the series lists it."""

    season_number: int
    air_date: Day = None
    episode_count: int = 0


class Details(Row):
    """`/movie/{id}` or `/tv/{id}` with everything that was appended."""

    title: str = Field(validation_alias=AliasChoices("title", "name"), min_length=1)
    runtime: Minutes = None
    episode_run_time: tuple[int, ...] = ()
    seasons: tuple[SeasonRow, ...] = ()
    alternative_titles: AlternativeTitles = AlternativeTitles()
    translations: Translations = Translations()
    external_ids: ExternalIds = ExternalIds()


class EpisodeRow(TmdbAnswer):
    """An episode as its season lists it."""

    episode_number: int
    name: Text = None
    air_date: Day = None
    runtime: Minutes = None


class SeasonDetails(TmdbAnswer):
    """`/tv/{id}/season/{number}`."""

    season_number: int
    air_date: Day = None
    episodes: tuple[EpisodeRow, ...] = ()


class Complaint(TmdbAnswer):
    """What TMDB sends instead of an answer; 404 is its own only when it comes with this."""

    status_code: int
