"""TMDB's answers as far as they are used (API version 3, as its OpenAPI description has them).

Films say `title` and `release_date` where series say `name` and `first_air_date`; here both read
the same.
"""

from pydantic import AliasChoices, Field

from capabilities.adapters.metadata.outside_answer import (
    Count,
    Day,
    Number,
    OtherNumber,
    OutsideAnswer,
    Text,
)


class Row(OutsideAnswer):
    """A film or a series in a list; in mixed lists `media_type` tells which, or another thing.

    Unfinished entries have no title; they are not worth failing a whole page.
    """

    id: Number
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


class SearchPage(OutsideAnswer):
    """One page of `/search/...`."""

    results: tuple[Row, ...]
    total_pages: int = 1

    @property
    def says_nothing(self) -> bool:
        """Whether nothing was found."""
        return not self.results


class FindAnswer(OutsideAnswer):
    """The answer of `/find/...`, as far as it concerns films and series."""

    movie_results: tuple[Row, ...] = ()
    tv_results: tuple[Row, ...] = ()

    @property
    def says_nothing(self) -> bool:
        """Whether nothing was found."""
        return not (self.movie_results or self.tv_results)


class AlternativeTitle(OutsideAnswer):
    """A title by country."""

    title: str


class AlternativeTitles(OutsideAnswer):
    """All titles by country."""

    titles: tuple[AlternativeTitle, ...] = Field(
        default=(), validation_alias=AliasChoices("titles", "results")
    )


class TranslatedText(OutsideAnswer):
    """The words of one translation; a missing title is the original one."""

    title: Text = Field(default=None, validation_alias=AliasChoices("title", "name"))
    overview: Text = None


class Translation(OutsideAnswer):
    """A translation by language and country."""

    iso_639_1: str
    iso_3166_1: str
    data: TranslatedText

    @property
    def tag(self) -> str:
        """The BCP 47 tag."""
        return f"{self.iso_639_1}-{self.iso_3166_1}"


class Translations(OutsideAnswer):
    """All translations."""

    translations: tuple[Translation, ...] = ()


class ExternalIds(OutsideAnswer):
    """Where else the work is known."""

    imdb_id: Text = None
    tvdb_id: OtherNumber = None


class SeasonRow(OutsideAnswer):
    """A season as the series lists it."""

    season_number: int
    air_date: Day = None
    episode_count: int = 0


class CollectionRow(OutsideAnswer):
    """A collection as a film names it."""

    id: Number
    name: str = ""


class Details(Row):
    """`/movie/{id}` or `/tv/{id}` with everything that was appended."""

    title: str = Field(validation_alias=AliasChoices("title", "name"), min_length=1)
    runtime: Count = None
    episode_run_time: tuple[int, ...] = ()
    seasons: tuple[SeasonRow, ...] = ()
    belongs_to_collection: CollectionRow | None = None
    alternative_titles: AlternativeTitles = AlternativeTitles()
    translations: Translations = Translations()
    external_ids: ExternalIds = ExternalIds()


class EpisodeRow(OutsideAnswer):
    """An episode as its season lists it."""

    episode_number: int
    name: Text = None
    air_date: Day = None
    runtime: Count = None


class SeasonDetails(OutsideAnswer):
    """`/tv/{id}/season/{number}`."""

    season_number: int
    air_date: Day = None
    episodes: tuple[EpisodeRow, ...] = ()


class CollectionDetails(CollectionRow):
    """`/collection/{id}`."""

    parts: tuple[Row, ...] = ()


class EpisodeGroupRow(OutsideAnswer):
    """An order of episodes as the series lists it; `type` is one of TMDB's seven."""

    id: str = Field(pattern=r"^[0-9a-f]{1,40}$")
    name: str = ""
    type: int = 0


class EpisodeGroups(OutsideAnswer):
    """`/tv/{id}/episode_groups`."""

    results: tuple[EpisodeGroupRow, ...] = ()

    @property
    def says_nothing(self) -> bool:
        """Whether the series has no other order."""
        return not self.results


class GroupedEpisode(OutsideAnswer):
    """An episode in an order: its place in the seasons, and that in the order, from 0."""

    season_number: int
    episode_number: int
    order: int = 0


class EpisodeGroupPart(OutsideAnswer):
    """A part of an order."""

    name: str = ""
    order: int = 0
    episodes: tuple[GroupedEpisode, ...] = ()


class EpisodeGroupDetails(EpisodeGroupRow):
    """`/tv/episode_group/{id}`."""

    groups: tuple[EpisodeGroupPart, ...] = ()


class Complaint(OutsideAnswer):
    """What TMDB sends instead of an answer; 404 is its own only when it comes with this."""

    status_code: int
