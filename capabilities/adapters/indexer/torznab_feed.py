"""One page of a Torznab answer."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from capabilities.adapters.indexer.torznab_document import garbled, local_name
from capabilities.adapters.indexer.torznab_item import read_item
from capabilities.rules.found import Found


@dataclass(frozen=True, slots=True)
class Page:
    """What one answer held.

    Attributes:
        broken: items that could not be used and were skipped.
        total: how many items the whole search has, where the indexer says so.
    """

    found: tuple[Found, ...]
    broken: int
    total: int | None

    @property
    def received(self) -> int:
        """Items of the answer, usable or not: the step to the next page."""
        return len(self.found) + self.broken


def read_page(system: str, root: Element, indexer: str) -> Page:
    """The items of a feed, broken ones counted and left out.

    Raises:
        UnreachableError: the document is no feed.
    """
    channel = root.find("channel")
    if root.tag != "rss" or channel is None:
        raise garbled(system)
    items = [read_item(item, indexer) for item in channel.iterfind("item")]
    found = tuple(item for item in items if item is not None)
    return Page(found, len(items) - len(found), _total(channel))


def _total(channel: Element) -> int | None:
    for element in channel:
        total = element.get("total", "")
        if local_name(element.tag) == "response" and total.isascii() and total.isdigit():
            return int(total[:18])
    return None
