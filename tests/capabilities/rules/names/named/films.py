"""Films: titles, years, and what stands between them and the tags."""

# ruff: noqa: RUF001  # names are written in all scripts

from tests.capabilities.rules.names.named.rows import named

NAMES = (
    named(
        "Amber.Coast.2014.1080p.BluRay.x264-QUARTZ", title="Amber Coast", year=2014, group="QUARTZ"
    ),
    named(
        "Amber Coast (2014) [1080p] [WEBRip] [5.1] [YTS.MX]",
        title="Amber Coast",
        year=2014,
        source="webrip",
        group="YTS.MX",
    ),
    named("Amber.Coast.2014.PROPER.720p.BluRay.x264-QUARTZ", title="Amber Coast", version=2),
    named("Amber_Coast_2014_DVDRip_XviD-QUARTZ", title="Amber Coast", source="dvd", codec="xvid"),
    named(
        "Amber Coast 2 The Return 2016 2160p UHD BluRay REMUX HEVC DTS-HD MA 7.1-QUARTZ",
        title="Amber Coast 2 The Return",
        source="remux",
        resolution="2160p",
    ),
    named("1944.2012.720p.HDTV.x264-QUARTZ", title="1944", year=2012),
    named("Orbit.2061.1984.1080p.BluRay-QUARTZ", title="Orbit 2061", year=1984),
    named("Orbit 2061 (1984)", title="Orbit 2061", year=1984),
    named(
        "The.Dutch.Painter.2009.1080p.BluRay.x264-QUARTZ", title="The Dutch Painter", languages=[]
    ),
    named(
        "Der.Gruene.Wald.German.2011.DVDRip.x264-QUARTZ",
        title="Der Gruene Wald",
        year=2011,
        languages=["de"],
    ),
    named(
        "Der.Gruene.Wald.2011.German.DL.1080p.BluRay.x264-QUARTZ",
        title="Der Gruene Wald",
        languages=["de", "original"],
    ),
    named(
        "La.Petite.Riviere.FRENCH.2008.BDRip.x264-QUARTZ",
        title="La Petite Riviere",
        languages=["fr"],
    ),
    named(
        "Amber.Coast.Extended.Cut.2014.1080p.BluRay-QUARTZ",
        title="Amber Coast",
        edition=["extended"],
    ),
    named(
        "Amber.Coast.The.Directors.Cut.2014.1080p.BluRay-QUARTZ",
        title="Amber Coast",
        edition=["directors-cut"],
    ),
    named(
        "Amber Coast - Part II - 2014 - 1080p - WEB-DL - QUARTZ",
        title="Amber Coast - Part II",
        part=2,
    ),
    named(
        "Amber.Coast.Part.Three.2014.720p.WEB.H264-QUARTZ", title="Amber Coast Part Three", part=3
    ),
    named(
        "Amber.Coast.3D.2014.1080p.BluRay.Half-SBS.x264-QUARTZ", title="Amber Coast", three_d=True
    ),
    named("Amber.Coast.2014.CAM.x264-QUARTZ", title="Amber Coast", source="cam"),
    named(
        "Amber.Coast.2014.1080p.NF.WEB-DL.DDP5.1.Atmos.H.264-QUARTZ",
        network="netflix",
        audio=["atmos", "eac3"],
    ),
    named(
        "Amber Coast - Saga Episode 4 The Long Night 1999 BDRip x264-QUARTZ",
        title="Amber Coast - Saga Episode 4 The Long Night",
        year=1999,
    ),
    named("Mr.&.Mrs.Lark.2005.1080p", title="Mr & Mrs Lark", year=2005),
    named("S.W.A.N.2019.1080p.WEB-DL-QUARTZ", title="S W A N", year=2019),
    named("Amber Coast [2014] 1080p", title="Amber Coast", year=2014),
    named("Amber Coast {2014} 1080p", title="Amber Coast", year=2014),
    named("Amber.Coast.1080p.WEB-DL", title="Amber Coast", year=None),
    named("Amber Coast (2014) {imdb-tt1234567}", imdb_id="tt1234567"),
    named(
        "Amber Coast AKA Bernsteinkueste 2014 1080p BluRay",
        titles=["Amber Coast", "Bernsteinkueste"],
    ),
    named(
        "Янтарный берег / Amber Coast (2014) BDRip 1080p",
        titles=["Янтарный берег", "Amber Coast"],
        year=2014,
    ),
    named(
        "Янтарный берег / Amber Coast [2014, США, драма, WEB-DLRip]",
        titles=["Янтарный берег", "Amber Coast"],
        year=2014,
    ),
    named("Amber.Coast.2014.DVDSCR.XviD", source="screener"),
    named(
        "[ www.example.org ] - Amber Coast 2014 720p",
        title="Amber Coast",
        website="www.example.org",
    ),
    named("Amber.Coast.2014.LIMITED.1080p.BluRay.x264-QUARTZ", edition=["limited"]),
    named(
        "Amber.Coast.2014.COMPLETE.UHD.BLURAY-QUARTZ",
        source="bluray",
        resolution="2160p",
        group="QUARTZ",
    ),
    named("Amber.Coast.2014.2in1.1080p.BluRay.x264-QUARTZ", edition=["2in1"]),
    named("Amber.Coast.2014.MULTi.1080p.BluRay.x264-QUARTZ", title="Amber Coast", languages=[]),
    named(
        "Amber Coast 2014 BluRay 1080p DTS-HD MA 5.1 AVC REMUX-QUARTZ",
        source="remux",
        audio=["dts-hd"],
        channels="5.1",
    ),
    named(
        "amber.coast.2014.1080p.bluray.x264-quartz.mkv",
        title="amber coast",
        group="quartz",
        container="mkv",
    ),
    named(
        "qz-amber.coast.of.jade.2014.1080p.bluray.x264.mkv", title="amber coast of jade", group="qz"
    ),
    named("FR - Amber Coast (2014)", title="Amber Coast", year=2014, languages=["fr"]),
    named("(2014) Amber Coast 1080p", title="Amber Coast", year=2014, group=None),
    named("Amber Coast, The (2014)", title="The Amber Coast", year=2014),
    named("Amber Coast a.k.a. Golden Bay (2014)", titles=["Amber Coast", "Golden Bay"]),
    named("Amber.Coast.2014.1080p.WEB.H264-NZBgeek", group="NZBgeek"),
    named(
        "The.Amber.Coast.German.2014.DL.1080p.BluRay.x264-QUARTZ",
        title="The Amber Coast",
        languages=["de", "original"],
    ),
    named(
        "AMBER.COAST.GERMAN.2014.1080P.BLURAY.X264-QUARTZ", title="AMBER COAST", languages=["de"]
    ),
    named(
        "Letters.to.the.Dutch.UNRATED.1080p.BluRay.x264-QUARTZ",
        title="Letters to the Dutch",
        edition=["unrated"],
    ),
    named("Directors.Cut.2014.1080p.BluRay.x264-QUARTZ", title="Directors Cut", edition=[]),
    named("8-Bit.Winter.2014.1080p.WEB.H264-QUARTZ", title="8-Bit Winter"),
    named("www lanterns org - Amber Coast (2014) 720p HDRip", title="Amber Coast", year=2014),
    named(
        "www.lanterns.org_-_Amber_Coast_(2014)_720p_HDRip",
        title="Amber Coast",
        website="www.lanterns.org",
    ),
    named("Amber.Coast.2014.4Kto1080p.WEB.x265-QUARTZ", resolution="1080p"),
    named("Amber_Coast_2014_720p_WEB_DD+_5.1_x264-QUARTZ", audio=["eac3"], channels="5.1"),
)
