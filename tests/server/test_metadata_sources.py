import pytest

from capabilities.adapters.outbound import Outbound
from server.metadata_settings import MetadataSettings
from server.metadata_sources import metadata_sources
from server.ways import Ways


async def names(**given: object) -> list[str]:
    async with Outbound(version="0") as out:
        settings = MetadataSettings.model_validate(given)
        return [source.name for source in metadata_sources(settings, Ways(out, out))]


@pytest.mark.anyio
async def test_without_a_key_of_tmdb_the_others_are_there() -> None:
    assert await names() == ["tvmaze", "anilist"]
    assert await names(tmdb={"key": "k"}) == ["tmdb", "tvmaze", "anilist"]


@pytest.mark.anyio
async def test_only_the_named_sources_are_there_and_in_their_order() -> None:
    assert await names(sources=["anilist", "tmdb"], tmdb={"key": "k"}) == ["anilist", "tmdb"]
    assert await names(sources=[]) == []


def test_a_source_is_named_once() -> None:
    with pytest.raises(ValueError, match="used twice"):
        MetadataSettings.model_validate({"sources": ["tmdb", "tmdb"]})
    with pytest.raises(ValueError, match="sources"):
        MetadataSettings.model_validate({"sources": ["omdb"]})
