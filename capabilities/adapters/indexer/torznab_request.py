"""From a query to the parameters that a particular indexer understands."""

from collections.abc import Iterator, Mapping

from capabilities.adapters.indexer.queries import FilmQuery, Query, SeriesQuery, TextQuery
from capabilities.adapters.indexer.torznab_caps import Caps, SearchMode

Params = dict[str, str]

_FILM_CATEGORIES = range(2000, 3000)
_SERIES_CATEGORIES = range(5000, 6000)
# In order of preference; TheTVDB numbers do not exist for films.
_ID_PARAMS = {"tmdb": "tmdbid", "tvdb": "tvdbid", "imdb": "imdbid"}


def requests_for(query: Query, caps: Caps) -> tuple[Params, ...]:
    """The searches to try, in order, until one finds something; none when it cannot search.

    By external id first, where the indexer takes one that is known: it is exact, but not every
    release carries it, so a search by title follows.
    """
    match query:
        case TextQuery():
            return tuple(_by_text(caps, query.text))
        case FilmQuery():
            searches = _for_film(query, caps)
            categories = _FILM_CATEGORIES
        case SeriesQuery():
            searches = _for_series(query, caps)
            categories = _SERIES_CATEGORIES
    listed = sorted(caps.categories.intersection(categories))
    narrowing = {"cat": ",".join(map(str, listed))} if listed else {}
    return tuple(search | narrowing for search in searches)


def _by_text(caps: Caps, text: str) -> Iterator[Params]:
    if caps.search.takes("q"):
        yield {"t": "search", "q": text}


def _for_film(query: FilmQuery, caps: Caps) -> Iterator[Params]:
    if (number := _by_id(caps.film, query.external_ids)) is not None:
        yield {"t": "movie", **number}
    text = query.title if query.year is None else f"{query.title} {query.year}"
    if caps.film.takes("q"):
        yield {"t": "movie", "q": text}
    else:
        yield from _by_text(caps, text)


def _for_series(query: SeriesQuery, caps: Caps) -> Iterator[Params]:
    numbers = _numbers(query)
    if all(caps.series.takes(name) for name in numbers):
        if (number := _by_id(caps.series, query.external_ids)) is not None:
            yield {"t": "tvsearch", **number, **numbers}
        if caps.series.takes("q"):
            yield {"t": "tvsearch", "q": query.title, **numbers}
            return
    yield from _by_text(caps, f"{query.title} {_spelled(query)}".strip())


def _numbers(query: SeriesQuery) -> Params:
    numbers = {"season": query.season, "ep": query.episode}
    return {name: str(number) for name, number in numbers.items() if number is not None}


def _spelled(query: SeriesQuery) -> str:
    """Season and episode as release names spell them."""
    season = "" if query.season is None else f"S{query.season:02d}"
    return season if query.episode is None else f"{season}E{query.episode:02d}"


def _by_id(mode: SearchMode, ids: Mapping[str, str]) -> Params | None:
    """One id, because indexers disagree on what several together mean.

    IMDb numbers go without their letters, as the Newznab API has them.
    """
    for source, param in _ID_PARAMS.items():
        if source in ids and mode.takes(param):
            return {param: ids[source].removeprefix("tt")}
    return None
