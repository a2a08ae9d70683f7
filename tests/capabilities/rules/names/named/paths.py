"""Whole paths, whose folders speak too."""

from tests.capabilities.rules.names.named.rows import named

NAMES = (
    named(
        "/media/Series/Harbour Lights/Season 02/Harbour Lights - S02E05 - The Long Pier.mkv",
        title="Harbour Lights",
        seasons=[2],
        episodes=[5],
    ),
    named(
        "/media/Series/Harbour Lights/Season 2/05 - The Long Pier.mkv",
        title="Harbour Lights",
        seasons=[2],
        episodes=[5],
    ),
    named(
        "/media/Series/Harbour Lights (2014)/S02/E05.mkv",
        title="Harbour Lights",
        year=2014,
        seasons=[2],
        episodes=[5],
    ),
    named(
        "/media/Series/Harbour Lights/2x05 The Long Pier.avi",
        title="Harbour Lights",
        seasons=[2],
        episodes=[5],
    ),
    named(
        "Harbour.Lights.S02.720p.WEB-DL-QUARTZ/Harbour.Lights.S02E05.mkv",
        title="Harbour Lights",
        resolution="720p",
        group="QUARTZ",
    ),
    named(
        "Harbour.Lights.S02.720p.WEB-DL-QUARTZ/harbour.lights.205.mkv", seasons=[2], episodes=[5]
    ),
    named(
        "Harbour.Lights.S02E05.720p.WEB-DL-QUARTZ/3f2a9c0d17be44f0a1b2c3d4e5f60718.mkv",
        title="Harbour Lights",
        seasons=[2],
        episodes=[5],
        group="QUARTZ",
    ),
    named(
        "/media/Movies/Amber Coast (2014)/Amber.Coast.2014.1080p.BluRay.x264-QUARTZ.mkv",
        title="Amber Coast",
        year=2014,
    ),
    named("/media/Movies/Amber Coast (2014)/Amber Coast.mkv", title="Amber Coast", year=2014),
    named(
        "Amber.Coast.2014.1080p.BluRay.x264-QUARTZ/qz-ambercoast.mkv",
        title="Amber Coast",
        year=2014,
        group="QUARTZ",
    ),
    named("Amber Coast (2014)/Extended Cut.mkv", title="Amber Coast", edition=["extended"]),
    named("D:\\Films\\Amber Coast (2014)\\Amber Coast.mkv", title="Amber Coast", year=2014),
    named(
        "/media/Anime/Kaze no Uta/[Quartz] Kaze no Uta - 05 [720p].mkv",
        title="Kaze no Uta",
        absolute=[5],
    ),
    named("/media/Anime/风之歌/第二季/05.mkv", title="风之歌", seasons=[2], episodes=[5]),
    named(
        "Harbour Lights/Season 2/Harbour Lights 05.mkv",
        title="Harbour Lights",
        seasons=[2],
        episodes=[5],
    ),
    named(
        "Series/Harbour Lights/Harbour Lights.05.The Long Pier.avi",
        title="Harbour Lights",
        episodes=[5],
    ),
    named("Harbour Lights/Specials/Harbour Lights S00E01.mkv", title="Harbour Lights", seasons=[0]),
    named("Harbour Lights/Season 2/Subs/2_English.srt", title="Harbour Lights", subtitles=["en"]),
    named("Harbour Lights Season 2/Harbour.Lights.S02E05.srt", container="srt"),
    named("some/folder/[Quartz]Amber.Coast.mkv", title="Amber Coast", group="Quartz"),
    named("Harbour Lights/02/05 The Pier.avi", title="Harbour Lights", seasons=[2], episodes=[5]),
    named("Harbour Lights/Season 4/Harbour Lights [401] The Pier.avi", seasons=[4], episodes=[1]),
    named(
        "Harbour Lights/2x05 - Harbour Lights - The Pier.avi",
        title="Harbour Lights",
        episode_title="The Pier",
    ),
    named("Harbour Lights/Season 2/The Pier.mkv", title="Harbour Lights", episode_title="The Pier"),
    named("Amber Coast (2014)/Somebody - Amber Coast (DVDRip).avi", title="Amber Coast"),
    named("Movies/Amber Coast (2014)-x02-Making_Of.mkv", title="Amber Coast", group=None),
    named("Bands/Band_of_Piers-e01-Currahee.mkv", episodes=[1], group=None),
    named(
        "Harbour.Lights.S02E05.The.Long.Pier.PROPER.720p.WEB-DL-QUARTZ/3f2a9c0d17be44f0a1b2c3d4e5f60718.mkv",
        episode_title="The Long Pier",
        version=2,
        container="mkv",
    ),
    named(
        "Harbour.Lights.S02E05.720p.WEB-DL.H.264-QUARTZ/161219_06.mkv",
        title="Harbour Lights",
        seasons=[2],
        episodes=[5],
    ),
    named(
        "downloads/Kaze no Uta - 05 (720p)(HEVC)/3f2a9c0d17be44f0a1b2c3d4e5f60718.mkv",
        title="Kaze no Uta",
        absolute=[5],
    ),
    named(
        "Movies/Amber.Coast.2014.1080p.BluRay.x264-QUARTZ",
        title="Amber Coast",
        year=2014,
        group="QUARTZ",
    ),
    named(
        "/media/Series/Harbour Lights (2010)/Season 02/05 - Winter 1984.mkv",
        title="Harbour Lights",
        year=2010,
        seasons=[2],
        episodes=[5],
        episode_title="Winter 1984",
    ),
    named(
        "/media/Series/Harbour Lights/Season 02/Episode 5 - Winter 1984.mkv",
        title="Harbour Lights",
        seasons=[2],
        episodes=[5],
    ),
    named(
        "/media/Series/Harbour Lights (2010)/Season 02/2x05 Winter 1984.mkv",
        title="Harbour Lights",
        year=2010,
        seasons=[2],
        episodes=[5],
    ),
    named(
        "/media/Movies/Amber Coast (2014)/qz-ambercoast1080p.mkv", title="Amber Coast", year=2014
    ),
    named(
        "/media/Movies/21 Marshes (2014)/21 Marshes.mkv", title="21 Marshes", year=2014, episodes=[]
    ),
    named("/media/Movies/404 (2014)/404.mkv", title="404", year=2014, episodes=[]),
    named("/电影/01.mkv", title="01"),
    named("/下载/国产剧/完结/05.mkv", title="05"),
    named("/动漫/风之歌/05.mkv", title="风之歌", episodes=[5]),
    named("アニメ/風の歌/05.mkv", title="風の歌", episodes=[5]),
    named("华语电影/风之歌.2019.mkv", title="风之歌", year=2019),
    named("/드라마/바람의 노래/05.mkv", title="바람의 노래", episodes=[5]),
    named("/片/风之歌 全4集/花絮.mkv", episodes=[]),
)
