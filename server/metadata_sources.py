"""Building the metadata sources that the settings name."""

from capabilities.adapters.metadata.anilist import Anilist
from capabilities.adapters.metadata.port import Source
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.adapters.metadata.tvmaze import Tvmaze
from server.metadata_settings import MetadataSettings, MetadataSource
from server.ways import Ways

TMDB_KEY = "metadata.tmdb.key"
UNSENT = "sealed"
"""Stands where a key is wanted that does not open; nothing is sent with it."""


def metadata_sources(settings: MetadataSettings, ways: Ways) -> list[Source]:
    """The sources in the settings' order; TMDB is left out where it has no key.

    With a sealed key that does not open it is there, sends nothing, and says why.
    """
    made = (_source(name, settings, ways) for name in settings.sources)
    return [source for source in made if source is not None]


def _source(name: MetadataSource, settings: MetadataSettings, ways: Ways) -> Source | None:
    tmdb = settings.tmdb
    match name:
        case "tmdb":
            if tmdb.key is None and not ways.lacks(tmdb.key, TMDB_KEY):
                return None
            key = UNSENT if tmdb.key is None else tmdb.key.get_secret_value()
            way = ways.out(tmdb.key, TMDB_KEY)
            return Tmdb(way, key, languages=tmdb.languages, address=tmdb.address)
        case "tvmaze":
            return Tvmaze(ways.opened, address=settings.tvmaze.address)
        case "anilist":
            return Anilist(ways.opened, languages=tmdb.languages, address=settings.anilist.address)
