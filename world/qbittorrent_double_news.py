"""What the double of qBittorrent says of torrents: all of it once, then what changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class NewsDesk:
    """Remembers what was told last; whoever names another number than that is told everything."""

    rid: int = 0
    told: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    def since(self, rid: int, torrents: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
        """The part of an answer about torrents, for one who knows what was told as ``rid``."""
        whole = not rid or rid != self.rid
        before = {} if whole else self.told
        news: dict[str, Any] = {"rid": self.rid + 1}
        if whole:
            news["full_update"] = True
        changed = {
            id_: _differing(row, before[id_]) if id_ in before else row
            for id_, row in torrents.items()
            if before.get(id_) != row
        }
        if changed:
            news["torrents"] = changed
        if gone := [id_ for id_ in before if id_ not in torrents]:
            news["torrents_removed"] = gone
        self.rid += 1
        self.told = {id_: dict(row) for id_, row in torrents.items()}
        return news


def _differing(row: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if before.get(name) != value}
