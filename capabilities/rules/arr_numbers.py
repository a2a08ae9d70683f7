"""The numbers by which Radarr and Sonarr name things in exported custom formats.

Source: their ``Source``, ``QualitySource``, ``Modifier``, ``IndexerFlags``, ``ReleaseType`` and
``Language`` enumerations. The two count sources and flags differently.
"""

from enum import StrEnum
from typing import Final

from capabilities.rules.formats import ORIGINAL, IndexerFlag, Modifier, ReleaseType
from capabilities.rules.names.vocabulary import Resolution, Source


class App(StrEnum):
    """Whose numbers a format is written in."""

    RADARR = "radarr"
    SONARR = "sonarr"


_TV: Final = (Source.HDTV, Source.TV, Source.HDRIP, Source.PPV)
_WEB: Final = (Source.WEB_DL, Source.WEB, Source.VOD)
_DISC: Final = (Source.BLURAY, Source.HD_DVD)

SOURCES: Final[dict[App, dict[int, tuple[Source, ...]]]] = {
    App.RADARR: {
        1: (Source.CAM,),
        2: (Source.TELESYNC,),
        3: (Source.TELECINE,),
        4: (Source.WORKPRINT,),
        5: (Source.DVD,),
        6: _TV,
        7: _WEB,
        8: (Source.WEBRIP,),
        9: (*_DISC, Source.REMUX),
    },
    App.SONARR: {
        1: _TV,
        3: _WEB,
        4: (Source.WEBRIP,),
        5: (Source.DVD,),
        6: _DISC,
        7: (Source.REMUX,),
    },
}
"""By number; Radarr's Blu-ray takes in remuxes, which a modifier then tells apart."""

MODIFIERS: Final = {
    0: Modifier.NONE,
    1: Modifier.REGIONAL,
    2: Modifier.SCREENER,
    3: Modifier.RAW_HD,
    4: Modifier.DISC,
    5: Modifier.REMUX,
}

FLAGS: Final[dict[App, dict[int, IndexerFlag]]] = {
    App.RADARR: {
        1: IndexerFlag.FREE_LEECH,
        2: IndexerFlag.HALF_LEECH,
        4: IndexerFlag.DOUBLE_UPLOAD,
        32: IndexerFlag.INTERNAL,
        128: IndexerFlag.SCENE,
        256: IndexerFlag.FREE_LEECH_75,
        512: IndexerFlag.FREE_LEECH_25,
        2048: IndexerFlag.NUKED,
    },
    App.SONARR: {
        1: IndexerFlag.FREE_LEECH,
        2: IndexerFlag.HALF_LEECH,
        4: IndexerFlag.DOUBLE_UPLOAD,
        8: IndexerFlag.INTERNAL,
        16: IndexerFlag.SCENE,
        32: IndexerFlag.FREE_LEECH_75,
        64: IndexerFlag.FREE_LEECH_25,
        128: IndexerFlag.NUKED,
    },
}

RELEASE_TYPES: Final = {1: ReleaseType.SINGLE, 2: ReleaseType.MULTIPLE, 3: ReleaseType.PACK}

RESOLUTIONS: Final = {
    360: Resolution.P360,
    480: Resolution.P480,
    540: Resolution.P540,
    576: Resolution.P576,
    720: Resolution.P720,
    1080: Resolution.P1080,
    2160: Resolution.P2160,
}

_TAGS: Final = "en fr es de it da nl ja is zh ru pl vi sv no fi tr pt nl-be el ko hu he lt cs"
_LATER_TAGS: Final[dict[App, str]] = {
    App.RADARR: "hi ro th bg pt-br ar uk fa bn sk lv es-419 ca hr sr bs et ta id te mk sl ml kn sq "
    "af mr tl ur rm gsw",
    App.SONARR: "ar hi bg ml uk sk",
}
LANGUAGES: Final[dict[App, dict[int, str]]] = {
    app: {-2: ORIGINAL, **dict(enumerate(f"{_TAGS} {later}".split(), start=1))}
    for app, later in _LATER_TAGS.items()
}
"""BCP 47 tags by number; the first 25 are the same in both, and Sonarr's are known up to 31."""
