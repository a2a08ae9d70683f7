"""One item of a Torznab feed as an offer, with nothing judged and nothing made up."""

import base64
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import parse_qs
from xml.etree.ElementTree import Element

from capabilities.adapters.indexer.torznab_document import local_name
from capabilities.rules.found import Found

_INFO_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_BASE32_HASH = re.compile(r"[A-Z2-7]{32}")
_MULTIHASH_SHA256 = "1220"
_LARGEST = 2**63 - 1

Attributes = Mapping[str, Sequence[str]]


def read_item(item: Element, indexer: str) -> Found | None:
    """The offer in an item, or None when it lacks a title or any way to fetch it.

    Absent and unreadable numbers are None; zero stays zero.
    """
    attributes = _attributes(item)
    title = (item.findtext("title") or "").strip()
    addresses = _addresses(item, attributes)
    link = next((text for text in addresses if _SCHEME.match(text)), None)
    magnet = next((text for text in addresses if text.startswith("magnet:")), None)
    info_hash = _info_hash(attributes, magnet)
    if not title or not (link or magnet or info_hash):
        return None
    return Found(
        title=title,
        indexer=indexer,
        guid=(item.findtext("guid") or "").strip() or info_hash or link or title,
        link=link,
        magnet=magnet,
        info_hash=info_hash,
        size=_size(item, attributes),
        seeders=_count(_first(attributes, "seeders")),
        peers=_peers(attributes),
        published=_moment(item.findtext("pubDate")),
        categories=_categories(item, attributes),
        download_factor=_factor(_first(attributes, "downloadvolumefactor")),
        upload_factor=_factor(_first(attributes, "uploadvolumefactor")),
        external_ids=_external_ids(attributes),
    )


def magnet_info_hash(magnet: str) -> str | None:
    """The info-hash that a magnet address names, in hexadecimal (BEP 9, and BEP 52 for v2)."""
    for topic in parse_qs(magnet.partition("?")[2]).get("xt", ()):
        kind, _, text = topic.removeprefix("urn:").partition(":")
        if kind == "btih" and _BASE32_HASH.fullmatch(text.upper()):
            return base64.b32decode(text.upper()).hex()
        candidate = text.lower()
        if kind == "btmh":
            candidate = candidate.removeprefix(_MULTIHASH_SHA256)
        if kind in {"btih", "btmh"} and _INFO_HASH.fullmatch(candidate):
            return candidate
    return None


def _attributes(item: Element) -> Attributes:
    """Extended attributes by name; one that repeats keeps each value once, in order."""
    values: defaultdict[str, list[str]] = defaultdict(list)
    for element in item:
        if local_name(element.tag) == "attr":
            name, value = element.get("name", "").casefold(), element.get("value", "").strip()
            if value and value not in values[name]:
                values[name].append(value)
    return values


def _first(attributes: Attributes, name: str) -> str | None:
    return next(iter(attributes.get(name, ())), None)


def _addresses(item: Element, attributes: Attributes) -> tuple[str, ...]:
    enclosure = item.find("enclosure")
    found = (
        _first(attributes, "magneturl"),
        None if enclosure is None else enclosure.get("url"),
        item.findtext("link"),
    )
    return tuple(text.strip() for text in found if text)


def _info_hash(attributes: Attributes, magnet: str | None) -> str | None:
    named = (_first(attributes, "infohash") or "").lower()
    if _INFO_HASH.fullmatch(named):
        return named
    return magnet_info_hash(magnet) if magnet else None


def _size(item: Element, attributes: Attributes) -> int | None:
    enclosure = item.find("enclosure")
    candidates = (
        _first(attributes, "size"),
        item.findtext("size"),
        None if enclosure is None else enclosure.get("length"),
    )
    return next((size for text in candidates if (size := _count(text))), None)


def _peers(attributes: Attributes) -> int | None:
    """Seeders and leechers together, also where an indexer counts them apart."""
    peers = _count(_first(attributes, "peers"))
    seeders = _count(_first(attributes, "seeders"))
    leechers = _count(_first(attributes, "leechers"))
    if peers is None and seeders is not None and leechers is not None:
        return seeders + leechers
    return peers


def _count(text: str | None) -> int | None:
    stripped = (text or "").strip()
    if not (stripped.isascii() and stripped.isdigit()) or len(stripped) > len(str(_LARGEST)):
        return None
    number = int(stripped)
    return number if number <= _LARGEST else None


def _factor(text: str | None) -> float | None:
    try:
        factor = float(text or "")
    except ValueError:
        return None
    return factor if math.isfinite(factor) and factor >= 0 else None


def _moment(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime((text or "").strip())
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _categories(item: Element, attributes: Attributes) -> tuple[int, ...]:
    """Category numbers from attributes and from elements that hold numbers, each once."""
    texts = (*attributes.get("category", ()), *(e.text for e in item.iterfind("category")))
    numbers = (number for text in texts if (number := _count(text)) is not None)
    return tuple(dict.fromkeys(numbers))


def _external_ids(attributes: Attributes) -> dict[str, str]:
    """The ids that an indexer claims; zero is how many of them say that they know none."""
    ids: dict[str, str] = {}
    for source, name in (("tmdb", "tmdbid"), ("tvdb", "tvdbid")):
        if number := _count(_first(attributes, name)):
            ids[source] = str(number)
    imdb = (_first(attributes, "imdbid") or _first(attributes, "imdb") or "").lower()
    if number := _count(imdb.removeprefix("tt")):
        ids["imdb"] = f"tt{number:07d}"
    return ids
