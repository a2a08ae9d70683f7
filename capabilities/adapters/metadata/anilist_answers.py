"""AniList's answers as far as they are asked for (https://docs.anilist.co/reference/object/media)."""

from pydantic import Field

from capabilities.adapters.metadata.outside_answer import (
    Count,
    Number,
    OtherNumber,
    OutsideAnswer,
    Text,
)


class Titles(OutsideAnswer):
    """The titles in three forms; one of them is there."""

    romaji: Text = None
    english: Text = None
    native: Text = None


class FuzzyDate(OutsideAnswer):
    """A date of which less may be known."""

    year: Count = None


class Node(OutsideAnswer):
    """An entry as a relation names it."""

    id: Number
    type: Text = None
    format: Text = None


class Edge(OutsideAnswer):
    """A relation to another entry."""

    kind: str = Field(default="", alias="relationType")
    node: Node


class Relations(OutsideAnswer):
    """All relations."""

    edges: tuple[Edge, ...] = ()


class Media(OutsideAnswer):
    """An anime: a film, or one season of a series."""

    id: Number
    id_mal: OtherNumber = Field(default=None, alias="idMal")
    format: Text = None
    title: Titles = Titles()
    synonyms: tuple[str, ...] = ()
    episodes: Count = None
    duration: Count = None
    season_year: Count = Field(default=None, alias="seasonYear")
    start_date: FuzzyDate = Field(default=FuzzyDate(), alias="startDate")
    country: Text = Field(default=None, alias="countryOfOrigin")
    description: Text = None
    relations: Relations = Relations()


class MediaPage(OutsideAnswer):
    """A page of entries."""

    media: tuple[Media, ...]

    @property
    def says_nothing(self) -> bool:
        """Whether there is no entry."""
        return not self.media


class Data(OutsideAnswer):
    """What the question asked for."""

    page: MediaPage = Field(alias="Page")


class Reply(OutsideAnswer):
    """The envelope of GraphQL; where something went wrong, its errors are there too."""

    data: Data
    errors: tuple[object, ...] = ()


class Complaint(OutsideAnswer):
    """What AniList sends instead of an answer."""

    errors: tuple[object, ...] = Field(min_length=1)
