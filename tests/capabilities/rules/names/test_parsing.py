import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from capabilities.rules.names.parsing import LONGEST_NAME, parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import Container, Edition, Field
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
