"""What the owner may set of the metadata sources."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from server.setting_types import Address, Secret, Section, refuse_twins

MetadataSource = Literal["tmdb", "tvmaze", "anilist"]


class TmdbSettings(Section):
    """The metadata source for films and series."""

    address: Annotated[
        Address, Field(description="TMDB's API up to and including its version.")
    ] = "https://api.themoviedb.org/3"
    key: Annotated[
        Secret | None,
        Field(description="An API key (version 3) or an access token (version 4) of TMDB."),
    ] = None
    languages: Annotated[
        tuple[str, ...],
        Field(
            min_length=1, description="Languages of titles as BCP 47 tags, in order of preference."
        ),
    ] = ("en-US",)


class TvmazeSettings(Section):
    """A metadata source for series, without a key."""

    address: Annotated[Address, Field(description="TVmaze's API.")] = "https://api.tvmaze.com"


class AnilistSettings(Section):
    """A metadata source for anime, without a key."""

    address: Annotated[Address, Field(description="AniList's GraphQL API.")] = (
        "https://graphql.anilist.co"
    )


class MetadataSettings(Section):
    """Where titles, years and episodes come from."""

    sources: Annotated[
        tuple[MetadataSource, ...],
        Field(
            description="The metadata sources that are asked: where two contradict each other, "
            "the first one counts. TMDB is asked only with a key; films need it."
        ),
    ] = ("tmdb", "tvmaze", "anilist")
    tmdb: Annotated[TmdbSettings, Field(description="TMDB.")] = TmdbSettings()
    tvmaze: Annotated[TvmazeSettings, Field(description="TVmaze.")] = TvmazeSettings()
    anilist: Annotated[AnilistSettings, Field(description="AniList.")] = AnilistSettings()

    @model_validator(mode="after")
    def _sources_once(self) -> Self:
        refuse_twins(self.sources)
        return self
