"""Groups, sources, pictures, sounds, languages and editions in all their spellings."""

from tests.capabilities.rules.names.named.rows import Named, named

_TITLE = "Amber.Coast.2014."


def _tags(text: str, **says: object) -> Named:
    return Named(_TITLE + text, {"title": "Amber Coast", **says})


GROUPS = (
    _tags("1080p.BluRay.x264-QUARTZ", group="QUARTZ"),
    _tags("1080p.BluRay.x264-QUARTZ-postbot", group="QUARTZ"),
    _tags("1080p.BluRay.x264-QUARTZ-Obfuscated", group="QUARTZ"),
    _tags("1080p.BluRay.x264-QUARTZ[rarbg]", group="QUARTZ"),
    _tags("1080p.BluRay.x264-QUARTZ [eztv.io]", group="QUARTZ"),
    _tags("1080p.BluRay.x264-Q-Z0N3", group="Q-Z0N3"),
    _tags("1080p.BluRay.x264-QUARTZ_HD", group="QUARTZ_HD"),
    _tags("1080p.BluRay.DTS-HD.MA.5.1-QUARTZ", group="QUARTZ"),
    _tags("1080p.BluRay.DTS-HD", group=None),
    _tags("1080p.BluRay.DTS-ES", group=None),
    _tags("1080p.WEB-DL", group=None),
    _tags("1080p.BluRay.x264.German", group=None, languages=["de"]),
    _tags("1080p.BluRay.x264-QUARTZ.German", group="QUARTZ"),
    _tags("1080p.BluRay.x264-QUARTZ English", group="QUARTZ"),
    _tags("1080p.BluRay.x264-Quartz-Opal", group="Quartz-Opal"),
    _tags("1080p.WEB.H264-QUARTZ-xpost", group="QUARTZ"),
    _tags("1080p.WEB.H264-QUARTZ-1", group="QUARTZ"),
    _tags("1080p.WEB.H264-re-enc.QUARTZ", group="QUARTZ"),
    _tags("1080p.WEB.x264.1-QUARTZ-Obfuscated", group="QUARTZ"),
    _tags("1080p.WEB.H264-QUARTZ.mkv", group="QUARTZ", container="mkv"),
    named(
        "Amber Coast (2014) (1080p BluRay x265 HEVC 10bit AAC 5.1 Quartz)",
        title="Amber Coast",
        group="Quartz",
    ),
    named("Amber Coast (2014) (1080p BluRay x265 10bit - Quartz) [QxR]", group="QxR"),
    named("Amber Coast 2014 1080p WEB-DL - Quartz", group="Quartz"),
    named("Amber Coast 2014 1080p WEB-DL x264 mkv-QUARTZ", group="QUARTZ"),
    named("[Quartz] Amber Coast 2014 1080p BluRay", group="Quartz"),
)
SOURCES = (
    *(
        _tags(f"1080p.{word}.x264-QUARTZ", source=source, group="QUARTZ")
        for word, source in (
            ("BluRay", "bluray"), ("Blu-Ray", "bluray"), ("BDRip", "bluray"), ("BRRip", "bluray"),
            ("BD", "bluray"), ("BDRemux", "remux"), ("BluRay.Remux", "remux"),
            ("UHD.BluRay", "bluray"), ("UHDBDRip", "bluray"), ("WEB-DL", "web-dl"),
            ("WEB.DL", "web-dl"), ("WEBDL", "web-dl"), ("WEBRip", "webrip"), ("WEB-Rip", "webrip"),
            ("WEB", "web"), ("HDTV", "hdtv"), ("PDTV", "tv"), ("DSR", "tv"), ("SATRip", "tv"),
            ("TVRip", "tv"), ("DVDRip", "dvd"), ("DVD-R", "dvd"), ("DVD9", "dvd"),
            ("2xDVD9", "dvd"),
            ("HDRip", "hdrip"), ("HDCAM", "cam"), ("CAMRip", "cam"), ("HDTS", "telesync"),
            ("TELESYNC", "telesync"), ("HDTC", "telecine"), ("DVDScr", "screener"),
            ("S-Print", "cam"), ("TS-Screener", "telesync"),
            ("SCREENER", "screener"), ("WORKPRINT", "workprint"), ("VHSRip", "vhs"),
            ("HD-DVD", "hd-dvd"), ("PPVRip", "ppv"), ("VODRip", "vod"), ("LaserDisc", "laserdisc"),
            ("WEB-DLRip", "webrip"),
        )
    ),
)  # fmt: skip
PICTURES = (
    *(
        _tags(f"{word}.BluRay-QUARTZ", resolution=resolution)
        for word, resolution in (
            ("480p", "480p"), ("576p", "576p"), ("720p", "720p"), ("1080i", "1080p"),
            ("1080p", "1080p"), ("1440p", "1440p"), ("2160p", "2160p"), ("4K", "2160p"),
            ("UHD", "2160p"), ("1920x1080", "1080p"), ("1280x720", "720p"), ("3840x2160", "2160p"),
            ("8K", "4320p"), ("FHD", "1080p"), ("1080p60", "1080p"),
        )
    ),
    *(
        _tags(f"1080p.BluRay.{word}-QUARTZ", codec=codec)
        for word, codec in (
            ("x264", "h264"), ("H.264", "h264"), ("h264", "h264"), ("AVC", "h264"),
            ("x265", "h265"),
            ("H.265", "h265"), ("HEVC", "h265"), ("x266", "h266"), ("VVC", "h266"), ("AV1", "av1"),
            ("VP9", "vp9"), ("XviD", "xvid"), ("DivX", "divx"), ("MPEG2", "mpeg2"), ("VC-1", "vc1"),
        )
    ),
    _tags("2160p.WEB-DL.DV.HDR10.H265-QUARTZ", hdr=["dv", "hdr"]),
    _tags("2160p.WEB-DL.DV.HDR10+.H265-QUARTZ", hdr=["dv", "hdr10+"]),
    _tags("2160p.WEB-DL.Dolby.Vision.H265-QUARTZ", hdr=["dv"]),
    _tags("2160p.WEB-DL.HLG.H265-QUARTZ", hdr=["hlg"]),
    _tags("2160p.WEB-DL.HDR.H265.10bit-QUARTZ", hdr=["hdr"], bit_depth=10),
    _tags("1080p.BluRay.Hi10P.x264-QUARTZ", bit_depth=10),
)  # fmt: skip
SOUNDS = (
    *(
        _tags(f"1080p.BluRay.{word}.x264-QUARTZ", audio=audio, channels=channels)
        for word, audio, channels in (
            ("AAC2.0", ["aac"], "2.0"), ("AC3", ["ac3"], None), ("DD5.1", ["ac3"], "5.1"),
            ("DDP5.1", ["eac3"], "5.1"), ("DD+5.1", ["eac3"], "5.1"), ("EAC3.5.1", ["eac3"], "5.1"),
            ("E-AC-3", ["eac3"], None), ("DTS", ["dts"], None),
            ("DTS-HD.MA.7.1", ["dts-hd"], "7.1"),
            ("DTS-X.7.1", ["dts-x"], "7.1"), ("TrueHD.Atmos.7.1", ["atmos", "truehd"], "7.1"),
            ("DDP.Atmos.5.1", ["atmos", "eac3"], "5.1"), ("FLAC.2.0", ["flac"], "2.0"),
            ("Opus", ["opus"], None), ("MP3", ["mp3"], None), ("LPCM.2.0", ["pcm"], "2.0"),
            ("6CH", [], "5.1"), ("DDPA5.1", ["atmos", "eac3"], "5.1"),
        )
    ),
)  # fmt: skip
LANGUAGES = (
    *(
        _tags(f"{word}.1080p.WEB-DL.x264-QUARTZ", languages=languages)
        for word, languages in (
            ("FRENCH", ["fr"]), ("TRUEFRENCH", ["fr"]), ("VFF", ["fr"]), ("GERMAN", ["de"]),
            ("German.DL", ["de", "original"]), ("iTALiAN", ["it"]), ("iTA.ENG", ["en", "it"]),
            ("SPANISH", ["es"]), ("LATINO", ["es-419"]), ("PORTUGUESE", ["pt"]),
            ("pt-BR", ["pt-br"]),
            ("RUSSIAN", ["ru"]), ("Rus.Eng", ["en", "ru"]), ("2xRus.Ukr", ["ru", "uk"]),
            ("POLISH", ["pl"]), ("CZ", ["cs"]), ("HUNGARiAN", ["hu"]), ("DUTCH", ["nl"]),
            ("FLEMISH", ["nl-be"]), ("SWEDiSH", ["sv"]), ("DANiSH", ["da"]), ("NORWEGiAN", ["no"]),
            ("FiNNiSH", ["fi"]), ("ICELANDIC", ["is"]), ("JAPANESE", ["ja"]), ("KOREAN", ["ko"]),
            ("CHINESE", ["zh"]), ("CANTONESE", ["zh"]), ("HINDI", ["hi"]), ("TAMIL", ["ta"]),
            ("TELUGU", ["te"]), ("TURKISH", ["tr"]), ("GREEK", ["el"]), ("HEBREW", ["he"]),
            ("ARABIC", ["ar"]), ("THAI", ["th"]), ("ViETNAMESE", ["vi"]), ("ROMANiAN", ["ro"]),
            ("BULGARiAN", ["bg"]), ("UKRAiNiAN", ["uk"]), ("CATALAN", ["ca"]),
            ("LiTHUANiAN", ["lt"]),
            ("LATViAN", ["lv"]), ("ESTONiAN", ["et"]), ("SLOVAK", ["sk"]), ("PERSiAN", ["fa"]),
            ("BENGALI", ["bn"]), ("MALAYALAM", ["ml"]), ("KANNADA", ["kn"]),
            ("ENG-FRE-GER", ["de", "en", "fr"]),
            ("[Fr-En]", ["en", "fr"]), ("SPA-CAT", ["ca", "es"]), ("RU-KA", ["ka", "ru"]),
            ("MULTi", []), ("Dual.Audio", []),
        )
    ),
    _tags("VOSTFR.1080p.WEB-DL", languages=[], subtitles=["fr"]),
    _tags("1080p.WEB-DL.Ger.Fre.Eng.Sub.x264", languages=[], subtitles=["de", "en", "fr"]),
    _tags("1080p.WEB-DL.ITA.Sub.ENG.x264", languages=["it"], subtitles=["en"]),
    _tags("1080p.WEB-DL.ENG.SWESUB.x264", languages=["en"], subtitles=["sv"]),
    _tags("1080p.WEB-DL.KORSUB.HC.x264", subtitles=["ko"], hardcoded_subs=True),
    named("Amber.Coast.2014.pt-BR.srt", subtitles=["pt-br"], container="srt"),
    named("Amber.Coast.2014.en.forced.srt", subtitles=["en"]),
    named("The.French.Baker.2014.1080p.WEB-DL", title="The French Baker", languages=[]),
    named("Polish.Summer.2014.1080p.WEB-DL", title="Polish Summer", languages=[]),
)  # fmt: skip
EDITIONS = (
    *(
        _tags(f"{word}.1080p.BluRay.x264-QUARTZ", edition=edition)
        for word, edition in (
            ("EXTENDED", ["extended"]), ("Extended.Edition", ["extended"]),
            ("Directors.Cut", ["directors-cut"]), ("Director's.Cut", ["directors-cut"]),
            ("DC", ["directors-cut"]), ("THEATRICAL", ["theatrical"]), ("UNRATED", ["unrated"]),
            ("UNCUT", ["uncut"]), ("Uncensored", ["uncensored"]), ("REMASTERED", ["remastered"]),
            ("4K.Remastered", ["remastered"]), ("RESTORED", ["restored"]), ("IMAX", ["imax"]),
            ("Criterion", ["criterion"]), ("Criterion.Collection", ["criterion"]),
            ("Collectors.Edition", ["collectors"]), ("Ultimate.Edition", ["ultimate"]),
            ("Special.Edition", ["special"]), ("Limited.Edition", ["limited"]),
            ("Deluxe.Edition", ["deluxe"]), ("20th.Anniversary.Edition", ["anniversary"]),
            ("65th.Anniversary", ["anniversary"]), ("Anniversary.Edition", ["anniversary"]),
            ("Fan.Edit", ["fan"]), ("Despecialized", ["despecialized"]),
            ("Final.Cut", ["final-cut"]),
            ("Open.Matte", ["open-matte"]), ("Festival.Cut", ["festival"]), ("Redux", ["redux"]),
            ("Extended.Directors.Cut", ["directors-cut", "extended"]),
            ("EXTENDED.REMASTERED", ["extended", "remastered"]),
            ("Unrated.Directors.Cut", ["directors-cut", "unrated"]),
            ("Ultimate.Collectors.Edition", ["collectors", "ultimate"]),
            ("Extended.Theatrical.Version.IMAX", ["extended", "imax", "theatrical"]),
            ("Directors", ["directors-cut"]), ("Recut", ["recut"]),
            ("Definitive.Edition", ["definitive"]),
            ("The.Ultimate.Cut", ["ultimate"]),
            ("Special.Extended.Edition", ["extended", "special"]),
            ("Uncut.Unrated.Version", ["uncut", "unrated"]), ("Alternative.Cut", ["alternate"]),
        )
    ),
    named("Ultimate.Coast.2014.1080p.BluRay", title="Ultimate Coast", edition=[]),
    named("The.Extended.Family.2014.1080p.BluRay", title="The Extended Family", edition=[]),
)  # fmt: skip
REVISIONS = (
    _tags("PROPER.1080p.WEB-DL", version=2, proper=True, real=0),
    _tags("REAL.PROPER.1080p.WEB-DL", version=2, real=1),
    _tags("REPACK2.1080p.WEB-DL", version=3, repack=True),
    _tags("RERIP2.1080p.BluRay", version=3, repack=True),
    _tags("1080p.CC.WEBRip.x264", network="comedycentral", edition=[], source="webrip"),
    _tags("1080p.CC.BluRay.x264", network=None, edition=["criterion"]),
    named("Amber.Coast.Heptalogy.1080p.BluRay", title="Amber Coast", complete=True),
    _tags("RERIP.1080p.WEB-DL", version=2, repack=True),
    _tags("1080p.WEB-DL.v2", version=2),
)
GLUED = (
    _tags("1080p.HDTVx264", source="hdtv", codec="h264"),
    _tags("1080p.WEBRipx265", source="webrip", codec="h265"),
    _tags("1080p.WEB-DL.AACx3", audio=["aac"]),
    _tags("1080p.WEB-DL.EAC3x2", audio=["eac3"]),
    _tags("BluRay1080p", source="bluray", resolution="1080p"),
)
SUBTITLES = (
    named("Harbour.Lights.S02E05.HDTV.Subtitulado.Esp", subtitles=["es"], languages=[]),
    named("Harbour.Lights.S02E05.1080p.WEBRip.Legendado.PT-BR", subtitles=["pt-br"]),
    named("Harbour.Lights.S02E05.German.Custom.Subbed.720p.HDTV.x264-QUARTZ", subtitles=["de"]),
    named("Harbour.Lights.S02.DVD2.NLsubs-QUARTZ", subtitles=["nl"], source="dvd", group="QUARTZ"),
)
NAMES = (
    *GROUPS,
    *SOURCES,
    *PICTURES,
    *SOUNDS,
    *LANGUAGES,
    *SUBTITLES,
    *GLUED,
    *EDITIONS,
    *REVISIONS,
)
