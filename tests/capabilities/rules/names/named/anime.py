"""Anime: groups in front, numbers that count through all seasons, checksums."""

from tests.capabilities.rules.names.named.rows import named

NAMES = (
    named(
        "[Quartz].Amber.Coast.493-495.&.500-501.(1280x720.x264.AAC)",
        title="Amber Coast",
        absolute=[493, 494, 495, 500, 501],
    ),
    named(
        "Amber Coast (1996) (BDRip 1080p x265 FLACx3, AC3 5.1x2+2.0x3)(Triple Audio)[quartz]",
        seasons=[],
        episodes=[],
    ),
    named(
        "[Quartz] Kaze no Uta - 05 [1080p].mkv", title="Kaze no Uta", absolute=[5], group="Quartz"
    ),
    named(
        "[Quartz]_Kaze_no_Uta_-_05_(1280x720_H.264_AAC)_[1A2B3C4D].mkv",
        title="Kaze no Uta",
        absolute=[5],
        crc="1A2B3C4D",
    ),
    named("[Quartz] Kaze no Uta - 05v2 (720p) [1A2B3C4D]", version=2, absolute=[5]),
    named("[Quartz] Kaze no Uta 05 [720p]", title="Kaze no Uta", absolute=[5]),
    named("[Quartz] Kaze no Uta 105 [720p]", title="Kaze no Uta", absolute=[105]),
    named("[Quartz] Kaze no Uta S2 - 05 [720p]", title="Kaze no Uta", seasons=[2], absolute=[5]),
    named(
        "[Quartz] Kaze no Uta Season 2 - 05 [720p]", title="Kaze no Uta", seasons=[2], absolute=[5]
    ),
    named(
        "[Quartz] Kaze no Uta 2nd Season - 05 [720p]",
        title="Kaze no Uta",
        seasons=[2],
        absolute=[5],
    ),
    named("[Quartz] Kaze no Uta S02E05 [1080p]", seasons=[2], episodes=[5]),
    named(
        "[Quartz] Kaze no Uta - S02E05 - Ame [1080p]",
        seasons=[2],
        episodes=[5],
        episode_title="Ame",
        group="Quartz",
    ),
    named("[Quartz] Kaze no Uta - 01-12 [BD 1080p]", absolute=list(range(1, 13))),
    named("[Quartz] Kaze no Uta - 01 ~ 12 [BD 1080p]", absolute=list(range(1, 13))),
    named(
        "[Quartz] Kaze no Uta (01-12) [1080p] (Batch)",
        title="Kaze no Uta",
        absolute=list(range(1, 13)),
    ),
    named("[Quartz] Kaze no Uta [01-12] [1080p]", title="Kaze no Uta", absolute=list(range(1, 13))),
    named("[Quartz] Kaze no Uta (2019) - 05 [720p]", title="Kaze no Uta", year=2019, absolute=[5]),
    named("[Quartz] Kaze no Uta - 12.5 [720p]", absolute=[12.5], special=True),
    named(
        "[Quartz] Kaze no Uta - 05 - Ame to Yuki [720p]", absolute=[5], episode_title="Ame to Yuki"
    ),
    named("[Quartz] Kaze no Uta 100 - 05 [720p]", title="Kaze no Uta 100", absolute=[5]),
    named("[Quartz] Kaze no Uta #05 [720p]", title="Kaze no Uta", absolute=[5]),
    named("[Quartz] Kaze no Uta Ep05 [720p]", title="Kaze no Uta", episodes=[5]),
    named("[Quartz] Kaze no Uta Episode 05 [720p]", title="Kaze no Uta", episodes=[5]),
    named("[Quartz] Kaze no Uta - 05 END [720p]", absolute=[5]),
    named("[Quartz] Kaze no Uta NCOP [BD 1080p]", title="Kaze no Uta", special=True),
    named("[Quartz] Kaze no Uta - NCED1 [BD 1080p]", title="Kaze no Uta", special=True),
    named(
        "[Quartz] Kaze no Uta (BD 1080p HEVC FLAC) [Dual Audio]",
        title="Kaze no Uta",
        source="bluray",
        dubbed=True,
    ),
    named("Kaze no Uta - 05 [Quartz][720p]", title="Kaze no Uta", absolute=[5], group="Quartz"),
    named("Kaze no Uta - 05 (720p) [1A2B3C4D].mkv", title="Kaze no Uta", absolute=[5]),
    named(
        "Kaze.no.Uta.E05.VOSTFR.1080p.WEB.x264-QUARTZ",
        title="Kaze no Uta",
        episodes=[5],
        subtitles=["fr"],
    ),
    named("Kaze no Uta 105 VOSTFR 720p", title="Kaze no Uta", absolute=[105]),
    named(
        "Kaze no Uta S01 1080p Dual Audio BDRip 10 bits DD x265-QUARTZ",
        title="Kaze no Uta",
        seasons=[1],
        bit_depth=10,
        group="QUARTZ",
    ),
    named("[Quartz] Kaze no Uta - Vol.2 [BD 1080p]", title="Kaze no Uta"),
    named("05 - Kaze no Uta - Ame [720p].mkv", title="Kaze no Uta", episodes=[5]),
    named(
        "[Quartz] Kaze no Uta - 16-18 (116-118) [720p]",
        episodes=[16, 17, 18],
        absolute=[116, 117, 118],
    ),
    named("[Quartz-Subs] Kaze no Uta - 05 [720p]", group="Quartz-Subs"),
    named("[Quartz & Opal] Kaze no Uta - 05 [720p]", group="Quartz & Opal"),
    named(
        "【Quartz】 Kaze no Uta - 05 【720p】", title="Kaze no Uta", absolute=[5], group="Quartz"
    ),
    named("[Quartz] Kaze no Uta Final Season - 05 [720p]", title="Kaze no Uta Final Season"),
    named("[Quartz] Kaze no Uta 01 Ame [720p]", title="Kaze no Uta", absolute=[1]),
    named("[Quartz] Kaze no Uta OVA 2 [720p]", title="Kaze no Uta", episodes=[2], special=True),
    named("[Quartz] Kaze no Uta - PV [720p]", title="Kaze no Uta", special=True),
    named("[Quartz] Kaze no Uta - 05.5v2 [720p]", absolute=[5.5], version=2),
    named("[Quartz] Kaze no Uta - 05 & 06 [720p]", absolute=[5, 6]),
    named("[Quartz] 86 - 05 [1080p]", title="86", absolute=[5]),
    named("Kaze no Uta - Ame (Quartz Subs, 720p) [1A2B3C4D].mkv", group="Quartz Subs"),
    named("Kaze no Uta - Ame (BDrip 1920x1080 x264 FLACx2)-qrz.mkv", group="qrz"),
    named("[Quartz] Kaze no Uta 01 - 12 [1080p]", title="Kaze no Uta", absolute=list(range(1, 13))),
    named("[Quartz] Kaze no Uta 105 END [1080p]", title="Kaze no Uta", absolute=[105]),
    named(
        "[Quartz] Kaze no Uta 105 S05E05 [1080p]", title="Kaze no Uta", episodes=[5], absolute=[105]
    ),
    named("[Quartz] Kaze at 29 S05E05 [1080p]", title="Kaze at 29", episodes=[5], absolute=[]),
    named("[Quartz-Opal]_[B-L]_Kaze_no_Uta_Ep05_(1a2b3c4d)", title="Kaze no Uta", episodes=[5]),
    named("[Quartz][Kaze no Uta] 05 [1080p]", title="Kaze no Uta", absolute=[5]),
    named("[Quartz] Kaze.404.Uta (WEB 1080p)", title="Kaze 404 Uta", absolute=[]),
    named("[Quartz] Kaze 1.11 - Ame [1080p]", title="Kaze 1.11 - Ame", absolute=[]),
    named("[Quartz] Kaze no Uta [05Pre] [1080p]", title="Kaze no Uta", absolute=[5]),
    named("[Quartz x Site.io] Kaze no Uta - 05 [1080p]", absolute=[5], group="Quartz x Site.io"),
    named("[Q] Kaze no Uta - 05 (1080p HEVC Multi-Sub)", absolute=[5], group="Q"),
    named("Kaze.no.Uta.S02E05.1080p.WEB-DL.H.265-Quartz-Raws", group="Quartz-Raws"),
    named("Kaze no Uta 87 VOSTFR 720p", title="Kaze no Uta", absolute=[87]),
    named("[Quartz] 劇場版 Kaze no Uta [BDRip 1080p]", title="Kaze no Uta"),
    named(
        "[Quartz] Kaze no Uta 100 - S02E05 [1080p]",
        title="Kaze no Uta 100",
        seasons=[2],
        episodes=[5],
        absolute=[],
    ),
    named("[Quartz] Kaze no Uta 100 S02E05 [1080p]", title="Kaze no Uta 100", absolute=[]),
    named("[Quartz] Kaze no Uta - 265 [1080p]", title="Kaze no Uta", absolute=[265]),
    named("[Quartz] Kaze no Uta - 264 (1080p)", title="Kaze no Uta", absolute=[264]),
    named("Kaze.no.Uta.2014.1080p.BluRay.DTS-X.264-QUARTZ", codec="h264"),
)
