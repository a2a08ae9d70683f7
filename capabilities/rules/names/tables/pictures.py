"""Spellings of resolutions, video codecs, bit depths and dynamic ranges."""

from capabilities.rules.names.tables.rows import row, weak
from capabilities.rules.names.vocabulary import (
    Container,
    DynamicRange,
    Field,
    Resolution,
    VideoCodec,
)

_R, _V, _B, _D = Field.RESOLUTION, Field.VIDEO_CODEC, Field.BIT_DEPTH, Field.DYNAMIC_RANGE

ROWS = (
    row("4k 4kuhd uhd-4k 4k-uhd ultrahd ultra-hd uhd", (_R, Resolution.P2160)),
    row("8k 8kuhd", (_R, Resolution.P4320)),
    row("fhd full-hd fullhd", (_R, Resolution.P1080)),
    weak("2k qhd", (_R, Resolution.P1440)),
    row("x264 h264 h-264 x-264 avc avc1 h264rip x264rip", (_V, VideoCodec.H264)),
    row(
        "hi10p hi10 hi10-p avc-10bit h264-10bit x264-10bit",
        (_V, VideoCodec.H264),
        (_B, "10"),
    ),
    row("hi422p hi444p hi444pp", (_V, VideoCodec.H264)),
    row("x265 h265 h-265 x-265 hevc h265p x265p", (_V, VideoCodec.H265)),
    row("hevc10 x26510bit hevc10bit main10 main10p ma10p", (_V, VideoCodec.H265), (_B, "10")),
    row("x266 h266 h-266 x-266 vvc", (_V, VideoCodec.H266)),
    row("av1", (_V, VideoCodec.AV1)),
    row("vp8 vp80", (_V, VideoCodec.VP8)),
    row("vp9", (_V, VideoCodec.VP9)),
    row("vc1 vc-1", (_V, VideoCodec.VC1)),
    row("xvid xvidhd", (_V, VideoCodec.XVID)),
    row("divx dvix dvdivx divx5 divx6", (_V, VideoCodec.DIVX)),
    row("mpeg2 mpeg-2 mpg2 h262 h-262 x262", (_V, VideoCodec.MPEG2)),
    row("mpeg4 mpeg-4", (_V, VideoCodec.MPEG4)),
    row("wmv wmv9 wmv-hd wmvhd", (_V, VideoCodec.WMV)),
    row("rv9 rv10 rv20 rv30 rv40 realvideo", (_V, VideoCodec.REALVIDEO)),
    row("10bit 10-bit 10bits 10-bits 10b yuv420p10", (_B, "10")),
    row("8bit 8-bit 8bits 8-bits", (_B, "8")),
    row("12bit 12-bit 12bits", (_B, "12")),
    row("hdr10 hdr10bit hdr-10 hdr pq10", (_D, DynamicRange.HDR10)),
    row(
        "hdr10+ hdr10plus hdr10-plus hdr10p hdr+ hdr-10+ hdr-10-plus",
        (_D, DynamicRange.HDR10_PLUS),
    ),
    row("dv-hdr10+ dv-hdr10plus", (_D, DynamicRange.DOLBY_VISION), (_D, DynamicRange.HDR10_PLUS)),
    row("dv-hdr dv-hdr10", (_D, DynamicRange.DOLBY_VISION), (_D, DynamicRange.HDR10)),
    row(
        "dovi dolbyvision dolby-vision dv-p5 dvp5 杜比视界 杜比視界",
        (_D, DynamicRange.DOLBY_VISION),
    ),
    weak("dv dvp7 dvp8 杜比视界版 杜比视界版本", (_D, DynamicRange.DOLBY_VISION)),
    row("hlg", (_D, DynamicRange.HLG)),
    row("hdr-vivid hdrvivid", (_D, DynamicRange.HDR_VIVID)),
    weak("vivid", (_D, DynamicRange.HDR_VIVID)),
    row("sdr", (_D, DynamicRange.SDR)),
    weak("1080", (_R, Resolution.P1080)),
    weak("720", (_R, Resolution.P720)),
    weak("2160", (_R, Resolution.P2160)),
    weak("480", (_R, Resolution.P480)),
    weak("mkv", (Field.CONTAINER, Container.MKV)),
    weak("mp4", (Field.CONTAINER, Container.MP4)),
    weak("avi", (Field.CONTAINER, Container.AVI)),
)
