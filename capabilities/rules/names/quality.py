"""The quality of a name as one word, the way download managers sort releases."""

from typing import Final

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import Resolution, Source

_PLAIN: Final = frozenset(
    {
        Source.CAM,
        Source.TELESYNC,
        Source.TELECINE,
        Source.WORKPRINT,
        Source.REGIONAL,
        Source.SCREENER,
    }
)
_FAMILIES: Final = {
    Source.WEB: "webdl",
    Source.WEB_DL: "webdl",
    Source.WEBRIP: "webrip",
    Source.BLURAY: "bluray",
    Source.HD_DVD: "bluray",
    Source.REMUX: "bluray",
    Source.HDTV: "hdtv",
    Source.TV: "hdtv",
}
_LOWEST: Final = {"webdl": "480p", "webrip": "480p", "bluray": "720p"}
_SMALL: Final = frozenset({Resolution.P240, Resolution.P360, Resolution.P480, Resolution.P540})


def quality_of(name: ReleaseName) -> str:
    """For instance ``webdl-1080p``, ``sdtv``, ``dvd``, ``bluray-2160p-remux`` or ``unknown``."""
    if name.source is not None and name.source in _PLAIN:
        return name.source.value
    if name.source is Source.DVD:
        return "dvd"
    family = _FAMILIES.get(name.source) if name.source else None
    if family is None:
        return _by_resolution(name.resolution)
    if family == "hdtv" and (name.resolution is None or name.resolution in _SMALL):
        return "sdtv"
    height = name.resolution.value if name.resolution else _LOWEST.get(family, "720p")
    height = "480p" if height in {"240p", "360p", "540p"} else height
    remux = "-remux" if name.source is Source.REMUX and height in {"1080p", "2160p"} else ""
    return f"{family}-{height}{remux}"


def _by_resolution(resolution: Resolution | None) -> str:
    if resolution is None:
        return "unknown"
    return "sdtv" if resolution in _SMALL else f"hdtv-{resolution.value}"
