"""A release exactly as an indexer offered it: other people's words and numbers, nothing judged."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Found:
    """One offer.

    Attributes:
        title: the release name, untouched.
        indexer: name of the indexer that offered it.
        guid: the indexer's own identity of the offer.
        link: where the torrent file is fetched, or None when only a magnet is offered.
        magnet: a magnet address, or None.
        info_hash: lower-case hexadecimal info-hash where the indexer names one.
        size: bytes, or None when unknown.
        seeders: None when the indexer does not say; 0 means none.
        peers: seeders and leechers together, as Torznab counts them.
        download_factor: 0.0 is free-leech, 1.0 ordinary, None unknown (which is neither).
        flags: what the indexer calls the offer, e.g. ``internal``, ``scene`` or ``freeleech``.
        external_ids: e.g. ``{"tmdb": "45745", "imdb": "tt1727587"}`` as the indexer claims them.
        doubts: where what the indexer says cannot be, or contradicts itself, in words for a person;
            such a claim is left out or, where one of two must count, it says which.
    """

    title: str
    indexer: str
    guid: str
    link: str | None = None
    magnet: str | None = None
    info_hash: str | None = None
    size: int | None = None
    seeders: int | None = None
    peers: int | None = None
    published: datetime | None = None
    categories: tuple[int, ...] = ()
    download_factor: float | None = None
    upload_factor: float | None = None
    flags: tuple[str, ...] = ()
    external_ids: Mapping[str, str] = field(default_factory=dict[str, str])
    doubts: tuple[str, ...] = ()
