import pytest

from capabilities.rules.names.parsing import parse
from capabilities.rules.names.vocabulary import (
    AudioCodec,
    DynamicRange,
    Resolution,
    Source,
    VideoCodec,
)


@pytest.mark.parametrize(
    ("text", "resolution", "source"),
    [
        ("T.2020.2160p.WEB-DL", Resolution.P2160, Source.WEB_DL),
        ("T.2020.UHD.BluRay", Resolution.P2160, Source.BLURAY),
        ("T.2020.4K.WEBRip", Resolution.P2160, Source.WEBRIP),
        ("T.2020.1440p.HMAX.WEB-DL", Resolution.P1440, Source.WEB_DL),
        ("T.2020.1080i.HDTV", Resolution.P1080, Source.HDTV),
        ("T.2020.[1280x720].BD", Resolution.P720, Source.BLURAY),
        ("T.2020.[Bluray720p]", Resolution.P720, Source.BLURAY),
        ("T.2020.576p.DVDRip", Resolution.P576, Source.DVD),
        ("T.2020.1080p.BluRay.REMUX", Resolution.P1080, Source.REMUX),
        ("T.2020.1080p.WEB", Resolution.P1080, Source.WEB),
        ("T.2020.1080p.HQCAM", Resolution.P1080, Source.CAM),
        ("T.2020.1080p.HQ.PreDVD.Rip", Resolution.P1080, Source.PRE_DVD),
        ("T.2020.720p.HDTS", Resolution.P720, Source.TELESYNC),
        ("T.2020.DVDScr", None, Source.SCREENER),
        ("T.2020.1080p.PPV.HDTV", Resolution.P1080, Source.HDTV),
        ("T.2020.1080p.DTS", Resolution.P1080, None),
        ("T.2000.HD.1080p.H264", Resolution.P1080, None),
        ("T.2020", None, None),
    ],
)
def test_resolution_and_source_are_read_from_whole_tokens(
    text: str, resolution: Resolution | None, source: Source | None
) -> None:
    name = parse(text)
    assert (name.resolution, name.source) == (resolution, source)


@pytest.mark.parametrize(
    ("text", "codec", "depth", "ranges"),
    [
        ("T.2020.1080p.x264", VideoCodec.H264, None, ()),
        ("T.2020.1080p.H.265.10bit", VideoCodec.H265, 10, ()),
        ("T.2020.720p.Hi10P", VideoCodec.H264, 10, ()),
        ("T.2020.1080p.AV1", VideoCodec.AV1, None, ()),
        ("T.2020.XviD", VideoCodec.XVID, None, ()),
        ("T.2020.2160p.DV.HDR.HEVC", VideoCodec.H265, None, ("dv", "hdr10")),
        ("T.2020.2160p.DoVi.HDR10+.x265", VideoCodec.H265, None, ("dv", "hdr10+")),
        ("T.2020.2160p.HDR10Plus.x265", VideoCodec.H265, None, ("hdr10+",)),
        ("T.2020.2160p.HLG.x265", VideoCodec.H265, None, ("hlg",)),
        ("T.2020.2160p.HDR.Vivid.x265", VideoCodec.H265, None, ("hdr-vivid",)),
        ("T.2020.DVDRip.XviD", VideoCodec.XVID, None, ()),
    ],
)
def test_codec_depth_and_dynamic_range_are_kept_apart(
    text: str, codec: VideoCodec, depth: int | None, ranges: tuple[str, ...]
) -> None:
    name = parse(text)
    assert (name.video_codec, name.bit_depth) == (codec, depth)
    assert name.dynamic_ranges == tuple(map(DynamicRange, ranges))


@pytest.mark.parametrize(
    ("text", "audio", "channels"),
    [
        ("T.2020.1080p.DTS-HD.MA.5.1", (AudioCodec.DTS_HD,), "5.1"),
        ("T.2020.1080p.DTS.x264", (AudioCodec.DTS,), None),
        ("T.2020.1080p.DDP5.1.Atmos", (AudioCodec.EAC3, AudioCodec.ATMOS), "5.1"),
        ("T.2020.1080p.DD+5.1", (AudioCodec.EAC3,), "5.1"),
        ("T.2020.1080p.TrueHD.7.1.Atmos", (AudioCodec.TRUEHD, AudioCodec.ATMOS), "7.1"),
        ("T.2020.1080p.AAC2.0", (AudioCodec.AAC,), "2.0"),
        ("T.2020.1080p.DD51.x264", (AudioCodec.AC3,), "5.1"),
        ("T.2020.1080p.FLAC.x264", (AudioCodec.FLAC,), None),
    ],
)
def test_audio_and_channels_are_two_facts(
    text: str, audio: tuple[AudioCodec, ...], channels: str | None
) -> None:
    name = parse(text)
    assert (name.audio, name.channels) == (audio, channels)
