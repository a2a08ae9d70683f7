from dataclasses import replace
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from capabilities.rules.media_nfo import film_nfo, nfo_beside, nfo_of, series_nfo
from capabilities.rules.nfo_ids import nfo_ids
from capabilities.rules.works import CollectionRef, Title, TitleKind
from tests.capabilities.rules.shelf import PIONEER, SINTEL, film


def read(raw: bytes) -> Element:
    return fromstring(raw.decode())


def test_a_film_is_told_with_its_numbers() -> None:
    work = replace(
        SINTEL,
        titles=(Title("Durian", TitleKind.ORIGINAL),),
        overview="A girl & a dragon.",
        collection=CollectionRef("tmdb", "1", "Open films"),
    )
    root = read(film_nfo(work))
    assert root.tag == "movie"
    told = {element.tag: element.text for element in root if element.tag != "uniqueid"}
    assert told.pop("set") is not None
    assert told == {
        "title": "Sintel",
        "originaltitle": "Durian",
        "year": "2010",
        "plot": "A girl & a dragon.",
        "runtime": "15",
    }
    assert root.findtext("set/name") == "Open films"
    ids = [(one.get("type"), one.get("default"), one.text) for one in root.findall("uniqueid")]
    assert ids == [("tmdb", "true", "45745"), ("imdb", None, "tt1727587")]


def test_what_is_written_is_read_again_by_the_library_scan() -> None:
    assert nfo_ids(film_nfo(SINTEL).decode()) == {"tmdb": "45745", "imdb": "tt1727587"}
    assert nfo_ids(series_nfo(PIONEER).decode()) == {"tmdb": "4711"}


def test_a_work_of_a_source_that_servers_do_not_know_has_the_numbers_that_they_do() -> None:
    work = replace(SINTEL, key=replace(SINTEL.key, source="bangumi"))
    (one,) = read(film_nfo(work)).findall("uniqueid")
    assert (one.get("type"), one.get("default")) == ("imdb", "true")


def test_an_episode_has_its_place_and_no_number_of_its_series() -> None:
    raw = nfo_of(PIONEER, 1, [2])
    root = read(raw)
    assert [(one.tag, one.text) for one in root] == [
        ("title", "The Man from Mars"),
        ("showtitle", "Pioneer One"),
        ("season", "1"),
        ("episode", "2"),
        ("aired", "2010-12-15"),
    ]
    assert nfo_ids(raw.decode()) == {}


def test_each_episode_of_a_file_is_told() -> None:
    told = nfo_of(PIONEER, 1, [2, 1]).decode()
    assert told.count("<?xml") == 1
    assert told.index("Earthfall") < told.index("The Man from Mars")
    assert told.count("<episodedetails>") == told.count("</episodedetails>") == 2


def test_an_episode_of_which_nothing_is_known_is_called_by_its_number() -> None:
    assert read(nfo_of(PIONEER, 9, [3])).findtext("title") == "Episode 3"
    with pytest.raises(ValueError, match="at least one episode"):
        nfo_of(PIONEER, 1, [])


@given(title=st.text(max_size=60), plot=st.text(max_size=200))
def test_no_title_breaks_out_of_its_element(title: str, plot: str) -> None:
    root = read(film_nfo(replace(film(title, 2010), overview=plot)))
    assert {element.tag for element in root} <= {"title", "year", "plot", "uniqueid"}


@pytest.mark.parametrize(
    "title", ["</title><x/>", "<!--", "]]>", "&\"'", "a\x00b\x1f\ufffe\ud800c"]
)
def test_a_hostile_title_is_text(title: str) -> None:
    root = read(film_nfo(film(title, None)))
    assert [element.tag for element in root] == ["title", "uniqueid"]
    assert root.findtext("title") in {title, "abc"}


def test_it_stands_beside_its_video() -> None:
    video = PurePosixPath("films/Sintel (2010)/Sintel (2010) - [1080p].mkv")
    assert str(nfo_beside(video)) == "films/Sintel (2010)/Sintel (2010) - [1080p].nfo"
    assert read(nfo_of(SINTEL, 0, [])).tag == "movie"
