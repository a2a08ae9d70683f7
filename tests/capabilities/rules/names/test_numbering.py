import pytest

from capabilities.rules.names.parsing import parse
from capabilities.rules.works import WorkKind

FILM, SERIES = WorkKind.FILM, WorkKind.SERIES


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
    "text",
    [
        "Show.COMPLETE.1080p",
        "Show Complete Series S01",
        "黑镜 第二季 全36集 1080p",
        "黑镜 全0集 1080p",
        "黑镜 全9999集 1080p",
    ],
)
def test_a_whole_series_is_complete_and_names_no_episode(text: str) -> None:
    name = parse(text)
    assert name.complete
    assert not name.episodes


@pytest.mark.parametrize("text", ["黑镜 全6集 1080p", "黑镜 6集全 1080p", "黑镜 2011 共6话 1080p"])
def test_a_whole_series_of_so_many_episodes_names_them_all(text: str) -> None:
    name = parse(text)
    assert (name.kind, name.complete) == (WorkKind.SERIES, True)
    assert (name.seasons, name.episodes) == ((), (1, 2, 3, 4, 5, 6))


@pytest.mark.parametrize(
    ("text", "episodes"),
    [("黑镜 全6集 第2集 1080p", (2,)), ("黑镜 S02E03 全6集 1080p", (3,))],
)
def test_how_many_there_are_adds_nothing_to_what_is_named(
    text: str, episodes: tuple[int, ...]
) -> None:
    assert parse(text).episodes == episodes


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
