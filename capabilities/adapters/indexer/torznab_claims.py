"""What an indexer claims of a torrent: hash, size, peers and ids, none of it taken unseen.

What cannot be is left out, and where two claims differ it is said; each goes into ``doubts``, in
words for a person.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from capabilities.adapters.downloader.info_hashes import normal_hash
from capabilities.adapters.indexer.torznab_attributes import Attributes, first, whole
from capabilities.rules.wording import quoted

MOST_BYTES: Final = 10**14
"""A hundred terabytes, more than any release holds."""
MOST_PEERS: Final = 10**7
MOST_ID: Final = 10**9
APART: Final = 0.1
"""Of the larger of two sizes, by which they may differ: indexers round."""
_UNKNOWN: Final = frozenset({"", "0", "tt", "none", "null", "n/a"})
"""How indexers write that they know none."""
_ID_NAMES: Final = {
    "tmdb": ("tmdbid",),
    "tvdb": ("tvdbid",),
    "tvmaze": ("tvmazeid",),
    "imdb": ("imdbid", "imdb"),
}


def claimed_hash(named: str | None, of_magnet: str | None, doubts: list[str]) -> str | None:
    """The info-hash, in lower-case hexadecimal.

    Args:
        named: what the attribute says.
        of_magnet: the hash in the magnet address, where there is one.
        doubts: see above.
    """
    own = None if named is None else normal_hash(named)
    if named is not None and own is None:
        doubts.append(f"its info-hash {quoted(named)} is none, with {len(named.strip())} signs")
    if own and of_magnet and len(own) == len(of_magnet) and own != of_magnet:
        doubts.append(f"its info-hash is {own}, and its magnet is of {of_magnet}; the first counts")
    return own or of_magnet


def claimed_size(texts: Iterable[str | None], doubts: list[str]) -> int | None:
    """Bytes: the first that can be a size, of those that an item gives."""
    sizes: list[int] = []
    for text in texts:
        if _says_nothing(text):
            continue
        number = whole(text)
        if number is None or number > MOST_BYTES:
            doubts.append(f"its size {quoted(text or '')} cannot be")
        elif number:
            sizes.append(number)
    if not sizes:
        return None
    other = next((size for size in sizes if abs(size - sizes[0]) > APART * max(size, sizes[0])), 0)
    if other:
        doubts.append(f"it says two sizes, {sizes[0]} and {other} bytes; the first counts")
    return sizes[0]


def claimed_seeders(attributes: Attributes, doubts: list[str]) -> int | None:
    """How many seed it; zero is none, and what is not said is unknown."""
    return _count(attributes, "seeders", doubts)


def claimed_peers(attributes: Attributes, seeders: int | None, doubts: list[str]) -> int | None:
    """Seeders and leechers together, also where an indexer counts them apart."""
    peers, leechers = (_count(attributes, name, doubts) for name in ("peers", "leechers"))
    if peers is None and seeders is not None and leechers is not None:
        return seeders + leechers
    return peers


def claimed_ids(attributes: Attributes, doubts: list[str]) -> dict[str, str]:
    """The ids by source; of a source that is claimed to have two, none."""
    ids: dict[str, str] = {}
    for source, names in _ID_NAMES.items():
        texts = [text for name in names for text in attributes.get(name, ())]
        numbers = _numbers(source, texts, doubts)
        if len(numbers) > 1:
            said = " and ".join(str(number) for number in numbers[:3])
            doubts.append(f"it claims several {source} ids, {said}; none of them counts")
        elif numbers:
            ids[source] = f"tt{numbers[0]:07d}" if source == "imdb" else str(numbers[0])
    return ids


def _numbers(source: str, texts: Sequence[str], doubts: list[str]) -> list[int]:
    found: list[int] = []
    for text in texts:
        plain = text.strip().casefold()
        number = whole(plain.removeprefix("tt") if source == "imdb" else plain)
        if number is not None and 0 < number < MOST_ID:
            found.append(number)
        elif number != 0 and not _says_nothing(plain):
            doubts.append(f"its {source} id {quoted(text)} is none")
    return list(dict.fromkeys(found))


def _count(attributes: Attributes, name: str, doubts: list[str]) -> int | None:
    text = first(attributes, name)
    number = whole(text)
    if number is not None and number <= MOST_PEERS:
        return number
    if text is not None and text.casefold() not in _UNKNOWN:
        doubts.append(f"its number of {name} {quoted(text)} cannot be")
    return None


def _says_nothing(text: str | None) -> bool:
    return text is None or text.strip().casefold() in _UNKNOWN
