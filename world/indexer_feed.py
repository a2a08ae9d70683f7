"""What the loopback indexer offers, written as Torznab XML."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

from starlette.responses import Response

TORZNAB = "http://torznab.com/schemas/2015/feed"
NEWZNAB = "http://www.newznab.com/DTD/2010/feeds/attributes/"
register_namespace("torznab", TORZNAB)
register_namespace("newznab", NEWZNAB)

_CATEGORIES = {2000: "Movies", 2030: "Movies/SD", 2040: "Movies/HD", 5000: "TV", 5040: "TV/HD"}


@dataclass(frozen=True, slots=True)
class Offer:
    """A release that the indexer lists.

    Attributes:
        size: bytes.
        peers: seeders and leechers together; None leaves the attribute out, as for seeders.
        torrent: the file behind the item's link; None leaves the link out.
        redirect: where the item's link redirects to instead of giving the file.
        magnet: put into the item as it is.
        season: what a search by season compares with; likewise the episode.
    """

    title: str
    size: int
    seeders: int | None = 5
    peers: int | None = None
    torrent: bytes | None = None
    redirect: str | None = None
    magnet: str | None = None
    info_hash: str | None = None
    tmdb_id: int | None = None
    imdb_id: str | None = None
    tvdb_id: int | None = None
    season: int | None = None
    episode: int | None = None
    categories: tuple[int, ...] = (2000,)
    published: datetime = datetime(2025, 6, 1, 12, tzinfo=UTC)
    download_factor: float | None = 1.0
    upload_factor: float | None = 1.0
    tags: tuple[str, ...] = ()

    @property
    def has_link(self) -> bool:
        """Whether there is an address to fetch."""
        return self.torrent is not None or self.redirect is not None


def torznab_error(code: int, description: str = "told to fail") -> Response:
    """An error as indexers send them: with HTTP 200."""
    return _document(Element("error", code=str(code), description=description))


def caps(
    *, film_params: Iterable[str], series_params: Iterable[str], page_size: int, complete: bool
) -> Response:
    """The capabilities; not complete ones leave out all that the specification lets out."""
    root = Element("caps")
    SubElement(root, "server", version="1.1", title="loopback")
    searching = SubElement(root, "searching")
    SubElement(searching, "search", available="yes", supportedParams="q")
    if complete:
        SubElement(root, "limits", max=str(page_size), default=str(page_size))
        _mode(searching, "movie-search", film_params)
        _mode(searching, "tv-search", series_params)
        categories = SubElement(root, "categories")
        for number in (2000, 5000):
            parent = SubElement(categories, "category", id=str(number), name=_CATEGORIES[number])
            for child, name in _CATEGORIES.items():
                if number < child < number + 1000:
                    SubElement(parent, "subcat", id=str(child), name=name)
    return _document(root)


def feed(items: Sequence[tuple[str | None, Offer]], *, offset: int, total: int | None) -> Response:
    """A page of offers, each with the address of its torrent file."""
    root = Element("rss", version="2.0")
    channel = SubElement(root, "channel")
    SubElement(channel, "title").text = "loopback"
    if total is not None:
        SubElement(channel, f"{{{NEWZNAB}}}response", offset=str(offset), total=str(total))
    for link, offer in items:
        _item(channel, link, offer)
    return _document(root)


def _item(channel: Element, link: str | None, offer: Offer) -> None:
    item = SubElement(channel, "item")
    SubElement(item, "title").text = offer.title
    SubElement(item, "guid").text = f"urn:loopback:{offer.title}"
    SubElement(item, "pubDate").text = format_datetime(offer.published)
    if link is not None:
        SubElement(item, "link").text = link
        length = str(offer.size)
        SubElement(item, "enclosure", url=link, length=length, type="application/x-bittorrent")
    attributes: list[tuple[str, object]] = [
        ("size", offer.size),
        *(("category", number) for number in offer.categories),
        ("seeders", offer.seeders),
        ("peers", offer.peers),
        ("infohash", offer.info_hash),
        ("magneturl", offer.magnet),
        ("tmdbid", offer.tmdb_id),
        ("imdbid", offer.imdb_id),
        ("tvdbid", offer.tvdb_id),
        ("downloadvolumefactor", offer.download_factor),
        ("uploadvolumefactor", offer.upload_factor),
        *(("tag", tag) for tag in offer.tags),
    ]
    for name, value in attributes:
        if value is not None:
            SubElement(item, f"{{{TORZNAB}}}attr", name=name, value=str(value))


def _mode(searching: Element, name: str, params: Iterable[str]) -> None:
    listed = ",".join(sorted(params))
    SubElement(searching, name, available="yes" if listed else "no", supportedParams=listed)


def _document(root: Element) -> Response:
    content = tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(content, media_type="application/xml")
