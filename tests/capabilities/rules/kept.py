"""What tests say that the ledger keeps of a work: copies, and entries of the blocklist."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kept:
    """A copy of a film, or of one episode."""

    title: str
    season: int = 0
    episode: int = 0
    found: dict[str, Any] | None = None
    info_hash: str = "F" * 40
    in_flight: bool = False


@dataclass(frozen=True)
class Entry:
    """An entry of the blocklist."""

    reason: str = "a fake"
    info_hash: str | None = None
    title: str | None = None
    indexer: str | None = None
