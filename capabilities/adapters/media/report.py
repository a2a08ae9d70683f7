"""MediaInfo's JSON report, as far as it is believed.

Fields and values: https://mediaarea.net/en/MediaInfo/Support/Tags. The words come out of the file,
so whoever made it chose them: numbers and names that do not look like one count as not said.
"""

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from capabilities.adapters.media.facts import AudioTrack, DynamicRange, MediaFacts, SubtitleTrack

_NUMBER = re.compile(r"\d{1,9}(\.\d+)?")
_NAME = re.compile(r"[A-Za-z0-9][\w .+/-]{0,39}", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,5}")
_RANGES = {
    "Dolby Vision": DynamicRange.DOLBY_VISION,
    "SMPTE ST 2094 App 4": DynamicRange.HDR10_PLUS,
    "HDR10+": DynamicRange.HDR10_PLUS,
    "HDR Vivid": DynamicRange.HDR_VIVID,
    "HDR10": DynamicRange.HDR10,
    "HLG": DynamicRange.HLG,
}


def _number(value: Any) -> str | None:
    found = _NUMBER.match(str(value))
    return found[0] if found else None


def _matching(pattern: re.Pattern[str]) -> BeforeValidator:
    return BeforeValidator(lambda value: value if pattern.fullmatch(str(value)) else None)


Whole = Annotated[int | None, BeforeValidator(_number)]
Seconds = Annotated[float | None, BeforeValidator(_number)]
Name = Annotated[str | None, _matching(_NAME)]
Language = Annotated[str | None, _matching(_LANGUAGE)]


class _Outside(BaseModel):
    # another program's report: it has hundreds of fields and gains some with every version
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Extra(_Outside):
    truncated: str | None = Field(default=None, alias="IsTruncated")


class _Track(_Outside):
    kind: str = Field(alias="@type")
    format: Name = Field(default=None, alias="Format")
    duration: Seconds = Field(default=None, alias="Duration")
    width: Whole = Field(default=None, alias="Width")
    height: Whole = Field(default=None, alias="Height")
    hdr_format: str = Field(default="", alias="HDR_Format")
    hdr_compatibility: str = Field(default="", alias="HDR_Format_Compatibility")
    transfer: str = Field(default="", alias="transfer_characteristics")
    channels: Whole = Field(default=None, alias="Channels")
    language: Language = Field(default=None, alias="Language")
    forced: str = Field(default="No", alias="Forced")
    extra: _Extra = Field(default_factory=_Extra)

    def dynamic_range(self) -> frozenset[DynamicRange]:
        named = f"{self.hdr_format} / {self.hdr_compatibility} / {self.transfer}".split(" / ")
        found = {_RANGES[name] for name in named if name in _RANGES}
        if not found:
            found = {DynamicRange.HDR10 if self.transfer == "PQ" else DynamicRange.SDR}
        return frozenset(found)


class _Media(_Outside):
    track: tuple[_Track, ...]


class Report(_Outside):
    """What MediaInfo printed about one file; `facts` is what we take from it."""

    media: _Media | None = None

    def _tracks(self, kind: str) -> list[_Track]:
        return [track for track in self.media.track if track.kind == kind] if self.media else []

    def facts(self) -> MediaFacts | None:
        """The facts of a video, or None where no container with moving pictures was found."""
        container = next((track for track in self._tracks("General") if track.format), None)
        video = next(iter(self._tracks("Video")), None)
        if not (container and container.format and video and video.width and video.height):
            return None
        return MediaFacts(
            container=container.format,
            duration_s=container.duration,
            width=video.width,
            height=video.height,
            video_codec=video.format,
            dynamic_range=video.dynamic_range(),
            audio=tuple(
                AudioTrack(track.format, track.channels, track.language)
                for track in self._tracks("Audio")
            ),
            subtitles=tuple(
                SubtitleTrack(track.format, track.language, track.forced == "Yes")
                for track in self._tracks("Text")
            ),
            truncated=container.extra.truncated == "Yes",
        )
