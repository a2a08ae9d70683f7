"""How quality, edition and group are written into file names."""

from typing import Final

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import Edition, Source, VideoCodec
from capabilities.rules.safe_names import safe_part

GROUP_BYTES: Final = 24
_MOST_EDITIONS: Final = 2
_SOURCES: Final = {
    Source.REMUX: "Remux",
    Source.BLURAY: "Bluray",
    Source.HD_DVD: "HDDVD",
    Source.WEB_DL: "WEBDL",
    Source.WEBRIP: "WEBRip",
    Source.WEB: "WEB",
    Source.HDTV: "HDTV",
    Source.HDRIP: "HDRip",
    Source.DVD: "DVD",
    Source.TV: "SDTV",
}
_CODECS: Final = {
    VideoCodec.H264: "x264",
    VideoCodec.H265: "x265",
    VideoCodec.XVID: "XviD",
    VideoCodec.DIVX: "DivX",
}
_EDITIONS: Final = {
    Edition.COLLECTORS: "Collectors Edition",
    Edition.DELUXE: "Deluxe Edition",
    Edition.DIRECTORS_CUT: "Directors Cut",
    Edition.IMAX: "IMAX",
    Edition.SPECIAL: "Special Edition",
    Edition.ULTIMATE: "Ultimate Edition",
}


def quality_words(name: ReleaseName) -> str:
    """E.g. ``Bluray-1080p Proper``; empty where the name says nothing."""
    quality = "-".join(filter(None, (_source(name.source), name.resolution)))
    return f"{quality} Proper" if quality and name.version > 1 else quality


def quality_label(name: ReleaseName) -> str:
    """E.g. ``[Bluray-1080p Proper][DV HDR10][x265]-GROUP``; empty where the name says nothing."""
    ranges = " ".join(one.upper() for one in name.dynamic_ranges)
    codec = _codec(name.video_codec)
    boxes = "".join(f"[{box}]" for box in (quality_words(name), ranges, codec) if box)
    group = safe_part((name.group or "").strip("[]{}()"), GROUP_BYTES)
    return f"{boxes}-{group}" if group and boxes else boxes


def edition_label(name: ReleaseName) -> str:
    """The editions in words, e.g. ``Directors Cut``."""
    editions = name.editions[:_MOST_EDITIONS]
    return " ".join(_EDITIONS.get(one, one.replace("-", " ").title()) for one in editions)


def _source(source: Source | None) -> str:
    return _SOURCES.get(source, source.upper()) if source else ""


def _codec(codec: VideoCodec | None) -> str:
    return _CODECS.get(codec, codec.upper()) if codec else ""
