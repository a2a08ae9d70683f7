"""One item of a Torznab feed as an offer, with nothing judged and nothing made up."""

import base64
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import parse_qs
from xml.etree.ElementTree import Element

from capabilities.adapters.indexer.torznab_attributes import (
    Attributes,
    attributes_of,
    first,
    whole,
)
from capabilities.adapters.indexer.torznab_claims import (
    claimed_hash,
    claimed_ids,
    claimed_peers,
    claimed_seeders,
    claimed_size,
)
from capabilities.adapters.indexer.torznab_flags import promotion
from capabilities.rules.found import Found

MOST_DOUBTS: Final = 10
_INFO_HASH: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SCHEME: Final = re.compile(r"https?://", re.IGNORECASE)
_BASE32_HASH: Final = re.compile(r"[A-Z2-7]{32}")
_MULTIHASH_SHA256: Final = "1220"


def read_item(item: Element, indexer: str) -> Found | None:
    """The offer in an item, or None when it lacks a title or any way to fetch it.

    Absent and unreadable numbers are None; zero stays zero.
    """
    attributes, doubts = attributes_of(item), list[str]()
    title = (item.findtext("title") or "").strip()
    addresses = _addresses(item, attributes)
    link = next((text for text in addresses if _SCHEME.match(text)), None)
    magnet = next((text for text in addresses if text.startswith("magnet:")), None)
    of_magnet = magnet_info_hash(magnet) if magnet else None
    info_hash = claimed_hash(first(attributes, "infohash"), of_magnet, doubts)
    if not title or not (link or magnet or info_hash):
        return None
    seeders = claimed_seeders(attributes, doubts)
    promoted = promotion(attributes, doubts)
    return Found(
        title=title,
        indexer=indexer,
        guid=(item.findtext("guid") or "").strip() or info_hash or link or title,
        link=link,
        magnet=magnet,
        info_hash=info_hash,
        size=claimed_size(_sizes(item, attributes), doubts),
        seeders=seeders,
        peers=claimed_peers(attributes, seeders, doubts),
        published=_moment(item.findtext("pubDate")),
        categories=_categories(item, attributes),
        download_factor=promoted.download_factor,
        upload_factor=promoted.upload_factor,
        flags=promoted.flags,
        external_ids=claimed_ids(attributes, doubts),
        doubts=tuple(doubts[:MOST_DOUBTS]),
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


def _addresses(item: Element, attributes: Attributes) -> tuple[str, ...]:
    enclosure = item.find("enclosure")
    found = (
        first(attributes, "magneturl"),
        None if enclosure is None else enclosure.get("url"),
        item.findtext("link"),
    )
    return tuple(text.strip() for text in found if text)


def _sizes(item: Element, attributes: Attributes) -> tuple[str | None, ...]:
    enclosure = item.find("enclosure")
    length = None if enclosure is None else enclosure.get("length")
    return first(attributes, "size"), item.findtext("size"), length


def _moment(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime((text or "").strip())
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _categories(item: Element, attributes: Attributes) -> tuple[int, ...]:
    """Category numbers from attributes and from elements that hold numbers, each once."""
    texts = (*attributes.get("category", ()), *(e.text for e in item.iterfind("category")))
    numbers = (number for text in texts if (number := whole(text)) is not None)
    return tuple(dict.fromkeys(numbers))
