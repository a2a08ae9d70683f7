"""What an indexer says that it can do (`t=caps`, Torznab 1.1, section "Capabilities")."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from capabilities.adapters.indexer.torznab_document import garbled

_DEFAULT_LIMIT = 100
_MAX_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class SearchMode:
    """One way of searching and the parameters that it understands."""

    available: bool
    params: frozenset[str]

    def takes(self, param: str) -> bool:
        """Whether this way exists and understands a parameter."""
        return self.available and param in self.params


@dataclass(frozen=True, slots=True)
class Caps:
    """An indexer's abilities.

    Attributes:
        limit: most items in one answer.
        categories: every category number it lists, subcategories included.
    """

    search: SearchMode
    film: SearchMode
    series: SearchMode
    limit: int
    categories: frozenset[int]


def read_caps(system: str, root: Element) -> Caps:
    """The capabilities in an answer.

    What is left out gets the specification's least: text search by ``q``, nothing else.

    Raises:
        UnreachableError: the document holds no capabilities.
    """
    if root.tag != "caps":
        raise garbled(system)
    listed = (*root.iterfind("categories/category"), *root.iterfind("categories/category/subcat"))
    return Caps(
        search=_mode(root.find("searching/search"), offered="yes"),
        film=_mode(root.find("searching/movie-search"), offered="no"),
        series=_mode(root.find("searching/tv-search"), offered="no"),
        limit=_limit(root.find("limits")),
        categories=frozenset(
            number for element in listed if (number := _number(element.get("id"))) is not None
        ),
    )


def _mode(element: Element | None, *, offered: str) -> SearchMode:
    attributes = {} if element is None else element.attrib
    available = attributes.get("available", offered).casefold() == "yes"
    params = attributes.get("supportedParams") or "q"
    return SearchMode(available, frozenset(name.strip().casefold() for name in params.split(",")))


def _limit(element: Element | None) -> int:
    stated = None if element is None else _number(element.get("max"))
    return min(stated or _DEFAULT_LIMIT, _MAX_LIMIT)


def _number(text: str | None) -> int | None:
    short = text is not None and len(text) <= len("999999999")
    return int(text) if text and short and text.isascii() and text.isdigit() else None
