"""How quality, edition and group are written into file names."""

from typing import Final

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import AudioCodec, Edition, Source, VideoCodec
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
_AUDIO: Final = {
    AudioCodec.ATMOS: "Atmos",
    AudioCodec.TRUEHD: "TrueHD",
    AudioCodec.OPUS: "Opus",
    AudioCodec.VORBIS: "Vorbis",
}
_SEVERAL: Final = "mul"
_MOST_LANGUAGES: Final = 4
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
    quality = "-".join(filter(None, (source_label(name), name.resolution)))
    return f"{quality} Proper" if quality and name.version > 1 else quality


def quality_label(name: ReleaseName) -> str:
    """E.g. ``[Bluray-1080p Proper][DV HDR10][x265]-GROUP``; empty where the name says nothing."""
    found = (quality_words(name), ranges_label(name), codec_label(name))
    boxes = "".join(f"[{box}]" for box in found if box)
    group = group_label(name)
    return f"{boxes}-{group}" if group and boxes else boxes


def group_label(name: ReleaseName) -> str:
    """The group, without brackets that servers would read."""
    return safe_part((name.group or "").strip("[]{}()"), GROUP_BYTES)


def ranges_label(name: ReleaseName) -> str:
    """E.g. ``DV HDR10``."""
    return " ".join(one.upper() for one in name.dynamic_ranges)


def audio_label(name: ReleaseName) -> str:
    """Codecs and channels, e.g. ``TrueHD Atmos 7.1``."""
    codecs = (_AUDIO.get(one, one.upper()) for one in name.audio)
    return " ".join(filter(None, (*codecs, name.channels)))


def languages_label(name: ReleaseName) -> str:
    """E.g. ``EN+DE``; ``MULTi`` where the name says several and not which."""
    told = [one.upper() for one in name.languages if one != _SEVERAL]
    return "+".join(told[:_MOST_LANGUAGES]) or ("MULTi" if name.languages else "")


def edition_label(name: ReleaseName) -> str:
    """The editions in words, e.g. ``Directors Cut``."""
    editions = name.editions[:_MOST_EDITIONS]
    return " ".join(_EDITIONS.get(one, one.replace("-", " ").title()) for one in editions)


def source_label(name: ReleaseName) -> str:
    """E.g. ``WEBDL``."""
    return _SOURCES.get(name.source, name.source.upper()) if name.source else ""


def codec_label(name: ReleaseName) -> str:
    """E.g. ``x265``."""
    codec = name.video_codec
    return _CODECS.get(codec, codec.upper()) if codec else ""
