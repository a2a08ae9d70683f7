from xml.etree.ElementTree import fromstring

import pytest

from capabilities.adapters.indexer.torznab_caps import Caps, SearchMode, read_caps
from capabilities.kernel.faults import UnreachableError


def caps(inside: str) -> Caps:
    return read_caps("the indexer", fromstring(f"<caps>{inside}</caps>"))  # noqa: S314  written here


def test_what_is_left_out_gets_the_least() -> None:
    nothing = SearchMode(available=False, params=frozenset({"q"}))

    assert caps("") == Caps(
        search=SearchMode(available=True, params=frozenset({"q"})),
        film=nothing,
        series=nothing,
        limit=100,
        categories=frozenset(),
    )


def test_modes_limits_and_categories_are_read() -> None:
    read = caps(
        '<limits max="50" default="25"/>'
        "<searching>"
        '<search available="no" supportedParams="q"/>'
        '<tv-search available="Yes" supportedParams="q, Season,ep"/>'
        '<movie-search available="yes"/>'
        "</searching>"
        '<categories><category id="2000"><subcat id="2040"/><subcat id="x"/></category>'
        '<category id="100001"/><category/></categories>'
    )

    assert not read.search.takes("q")
    assert all(read.series.takes(name) for name in ("q", "season", "ep"))
    assert not read.series.takes("tmdbid")
    assert read.film.takes("q")
    assert (read.limit, read.categories) == (50, {2000, 2040, 100001})


@pytest.mark.parametrize(
    ("stated", "limit"),
    [("0", 100), ("-5", 100), ("", 100), ("lots", 100), ("9999999", 1000), ("1" * 20, 100)],
)
def test_a_limit_that_makes_no_sense_is_replaced(stated: str, limit: int) -> None:
    assert caps(f'<limits max="{stated}"/>').limit == limit


def test_another_document_holds_no_capabilities() -> None:
    with pytest.raises(UnreachableError):
        read_caps("the indexer", fromstring("<rss/>"))  # noqa: S314  written here
