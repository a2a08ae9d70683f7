"""TVmaze's answers as far as they are used (https://www.tvmaze.com/api)."""

from pydantic import Field

from capabilities.adapters.metadata.outside_answer import (
    BareList,
    Count,
    Day,
    Number,
    OtherNumber,
    OutsideAnswer,
    Text,
)


class Externals(OutsideAnswer):
    """Where else the show is known."""

    imdb: Text = None
    thetvdb: OtherNumber = None


class Country(OutsideAnswer):
    """A country by its ISO 3166-1 code."""

    code: Text = None


class Aka(OutsideAnswer):
    """A title under which the show runs in a country; without one, in its own."""

    name: Text = None
    country: Country | None = None


class SeasonRow(OutsideAnswer):
    """A season; `episodeOrder` is how many episodes were ordered, where that is known."""

    number: Count = None
    episode_order: Count = Field(default=None, alias="episodeOrder")
    premiered: Day = Field(default=None, alias="premiereDate")


class Embedded(OutsideAnswer):
    """What `embed[]` asked for."""

    seasons: tuple[SeasonRow, ...] = ()
    akas: tuple[Aka, ...] = ()


class Show(OutsideAnswer):
    """A show, as `/shows/{id}` and the lists tell of it."""

    id: Number
    name: str = Field(min_length=1)
    premiered: Day = None
    runtime: Count = None
    average_runtime: Count = Field(default=None, alias="averageRuntime")
    summary: Text = None
    externals: Externals = Externals()
    embedded: Embedded = Field(default=Embedded(), alias="_embedded")


class Hit(OutsideAnswer):
    """A show in the answer to a search."""

    show: Show


class Hits(BareList):
    """`/search/shows`: the best match first."""

    items: tuple[Hit, ...]


class EpisodeRow(OutsideAnswer):
    """An episode; specials have no number."""

    season: int
    number: Count = None
    name: Text = None
    air_date: Day = Field(default=None, alias="airdate")
    runtime: Count = None


class Episodes(BareList):
    """`/shows/{id}/episodes`."""

    items: tuple[EpisodeRow, ...]


class Complaint(OutsideAnswer):
    """What TVmaze sends instead of an answer."""

    status: int
