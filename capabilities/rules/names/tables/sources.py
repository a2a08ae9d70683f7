"""Spellings of sources."""

from capabilities.rules.names.tables.rows import row, weak
from capabilities.rules.names.vocabulary import Field, Resolution, Source, VideoCodec

_S, _R, _V = Field.SOURCE, Field.RESOLUTION, Field.VIDEO_CODEC
_WITH_CHINESE = ("", "中字", "国语", "國語", "国语中字", "國語中字", "中英双字", "双字")
"""What Chinese names write on to a source without a blank."""


def _in_chinese(words: str) -> str:
    """The words alone, and with what is written on to them."""
    return " ".join(f"{word}{added}" for word in words.split() for added in _WITH_CHINESE)


ROWS = (
    row("remux bdremux bd-remux bdrmux brremux dvdremux remuxed", (_S, Source.REMUX)),
    row("uhdremux uhd-remux uhdbdremux", (_S, Source.REMUX), (_R, Resolution.P2160)),
    row(
        "bluray blu-ray bdrip bd-rip brrip br-rip bdmux brmux bdr bdr5 bdr9 blurayrip bluray-rip"
        " blu-ray-rip bluray3d 3dbluray bdbox bd-box blueray blue-ray brdisk br-disk mbluray"
        " cbluray"
        " bdfull bd-full bdiso bdmv bd25 bd50 bd66 bd100 bd5 bd9 bluray-disc hdbrip"
        " bdripmux brripmux bd-mux 原盘 原盤 蓝光 藍光",
        (_S, Source.BLURAY),
    ),
    row(
        "uhdbdrip uhd-bdrip uhd-bluray uhd-blu-ray uhdbluray uhdbd uhd-bd uhdrip uhd-rip"
        " uhdmbluray",
        (_S, Source.BLURAY),
        (_R, Resolution.P2160),
    ),
    weak("bd", (_S, Source.BLURAY)),
    row("hddvd hd-dvd hddvdrip hd-dvdrip hddvd-rip", (_S, Source.HD_DVD)),
    row(
        "web-dl webdl web-hd webhd webmux web-mux webdlmux web-dlmux webdl-rip webuhd uhdwebdl"
        " ituneshd itunes-hd amazonhd amazon-hd netflixhd netflix-hd webdl4k dlmux",
        (_S, Source.WEB_DL),
    ),
    row(
        "webrip web-rip wbbrip webcap web-cap webdlrip web-dlrip web-dl-rip dlrip dl-rip webripped",
        (_S, Source.WEBRIP),
    ),
    weak("web", (_S, Source.WEB)),
    row(
        "hdtv hd-tv hdtvrip hd-tvrip ahdtv uhdtv hdtv-rip hdtvmux hdtv3d uhdtvrip hdtvhd",
        (_S, Source.HDTV),
    ),
    row(
        "pdtv sdtv dsr dsrip ds-rip satrip sat-rip hdsat dvb dvbrip dvb-rip dvbs dvb-s dvb-t dvb-c"
        "  tvrip tv-rip sdtvrip dsrrip tv-dub dth dthrip dtvrip dtv dvd-sat tvmux sd-tv digitaltv"
        " ppvtv",
        (_S, Source.TV),
    ),
    weak("tv", (_S, Source.TV)),
    row(
        "dvdrip dvd-rip dvdr dvd-r dvd5 dvd9 dvd-5 dvd-9 dvdmux dvdfull dvd-full dvdiso"
        " xviddvd xvidvd mdvdr minidvd dvdrrip dvdr5 dvdr9 sd-dvd ntsc-dvd pal-dvd dvd7",
        (_S, Source.DVD),
    ),
    weak("dvd", (_S, Source.DVD)),
    row("hdrip hd-rip microhd micro-hd", (_S, Source.HDRIP)),
    row("vodrip vod-rip vodr", (_S, Source.VOD)),
    weak("vod", (_S, Source.VOD)),
    row("ppvrip ppv-rip", (_S, Source.PPV)),
    weak("ppv", (_S, Source.PPV)),
    row("ldrip laserdisc laserrip ld-rip laser-disc", (_S, Source.LASERDISC)),
    row("vhsrip vhs-rip vhs", (_S, Source.VHS)),
    row("vcd svcd vcdrip xsvcd", (_S, Source.VCD)),
    weak("r5 r6 region-5", (_S, Source.REGIONAL)),
    row(
        "dvdscr dvd-scr dvdscreener dvd-screener bdscr bd-scr webscr web-scr webscreener"
        " web-screener br-screener brscreener brscr hdscr hd-scr hdscreener dvdscrrip scr-rip",
        (_S, Source.SCREENER),
    ),
    weak("scr screener", (_S, Source.SCREENER)),
    row(
        "predvd predvdrip pre-hdrip pre-dvd pre-dvdrip pre-dvd-rip pdvdrip pdvd",
        (_S, Source.PRE_DVD),
    ),
    row("telecine hdtc hd-tc tcrip tc-rip hdtelecine hd-telecine", (_S, Source.TELECINE)),
    weak("tc", (_S, Source.TELECINE)),
    row(
        "telesync telesynch telesyncrip hdtsrip hdts hd-ts hqts tsrip hdtelesync hd-telesync"
        " ts-rip",
        (_S, Source.TELESYNC),
    ),
    weak("ts", (_S, Source.TELESYNC)),
    row(
        "camrip cam-rip hdcam hd-cam hqcam hq-cam hdcamrip newcam hdcamera camhd",
        (_S, Source.CAM),
    ),
    weak("cam", (_S, Source.CAM)),
    row(_in_chinese("枪版 槍版 抢版 抢先枪版 高清枪版 枪版高清 影院枪版 偷拍版"), (_S, Source.CAM)),
    # a leak before its day; what the name says of its making before that counts
    weak(_in_chinese("抢先版 搶先版"), (_S, Source.CAM)),
    row(_in_chinese("tc-抢先版 tc-搶先版 hdtc-抢先版 tc-版 胶片版"), (_S, Source.TELECINE)),
    row(_in_chinese("ts-抢先版 ts-搶先版 hdts-抢先版 ts-版"), (_S, Source.TELESYNC)),
    row("web-dlx264", (_S, Source.WEB_DL), (_V, VideoCodec.H264)),
    row("s-print hq-s-print", (_S, Source.CAM)),
    row("ts-screener", (_S, Source.TELESYNC)),
    row("workprint work-print", (_S, Source.WORKPRINT)),
    weak("wp", (_S, Source.WORKPRINT)),
)
