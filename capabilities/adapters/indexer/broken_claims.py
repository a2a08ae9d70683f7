"""What an indexer said of a release, held against the torrent itself."""

from collections.abc import Iterator
from typing import Final

from capabilities.adapters.downloader.info_hashes import InfoHashes, named_by
from capabilities.rules.found import Found

TOLERANCE: Final = 0.1
"""Of the real size, by which a claimed one may differ: indexers round, and mix GB with GiB."""
MEGABYTE: Final = 1_000_000
LARGE: Final = 1_000 * MEGABYTE


def broken_claims(found: Found, hashes: InfoHashes, size: int | None) -> Iterator[str]:
    """What does not hold, in words for a person.

    Args:
        found: the offer.
        hashes: of the torrent that it led to.
        size: of that torrent in bytes, None while only its hash is known.
    """
    claimed = None if found.info_hash is None else named_by(found.info_hash)
    if claimed is not None and not claimed.same_as(hashes):
        yield (
            f"its indexer says info-hash {claimed.key}, and it is {hashes.key}: another torrent "
            "than the one that was offered"
        )
    if size is None or found.size is None:
        return
    if abs(found.size - size) > TOLERANCE * max(found.size, size):
        yield f"its indexer says {_words(found.size)}, and the torrent holds {_words(size)}"


def _words(size: int) -> str:
    return f"{size / LARGE:.2f} GB" if size >= LARGE else f"{size / MEGABYTE:.2f} MB"
