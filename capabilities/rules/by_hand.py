"""Torrents that somebody gives: what counts of them is what is known of the very same ones."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from capabilities.rules.found import Found

BY_HAND: Final = "given by hand"
"""In place of an indexer's name."""


def as_offered(given: Found, offers: Sequence[Found], first_given: datetime) -> Found:
    """What was given, with what indexers say of the same torrent: nobody gets round it by giving.

    It is as old as the oldest of them, or as its first giving; what no indexer says stays unknown.

    Args:
        given: by hand.
        offers: of the same torrent, the newest first.
        first_given: with its time zone.
    """
    said = [one.published for one in (given, *offers) if one.published is not None]
    seeders = (one.seeders for one in offers if one.seeders is not None)
    counted = (one.download_factor for one in offers if one.download_factor is not None)
    return replace(
        given,
        published=min([*said, first_given]),
        seeders=next(seeders, given.seeders),
        download_factor=next(counted, given.download_factor),
        flags=tuple(dict.fromkeys(flag for one in (given, *offers) for flag in one.flags)),
    )
