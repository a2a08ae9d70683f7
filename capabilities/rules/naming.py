"""How an owner wants names on the shelf: a media server's form, or templates of their own.

The presets are data in the language of the templates. Their forms are those of the servers' own
documentation: Plex ``{tmdb-1}`` and ``{edition-X}``, Jellyfin ``[tmdbid-1]``, Emby ``[tmdbid=1]``,
Kodi without ids (it reads them from an NFO file).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from capabilities.rules.safe_names import ColonRule


class NamingPreset(StrEnum):
    """The media server whose reading of names is followed."""

    PLEX = "plex"
    JELLYFIN = "jellyfin"
    EMBY = "emby"
    KODI = "kodi"


class Named(StrEnum):
    """What a template names; the values are the fields of `Templates`."""

    FILM_FOLDER = "film_folder"
    FILM_FILE = "film_file"
    SERIES_FOLDER = "series_folder"
    SEASON_FOLDER = "season_folder"
    SPECIALS_FOLDER = "specials_folder"
    EPISODE_FILE = "episode_file"
    SPECIAL_FILE = "special_file"
    DAILY_FILE = "daily_file"
    ANIME_FILE = "anime_file"


@dataclass(frozen=True, slots=True)
class Templates:
    """The owner's own templates; None is the preset's.

    A special, a daily and an anime episode without a template of their own are named as any
    episode, the folder of the specials as that of any season.

    Attributes:
        daily_file: of an episode whose file says the day that it was aired.
        anime_file: of an episode whose file counts through all seasons.
    """

    film_folder: str | None = None
    film_file: str | None = None
    series_folder: str | None = None
    season_folder: str | None = None
    specials_folder: str | None = None
    episode_file: str | None = None
    special_file: str | None = None
    daily_file: str | None = None
    anime_file: str | None = None

    def own(self) -> dict[Named, str]:
        """Those that the owner wrote."""
        return {named: text for named in Named if (text := getattr(self, named.value)) is not None}


NO_TEMPLATES: Final = Templates()
_AS: Final = {
    Named.SPECIALS_FOLDER: Named.SEASON_FOLDER,
    Named.SPECIAL_FILE: Named.EPISODE_FILE,
    Named.DAILY_FILE: Named.EPISODE_FILE,
    Named.ANIME_FILE: Named.EPISODE_FILE,
}
_WORK: Final = "{title}< ({year})>"
_EPISODE: Final = f"{_WORK} - {{episode_code}}< - {{episode_title}}>< {{label}}>"
_SEASON: Final = "Season {season:02}"
_VERSION: Final = "< - <[{edition}]><{label}>>"


def _preset(id_form: str, film_file: str) -> Mapping[Named, str]:
    folder = f"{_WORK}{id_form}"
    return {
        Named.FILM_FOLDER: folder,
        Named.FILM_FILE: film_file,
        Named.SERIES_FOLDER: folder,
        Named.SEASON_FOLDER: _SEASON,
        Named.EPISODE_FILE: _EPISODE,
    }


_JELLYFIN_ID: Final = "< [{id_source}id-{id}]>"
_EMBY_ID: Final = "< [{id_source}id={id}]>"
PRESETS: Final[Mapping[NamingPreset, Mapping[Named, str]]] = {
    NamingPreset.PLEX: _preset(
        "< {{{id_source}-{id}}}>", f"{_WORK}< {{{{edition-{{edition}}}}}}>< - {{label}}>"
    ),
    # both group versions of a film whose file names begin with the folder's whole name
    NamingPreset.JELLYFIN: _preset(_JELLYFIN_ID, f"{_WORK}{_JELLYFIN_ID}{_VERSION}"),
    NamingPreset.EMBY: _preset(_EMBY_ID, f"{_WORK}{_EMBY_ID}{_VERSION}"),
    NamingPreset.KODI: _preset("", f"{_WORK}{_VERSION}"),
}


@dataclass(frozen=True, slots=True)
class Naming:
    """A preset, with what the owner writes otherwise."""

    preset: NamingPreset = NamingPreset.PLEX
    templates: Templates = NO_TEMPLATES
    colon: ColonRule = ColonRule.SMART

    def template(self, named: Named) -> str:
        """The template in force for one kind of name."""
        own, preset = self.templates.own(), PRESETS[self.preset]
        usual = _AS.get(named, named)
        return own.get(named) or own.get(usual) or preset[usual]
