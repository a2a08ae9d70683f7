import time
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from capabilities.rules.names.parsing import LONGEST_NAME, parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import (
    AudioCodec,
    Container,
    DynamicRange,
    Edition,
    Field,
    Resolution,
    Source,
    VideoCodec,
)
from capabilities.rules.works import WorkKind

FILM, SERIES = WorkKind.FILM, WorkKind.SERIES


@pytest.mark.parametrize(
    ("text", "title", "year"),
    [
        ("Sintel.2010.1080p.BluRay.x264-GRP", "Sintel", 2010),
        ("Sintel (2010) [1080p] [BluRay]", "Sintel", 2010),
        ("2012.2009.1080p.BluRay", "2012", 2009),
        ("1917.2019.2160p.UHD.BluRay", "1917", 2019),
        ("1917.1080p.BluRay", "1917", None),
        ("Blade.Runner.2049.2017.1080p.BluRay", "Blade Runner 2049", 2017),
        ("Blade.Runner.2049.1080p.BluRay", "Blade Runner 2049", None),
        ("2001.A.Space.Odyssey.1968.720p", "2001 A Space Odyssey", 1968),
        ("Wonder.Woman.1984.2020.1080p.WEB-DL", "Wonder Woman 1984", 2020),
        ("The.Good.German.2006.720p.BluRay", "The Good German", 2006),
        ("xXx 2002 1080p AMZN WEB-DL H.264", "xXx", 2002),
        ("Home.Alone.2.Lost.In.New.York.1992.Bluray.1080p", "Home Alone 2 Lost In New York", 1992),
        ("The 355 2022 BluRay 1080p", "The 355", 2022),
        ("Infernal.Affairs.Trilogy.2002-2003.1080p", "Infernal Affairs Trilogy", 2002),
        ("Title.EXTENDED.2013.1080p.BluRay", "Title", 2013),
        ("Title.1080p.BluRay.2012", "Title", 2012),
        ("Mad.Max.1080p.BluRay", "Mad Max", None),
        ("Mr. Holland's Opus (1995) 720p", "Mr. Holland's Opus", 1995),
        ("(500) Days of Summer (2009) 1080p", "(500) Days of Summer", 2009),
        ("www.example.org - Sintel 2010 1080p", "Sintel", 2010),
        ("[www.example.com] Sintel 2010 1080p", "Sintel", 2010),
    ],
)
def test_a_film_is_read_as_title_and_year(text: str, title: str, year: int | None) -> None:
    name = parse(text)
    assert (name.title, name.year) == (title, year)
    assert not name.seasons


@pytest.mark.parametrize(
    ("text", "title", "seasons", "episodes"),
    [
        ("Show.S01E02.720p.HDTV", "Show", (1,), (2,)),
        ("Show.S01E01E02.720p", "Show", (1,), (1, 2)),
        ("Show.S01E01-E03.720p", "Show", (1,), (1, 2, 3)),
        ("Show.S01E01-03.720p", "Show", (1,), (1, 2, 3)),
        ("Show.S01E01-S01E03.720p", "Show", (1,), (1, 2, 3)),
        ("Show.S01E05-1080p.WEB", "Show", (1,), (5,)),
        ("Show.S01.E05.720p", "Show", (1,), (5,)),
        ("Show S03 - EP14 VOSTFR", "Show", (3,), (14,)),
        ("Show.S01.1080p.WEB-DL", "Show", (1,), ()),
        ("Show.S01-S04.1080p", "Show", (1, 2, 3, 4), ()),
        ("Show.S01.-.S03.1080p", "Show", (1, 2, 3), ()),
        ("Show.1x02.HDTV", "Show", (1,), (2,)),
        ("Show 1x02-03-04 HDTV", "Show", (1,), (2, 3, 4)),
        ("Show 1 x 03 HDTV", "Show", (1,), (3,)),
        ("Show Season 2 720p", "Show", (2,), ()),
        ("Show Season 1 to 3 720p", "Show", (1, 2, 3), ()),
        ("Show Season 1, 2 & 4 720p", "Show", (1, 2, 4), ()),
        ("Show Season 2 Episode 5 720p", "Show", (2,), (5,)),
        ("Show 2nd Season 1080p", "Show", (2,), ()),
        ("Show.Second.Season.1080p", "Show", (2,), ()),
        ("Show.Saison5.FRENCH.DVDRip", "Show", (5,), ()),
        ("Show [HDTV][Cap.408][Castellano]", "Show", (4,), (8,)),
        ("Show.EP05.1080p", "Show", (), (5,)),
        ("Show 5 of 9 720p", "Show", (), (5,)),
        ("Show 5of9 720p", "Show", (), (5,)),
        ("Show.S00E01.Special.720p", "Show", (0,), (1,)),
        ("Show.S06E01b.Part.2.1080p", "Show", (6,), (1,)),
        ("1923.S01E01.1923.1080p.AMZN.WEB-DL", "1923", (1,), (1,)),
        ("S02E04E05.720p.BluRay-GRP", "", (2,), (4, 5)),
        ("黑镜第二季 1080p", "黑镜", (2,), ()),
        ("黑镜 第01-12集 1080p", "黑镜", (), tuple(range(1, 13))),
        ("黑镜 12集 1080p", "黑镜", (), (12,)),
        ("综艺 第5期 1080p", "综艺", (), (5,)),
        ("Show [HDTV][Cap.08]", "Show", (), (8,)),
        ("Show 5th Season 720p", "Show", (5,), ()),
        ("Show Season 1-3 720p", "Show", (1, 2, 3), ()),
        ("Show.Episode.366v2.VOSTFR", "Show", (), (366,)),
        ("黑镜 第十二集 1080p", "黑镜", (), (12,)),
    ],
)
def test_a_series_is_read_as_title_seasons_and_episodes(
    text: str, title: str, seasons: tuple[int, ...], episodes: tuple[int, ...]
) -> None:
    name = parse(text)
    assert (name.title, name.seasons, name.episodes) == (title, seasons, episodes)
    assert name.kind is SERIES
    assert name.is_season_pack is (bool(seasons) and not episodes)


@pytest.mark.parametrize(
    ("text", "title", "numbers"),
    [
        ("[Group] Title - 05 [1080p].mkv", "Title", (5,)),
        ("[Group] Title - 05v2 (1080p) [ABCDEF12].mkv", "Title", (5,)),
        ("[Group] Title - 12.5 [1080p]", "Title", (12.5,)),
        ("[Group] Title - 316-318 [720p]", "Title", (316, 317, 318)),
        ("[Group] Mob Psycho 100 - 01 [720p]", "Mob Psycho 100", (1,)),
        ("[Group] One Piece 1004 [E63F2984].mkv", "One Piece", (1004,)),
        ("[Group] Detective Conan - 1000 [1080p HEVC].mkv", "Detective Conan", (1000,)),
        ("[Group][Title][15][1080p]", "Title", (15,)),
        ("[Group][Title][01-12完][1080p]", "Title", tuple(range(1, 13))),
        ("Title - 010 (720p) [27AAA0A0].mkv", "Title", (10,)),
        ("[Group] Title (2009) - 04 [720p]", "Title", (4,)),
        ("[Group] Title S2 - 11 [1080p]", "Title", (11,)),
    ],
)
def test_a_bare_number_counts_through_all_seasons(
    text: str, title: str, numbers: tuple[float, ...]
) -> None:
    name = parse(text)
    assert (name.title, name.absolute_episodes) == (title, numbers)
    assert not name.episodes
    assert name.kind is SERIES


def test_a_number_in_the_title_is_no_episode_where_one_is_spelled_out() -> None:
    name = parse("[Group] A Daily Grind at Age 29 S01E03 [1080p]")
    assert (name.title, name.episodes, name.absolute_episodes) == (
        "A Daily Grind at Age 29",
        (3,),
        (),
    )


@pytest.mark.parametrize(
    ("text", "aired"),
    [
        ("The.Daily.Show.2024.05.01.720p.WEB", date(2024, 5, 1)),
        ("The Daily Show 20240501 720p", date(2024, 5, 1)),
        ("The.Daily.Show.13.03.2011.HDTV", date(2011, 3, 13)),
        ("The.Daily.Show.03.13.2011.HDTV", date(2011, 3, 13)),
        ("The Daily Show 1 May 2024 720p", date(2024, 5, 1)),
        ("The Daily Show 2024 May 1st 720p", date(2024, 5, 1)),
    ],
)
def test_a_calendar_date_is_an_air_date_and_no_year(text: str, aired: date) -> None:
    name = parse(text)
    assert (name.title, name.air_date, name.year) == ("The Daily Show", aired, None)


def test_day_and_month_are_not_guessed() -> None:
    name = parse("The.Daily.Show.03.04.2020.720p.WEB")
    assert (name.title, name.air_date, name.year) == ("The Daily Show", None, None)


def test_a_day_that_does_not_exist_is_no_date() -> None:
    assert parse("Show.2024.02.31.720p").air_date is None


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


@pytest.mark.parametrize(
    ("text", "spoken", "written"),
    [
        ("T.2020.FRENCH.1080p.BluRay", ("fr",), ()),
        ("T.2020.1080p.BluRay.German.DL", ("de",), ()),
        ("T.2020.MULTi.VFF.1080p", ("mul", "fr"), ()),
        ("T.2020.VOSTFR.1080p", (), ("fr",)),
        ("T 2020 1080p BluRay Ger Fre Eng Sub", (), ("de", "fr", "en")),
        ("T.2020.1080p [IT]", ("it",), ()),
        ("T.2020.1080p.pt-BR", ("pt-br",), ()),
        ("[组][标题][15][1080p][CHT]", (), ("zh-hant",)),
        ("The.Italian.Job.2003.1080p", (), ()),
    ],
)
def test_spoken_and_written_languages_are_kept_apart(
    text: str, spoken: tuple[str, ...], written: tuple[str, ...]
) -> None:
    name = parse(text)
    assert (name.languages, name.subtitle_languages) == (spoken, written)


@pytest.mark.parametrize(
    ("text", "editions"),
    [
        ("T.2020.Directors.Cut.1080p", (Edition.DIRECTORS_CUT,)),
        ("T.2020.EXTENDED.REMASTERED.1080p", (Edition.EXTENDED, Edition.REMASTERED)),
        ("T.2020.IMAX.2160p", (Edition.IMAX,)),
        ("T.(Ultimate.Edition).2020.1080p", (Edition.ULTIMATE,)),
        ("Final.Cut.2022.1080p", ()),
        ("The.Limited.Editor.2020.1080p", ()),
    ],
)
def test_editions_are_read_beside_other_tags_only(text: str, editions: tuple[Edition, ...]) -> None:
    assert parse(text).editions == editions


@pytest.mark.parametrize(
    ("text", "proper", "repack", "real", "version"),
    [
        ("Show.S01E01.PROPER.720p", True, False, 0, 2),
        ("Show.S01E01.REPACK.720p", False, True, 0, 2),
        ("Show.S01E01.RERIP.720p", False, True, 0, 2),
        ("Show.S01E01.REPACK2.720p", False, True, 0, 3),
        ("Show.S01E01.REAL.PROPER.720p", True, False, 1, 2),
        ("[Group] Title - 05v3 [720p]", False, False, 0, 3),
        ("Show.S01E01v2.720p", False, False, 0, 2),
        ("Show.S01E01.720p", False, False, 0, 1),
    ],
)
def test_revisions_are_counted(
    text: str, proper: bool, repack: bool, real: int, version: int
) -> None:
    name = parse(text)
    assert (name.proper, name.repack, name.real, name.version) == (proper, repack, real, version)


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("T.2020.1080p.BluRay.x264-GRP", "GRP"),
        ("T.2020.1080p.BluRay.x264-GRP.mkv", "GRP"),
        ("T.2020.1080p.BluRay.x264-D-Z0N3", "D-Z0N3"),
        ("T.2020.1080p.BluRay.x264.D-Z0N3", "D-Z0N3"),
        ("T.2020.1080p.WEB-DL.DTS-HD", None),
        ("T.2020.1080p.x264-GRP-postbot", "GRP"),
        ("T.2020.1080p.x264-GRP[rarbg]", "GRP"),
        ("T.2020.1080p.x264-GRP[anything]", "GRP"),
        ("T.2020.720p.HDTV.x264 aAF", "aAF"),
        ("T 2020 1080p BluRay [YTS.MX]", "YTS.MX"),
        ("[Group] Title - 05 [1080p]", "Group"),
        ("Title - 05 [Black_Sheep][1080p]", "Black_Sheep"),
        ("T (2020) (1080p BluRay x265 Somebody)", "Somebody"),
        ("T.2020.1080p.WEB.x264-MAX", "MAX"),
        ("T.2020.1080p", None),
        ("Spider-Man.2002.1080p", None),
    ],
)
def test_the_group_is_found_without_what_others_hung_on_it(text: str, group: str | None) -> None:
    assert parse(text).group == group


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("流浪地球.The.Wandering.Earth.2019.2160p", ("流浪地球", "The Wandering Earth")),
        ("【组】★04月新番★[夏日重現/Summer Time][15][720p]", ("夏日重現", "Summer Time")),
        ("[组][中文名][Latin Name][15][1080p]", ("中文名", "Latin Name")),
        ("[组] 中文名 第二季 / Latin Name S2 - 10 [1080p]", ("中文名", "Latin Name")),
        ("Some Title AKA Another Title 1999 720p", ("Some Title", "Another Title")),
        ("[组] 16bit 的感动 ANOTHER - 01 [1080P]", ("16bit 的感动 ANOTHER",)),
    ],
)
def test_titles_in_two_scripts_are_two_titles(text: str, titles: tuple[str, ...]) -> None:
    name = parse(text)
    assert name.titles == titles
    assert name.title == titles[0]


def test_container_checksum_and_ids_are_read() -> None:
    name = parse("[Group] Title - 05 [1080p][ABCDEF12].mkv")
    assert (name.container, name.checksum) == (Container.MKV, "ABCDEF12")
    assert parse("Sintel (2010) {tmdb-45745}").external_ids == {"tmdb": "45745"}
    assert parse("Sintel (2010) [imdbid-tt1727587]").external_ids == {"imdb": "tt1727587"}
    assert parse("Sintel 2010 tt1727587 1080p").external_ids == {"imdb": "tt1727587"}
    assert parse("Title 2020 1080p [MKV]").container is Container.MKV


def test_every_fact_tells_the_words_it_came_from() -> None:
    said = parse("Sintel.2010.1080p.Blu-Ray.DTS-HD.MA.x264-GRP").said
    assert said[Field.SOURCE] == "Blu-Ray"
    assert said[Field.AUDIO] == "DTS-HD.MA"
    assert said[Field.YEAR] == "2010"


@pytest.mark.parametrize(
    "text",
    ["黑镜 全36集 1080p", "黑镜 36集全 1080p", "Show.COMPLETE.1080p", "Show Complete Series S01"],
)
def test_a_whole_series_is_complete_and_names_no_episode(text: str) -> None:
    name = parse(text)
    assert name.complete
    assert not name.episodes


@pytest.mark.parametrize(
    "text",
    [
        "第九区.2009.1080p",
        "全民.2009.1080p",
        "The Cap Gang 2009 1080p",
        "100 of Them 2009 1080p",
        "9999 of 10000 2009 1080p",
        "Season of the Witch 2009 1080p",
        "Episode Zero 2009 1080p",
        "E20E10 2009 1080p",
        "Rowers4000p 2009 1080p",
        "imdb Stories 2009 1080p",
    ],
)
def test_words_that_only_look_like_numbering_belong_to_the_title(text: str) -> None:
    name = parse(text)
    assert (name.year, name.seasons, name.episodes, name.kind) == (2009, (), (), FILM)
    assert name.external_ids == {}


def test_a_trailing_number_is_an_episode_where_a_checksum_says_anime() -> None:
    assert parse("Eve no Jikan 2 [88F4F7F0].mkv").absolute_episodes == (2,)
    assert parse("[Group] Title 02.5 [720p]").absolute_episodes == (2.5,)
    assert parse("[Group] Title 2nd Season 24 [720p]").absolute_episodes == (24,)
    assert parse("[Group] Gundam 00 S1 [720p]").title == "Gundam 00"


def test_a_group_may_end_a_name_without_tags() -> None:
    assert parse("Title.2010-GRP").group == "GRP"
    assert parse("Sintel - GRP").titles == ("Sintel - GRP",)


def test_a_name_without_structure_has_no_kind() -> None:
    assert parse("Sintel.1080p.BluRay").kind is None
    assert parse("Sintel.2010.1080p").kind is FILM
    assert parse("Show.COMPLETE.2010.1080p").kind is None


@pytest.mark.parametrize("text", ["", " ", "...", "-", "[]", "((("])
def test_a_text_without_words_says_nothing(text: str) -> None:
    assert parse(text) == ReleaseName(text)


@given(st.text(max_size=300))
@example("第-第集.")
@example("[")
@example("S1-S0 E-1 tmdb- 0x0")
@example("2024.\u00b2.01 \u00b2 of 3 [\u00b2]")
def test_any_text_is_read_without_an_exception(text: str) -> None:
    name = parse(text)
    assert name.text == text
    assert all(title.strip() for title in name.titles)


WORDS = st.sampled_from(
    [
        *("S01E02", "1x02", "2010", "1080p", "BluRay", "WEB", "DL", "x264", "DTS", "HD", "MA"),
        *("[", "]", "(", ")", ".", "-", "/", "GRP", "Title", "the", "aka", "complete", "season"),
        *("第", "集", "02", "E03", "5.1", "German", "v2"),
    ]
)


@given(st.lists(WORDS, max_size=25), st.sampled_from([".", " ", "_", "-", ""]))
@settings(max_examples=300)
def test_any_order_of_known_words_is_read_without_an_exception(parts: list[str], glue: str) -> None:
    name = parse(glue.join(parts))
    assert name.episodes == tuple(sorted(set(name.episodes)))


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "S01E01",
        "1080p.",
        " ",
        "(",
        "第",
        "第一季",
        "E01-E2000 ",
        "第1-2000集",
        "S01E01-E2000 ",
        "[1-2000]",
        "1-2-3-4-5.",
        "[rarbg]",
        "aka ",
        "Sintel.2010.1080p.BluRay.x264-GRP ",
    ],
)
def test_a_hostile_name_takes_bounded_time(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    started = time.process_time()
    name = parse(text)
    assert time.process_time() - started < 0.5
    assert len(name.text) <= LONGEST_NAME
