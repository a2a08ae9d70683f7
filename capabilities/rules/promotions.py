"""How much of a download and of an upload an indexer counts, in the words that it is known by."""

from typing import Final

from capabilities.rules.formats import IndexerFlag

DOWNLOAD_FACTORS: Final = {
    IndexerFlag.FREE_LEECH: 0.0,
    IndexerFlag.FREE_LEECH_75: 0.25,
    IndexerFlag.HALF_LEECH: 0.5,
    IndexerFlag.FREE_LEECH_25: 0.75,
}
"""What of the download is counted, by what the indexer calls it."""
DOUBLE: Final = 2.0


def promotion_flags(
    download_factor: float | None, upload_factor: float | None
) -> tuple[IndexerFlag, ...]:
    """The flags that the factors mean; an unknown factor means none."""
    flags = [flag for flag, factor in DOWNLOAD_FACTORS.items() if factor == download_factor]
    if upload_factor == DOUBLE:
        flags.append(IndexerFlag.DOUBLE_UPLOAD)
    return tuple(flags)
