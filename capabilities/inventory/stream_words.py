"""The streams of a file in one line."""

from collections.abc import Mapping
from typing import Any, Final

from capabilities.rules.outside_text import cleaned

UNREADABLE: Final = "unreadable"
"""The member that says why a file could not be read, in place of the facts."""


def told(streams: Mapping[str, Any]) -> str | None:
    """E.g. ``1920x1080 AVC sdr, audio AAC en, subtitles en``; None while nothing was read."""
    if not streams:
        return None
    if UNREADABLE in streams:
        return cleaned(str(streams[UNREADABLE]))
    ranges = "/".join(streams.get("dynamic_range", []))
    size = f"{streams['width']}x{streams['height']}" if "width" in streams else None
    picture = " ".join(filter(None, [size, streams.get("video_codec"), ranges]))
    audio = _tracks(streams.get("audio", []), "codec", "language")
    subtitles = _tracks(streams.get("subtitles", []), "language")
    parts = [picture, audio and f"audio {audio}", subtitles and f"subtitles {subtitles}"]
    return cleaned(", ".join(part for part in parts if part)) or None


def _tracks(tracks: list[Mapping[str, Any]], *names: str) -> str:
    said = [" ".join(str(one[name]) for name in names if one.get(name)) for one in tracks]
    return "/".join(dict.fromkeys(one for one in said if one))
