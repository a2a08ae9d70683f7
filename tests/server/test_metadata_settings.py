import pytest
from pydantic import ValidationError

from server.metadata_settings import MetadataSettings


def test_every_source_is_asked_at_its_public_address_unless_told_otherwise() -> None:
    settings = MetadataSettings()
    assert settings.sources == ("tmdb", "tvmaze", "anilist")
    assert (settings.tmdb.address, settings.tmdb.key, settings.tmdb.languages) == (
        "https://api.themoviedb.org/3",
        None,
        ("en-US",),
    )
    assert settings.tvmaze.address == "https://api.tvmaze.com"
    assert settings.anilist.address == "https://graphql.anilist.co"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"sources": ["tmdb", "tmdb"]}, "the name 'tmdb' is used twice"),
        ({"sources": ["imdb"]}, "'tmdb', 'tvmaze' or 'anilist'"),
        ({"tmdb": {"languages": []}}, "at least 1 item"),
        ({"tvmaze": {"key": "x"}}, "not permitted"),
    ],
)
def test_what_no_source_understands_is_refused(given: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        MetadataSettings.model_validate(given)
