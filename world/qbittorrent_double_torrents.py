"""What the double of qBittorrent keeps of a torrent, in qBittorrent's own words."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import libtorrent as lt


@dataclass(slots=True)
class Held:
    """One torrent; `row` is what ``sync/maindata`` says of it, free for a test to change."""

    row: dict[str, Any]
    files: list[dict[str, Any]]
    raw: bytes

    @property
    def tags(self) -> set[str]:
        """The tags of it."""
        return {tag.strip() for tag in self.row["tags"].split(",") if tag.strip()}

    @tags.setter
    def tags(self, tags: set[str]) -> None:
        self.row["tags"] = ", ".join(sorted(tags))


def magnet_of(link: str) -> Held:
    """A magnet link with a v1 hash, as it is just added."""
    hash_ = parse_qs(urlsplit(link).query)["xt"][0].rpartition(":")[2]
    return Held(_row(hash_, hash_, -1, "metaDL"), [], b"")


def torrent_of(raw: bytes) -> Held | None:
    """A torrent file with a v1 hash, as it is just added; None for what is none."""
    try:
        info = lt.load_torrent_buffer(raw).ti
    except RuntimeError:
        return None
    return None if info is None else _described(info, raw)


def _described(info: lt.torrent_info, raw: bytes) -> Held:
    layout = info.layout()
    files = [
        {
            "name": layout.file_path(index),
            "size": layout.file_size(index),
            "progress": 0,
            "priority": 1,
        }
        for index in range(layout.num_files())
    ]
    row = _row(str(info.info_hashes().v1), info.name(), layout.total_size(), "stalledDL")
    return Held(row, files, raw)


def _row(hash_: str, name: str, size: int, state: str) -> dict[str, Any]:
    return {
        "hash": hash_,
        "infohash_v1": hash_,
        "infohash_v2": "",
        "name": name,
        "state": state,
        "size": size,
        "total_size": size,
        "amount_left": max(size, 0),
        "completed": 0,
        "priority": 1,
    }
