"""What a video file says about itself, in our words."""

from dataclasses import dataclass
from enum import StrEnum


class DynamicRange(StrEnum):
    """How brightness is coded; these are different things, and a file may carry several."""

    SDR = "sdr"
    HDR10 = "hdr10"
    HDR10_PLUS = "hdr10+"
    DOLBY_VISION = "dv"
    HLG = "hlg"
    HDR_VIVID = "hdr-vivid"


@dataclass(frozen=True, slots=True)
class AudioTrack:
    """One audio track; `codec` as MediaInfo names it, `language` a BCP 47 tag, None unknown."""

    codec: str | None
    channels: int | None
    language: str | None


@dataclass(frozen=True, slots=True)
class SubtitleTrack:
    """One subtitle track inside the file; `codec` and `language` as in `AudioTrack`."""

    codec: str | None
    language: str | None
    forced: bool


@dataclass(frozen=True, slots=True)
class MediaFacts:
    """A readable video.

    Attributes:
        container: as MediaInfo names it, e.g. ``Matroska``, ``MPEG-4``.
        duration_s: what the container says, in seconds; None when it does not say.
        width: of the first video track, in pixels; `height` likewise.
        video_codec: as MediaInfo names it, e.g. ``AVC``, ``HEVC``, ``AV1``.
        dynamic_range: all that the first video track carries; never empty.
        truncated: the file ends before its container says it should.
    """

    container: str
    duration_s: float | None
    width: int
    height: int
    video_codec: str | None
    dynamic_range: frozenset[DynamicRange]
    audio: tuple[AudioTrack, ...]
    subtitles: tuple[SubtitleTrack, ...]
    truncated: bool
