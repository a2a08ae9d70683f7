import pytest

from capabilities.adapters.indexer.queries import FilmQuery, Query, SeriesQuery, TextQuery
from capabilities.adapters.indexer.torznab_caps import Caps, SearchMode
from capabilities.adapters.indexer.torznab_request import Params, requests_for

IDS = {"tmdb": "45745", "imdb": "tt1727587"}
FILM = FilmQuery("Sintel", 2010, IDS)
EPISODE = SeriesQuery("Lantern Street", 1, 2, {"tvdb": "7"})


def mode(params: str) -> SearchMode:
    return SearchMode(available=bool(params), params=frozenset(params.split(",")))


def caps(search: str = "q", film: str = "", series: str = "", categories: str = "") -> Caps:
    numbers = frozenset(int(text) for text in categories.split())
    return Caps(mode(search), mode(film), mode(series), 100, numbers)


CASES: list[tuple[Query, Caps, list[Params]]] = [
    (TextQuery("big buck"), caps(), [{"t": "search", "q": "big buck"}]),
    (TextQuery("big buck"), caps(search=""), []),
    (
        FILM,
        caps(film="q,imdbid,tmdbid"),
        [{"t": "movie", "tmdbid": "45745"}, {"t": "movie", "q": "Sintel 2010"}],
    ),
    (
        FILM,
        caps(film="q,imdbid"),
        [{"t": "movie", "imdbid": "1727587"}, {"t": "movie", "q": "Sintel 2010"}],
    ),
    (FilmQuery("Sintel"), caps(film="q,imdbid"), [{"t": "movie", "q": "Sintel"}]),
    (
        FILM,
        caps(film="imdbid"),
        [{"t": "movie", "imdbid": "1727587"}, {"t": "search", "q": "Sintel 2010"}],
    ),
    (FILM, caps(), [{"t": "search", "q": "Sintel 2010"}]),
    (FILM, caps(search=""), []),
    (
        EPISODE,
        caps(series="q,season,ep,tvdbid"),
        [
            {"t": "tvsearch", "tvdbid": "7", "season": "1", "ep": "2"},
            {"t": "tvsearch", "q": "Lantern Street", "season": "1", "ep": "2"},
        ],
    ),
    (
        EPISODE,
        caps(series="tvdbid,season,ep"),
        [
            {"t": "tvsearch", "tvdbid": "7", "season": "1", "ep": "2"},
            {"t": "search", "q": "Lantern Street S01E02"},
        ],
    ),
    (EPISODE, caps(series="q,tvdbid"), [{"t": "search", "q": "Lantern Street S01E02"}]),
    (
        SeriesQuery("Lantern Street", 1),
        caps(series="q,season"),
        [{"t": "tvsearch", "q": "Lantern Street", "season": "1"}],
    ),
    (SeriesQuery("Lantern Street", 12), caps(), [{"t": "search", "q": "Lantern Street S12"}]),
    (SeriesQuery("Lantern Street"), caps(), [{"t": "search", "q": "Lantern Street"}]),
    (
        FilmQuery("Sintel"),
        caps(categories="2000 2040 5000 100001"),
        [{"t": "search", "q": "Sintel", "cat": "2000,2040"}],
    ),
    (
        SeriesQuery("Lantern Street"),
        caps(categories="2000 5070"),
        [{"t": "search", "q": "Lantern Street", "cat": "5070"}],
    ),
]


@pytest.mark.parametrize(("query", "abilities", "requests"), CASES)
def test_an_indexer_is_asked_in_the_most_exact_way_it_understands(
    query: Query, abilities: Caps, requests: list[Params]
) -> None:
    assert list(requests_for(query, abilities)) == requests
