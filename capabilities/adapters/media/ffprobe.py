"""What ffprobe says of a file, where it is installed; in the words that `facts` has.

Its JSON: https://ffmpeg.org/ffprobe.html. The words come out of the file, so whoever made it chose
them: a codec that is not known here is told as ffprobe names it, and nothing longer than a name.
"""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from capabilities.adapters.media.facts import AudioTrack, DynamicRange, MediaFacts, SubtitleTrack
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.rules.subtitle_tags import subtitle_tags

DEADLINE_S: Final = 30.0
_COMMAND: Final = "ffprobe"
_NAME: Final = re.compile(r"[A-Za-z0-9][\w.,+/-]{0,79}", re.ASCII)
_CONTAINERS: Final = {
    "matroska,webm": "Matroska",
    "mov,mp4,m4a,3gp,3g2,mj2": "MPEG-4",
    "avi": "AVI",
    "mpegts": "MPEG-TS",
    "mpeg": "MPEG-PS",
    "asf": "Windows Media",
    "flv": "Flash Video",
    "ogg": "Ogg",
}
_CODECS: Final = {
    "h264": "AVC",
    "hevc": "HEVC",
    "av1": "AV1",
    "vp8": "VP8",
    "vp9": "VP9",
    "vc1": "VC-1",
    "mpeg4": "MPEG-4 Visual",
    "mpeg2video": "MPEG Video",
    "aac": "AAC",
    "ac3": "AC-3",
    "eac3": "E-AC-3",
    "dts": "DTS",
    "truehd": "MLP FBA",
    "flac": "FLAC",
    "opus": "Opus",
    "vorbis": "Vorbis",
    "mp3": "MPEG Audio",
    "subrip": "UTF-8",
    "ass": "ASS",
    "hdmv_pgs_subtitle": "PGS",
    "dvd_subtitle": "VobSub",
}
_TRANSFERS: Final = {"smpte2084": DynamicRange.HDR10, "arib-std-b67": DynamicRange.HLG}


def _named(value: object) -> str | None:
    return value if isinstance(value, str) and _NAME.fullmatch(value) else None


Name = Annotated[str | None, BeforeValidator(_named)]


class _Outside(BaseModel):
    # another program's report, which gains fields with every version
    model_config = ConfigDict(extra="ignore", frozen=True)


class _SideData(_Outside):
    kind: str = Field(default="", alias="side_data_type")


class _Disposition(_Outside):
    forced: int = 0
    attached_pic: int = 0


class _Stream(_Outside):
    kind: Name = Field(default=None, alias="codec_type")
    codec: Name = Field(default=None, alias="codec_name")
    width: int = 0
    height: int = 0
    transfer: str = Field(default="", alias="color_transfer")
    channels: int | None = None
    tags: Mapping[str, str] = Field(default_factory=dict)
    disposition: _Disposition = Field(default_factory=_Disposition)
    side_data: tuple[_SideData, ...] = Field(default=(), alias="side_data_list")

    @property
    def codec_name(self) -> str | None:
        return None if self.codec is None else _CODECS.get(self.codec, self.codec)

    @property
    def language(self) -> str | None:
        return subtitle_tags(f"x.{self.tags.get('language', '')[:8]}").language

    def dynamic_range(self) -> frozenset[DynamicRange]:
        found = {range_ for name, range_ in _TRANSFERS.items() if name == self.transfer}
        if any("DOVI" in one.kind for one in self.side_data):
            found.add(DynamicRange.DOLBY_VISION)
        return frozenset(found or {DynamicRange.SDR})


class _Format(_Outside):
    name: Name = Field(default=None, alias="format_name")
    duration: float | None = None


class _Probed(_Outside):
    streams: tuple[_Stream, ...] = ()
    format: _Format = Field(default_factory=_Format)

    def facts(self) -> MediaFacts | None:
        video = next(iter(self._of("video")), None)
        if self.format.name is None or video is None or not (video.width and video.height):
            return None
        return MediaFacts(
            container=_CONTAINERS.get(self.format.name, self.format.name.partition(",")[0]),
            duration_s=self.format.duration,
            width=video.width,
            height=video.height,
            video_codec=video.codec_name,
            dynamic_range=video.dynamic_range(),
            audio=tuple(
                AudioTrack(one.codec_name, one.channels, one.language) for one in self._of("audio")
            ),
            subtitles=tuple(
                SubtitleTrack(one.codec_name, one.language, bool(one.disposition.forced))
                for one in self._of("subtitle")
            ),
            truncated=False,
        )

    def _of(self, kind: Literal["video", "audio", "subtitle"]) -> Sequence[_Stream]:
        return [
            one for one in self.streams if one.kind == kind and not one.disposition.attached_pic
        ]


async def ffprobed(root: Root, relative: str) -> MediaFacts | None:
    """What ffprobe reads of a video; it does not say whether one was cut off.

    The file is handed over open, so that no name is ever taken for an address, and no file beside
    it is read.

    Returns:
        None when it is not installed, when it is too slow, or when the file is no video to it.

    Raises:
        DeclinedError: nothing is there, or it is a link, a folder or a device.
        UnreachableError: the disk failed.
    """
    command = shutil.which(_COMMAND)
    return None if command is None else await off_loop(_ffprobed, command, root, relative)


def _ffprobed(command: str, root: Root, relative: str) -> MediaFacts | None:
    with root.file(relative) as handle:
        try:
            done = subprocess.run(  # noqa: S603  # no shell, and no word of anybody else's
                [
                    *(command, "-v", "error", "-protocol_whitelist", "file,fd,pipe"),
                    *("-print_format", "json", "-show_format", "-show_streams"),
                    f"/dev/fd/{handle}",
                ],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                pass_fds=(handle,),
                timeout=DEADLINE_S,
            )
        except (subprocess.TimeoutExpired, OSError):
            return None
    try:
        return _Probed.model_validate_json(done.stdout).facts()
    except ValidationError:
        return None
