"""Making an answer that is too large small, and counting what was left out."""

import json
from typing import Any, cast

Facts = dict[str, Any]

KEPT_ENTRIES = (64, 32, 16, 8, 4, 2, 1, 0)
CHARACTERS_AN_ENTRY = 40
SHORTEST_TEXT = 200
MOST_FIELDS = 64
"""An object with more keys than any record has is a table, and is cut like a list."""


def compact(facts: Facts) -> str:
    """The facts as one line of JSON, people's words unescaped."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def size(facts: Facts) -> int:
    """Bytes of the compact form."""
    return len(compact(facts).encode())


def trimmed(facts: Facts, most: int) -> tuple[Facts, dict[str, int]]:
    """The facts in at most ``most`` bytes, and what that cost.

    Returns:
        The facts with long lists, tables and texts cut, and for each dotted path how many
        entries or characters are missing. Where that is not enough, no facts and no counts.
    """
    for entries in KEPT_ENTRIES:
        cutter = _Cutter(entries)
        small = {name: cutter.cut(held, name) for name, held in facts.items()}
        if size(small) <= most:
            return small, cutter.left_out
    return {}, {}


class _Cutter:
    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._characters = max(SHORTEST_TEXT, entries * CHARACTERS_AN_ENTRY)
        self.left_out: dict[str, int] = {}

    def cut(self, held: object, path: str) -> object:
        if isinstance(held, dict):
            return self._cut_object(cast("Facts", held), path)
        if isinstance(held, list):
            items = cast("list[object]", held)
            self._count(path, len(items) - self._entries)
            return [self.cut(each, path) for each in items[: self._entries]]
        if isinstance(held, str):
            self._count(path, len(held) - self._characters)
            return held[: self._characters]
        return held

    def _cut_object(self, held: Facts, path: str) -> Facts:
        most = len(held) if len(held) <= MOST_FIELDS else self._entries
        self._count(path, len(held) - most)
        kept = list(held.items())[:most]
        return {name: self.cut(each, f"{path}.{name}") for name, each in kept}

    def _count(self, path: str, missing: int) -> None:
        if missing > 0:
            self.left_out[path] = self.left_out.get(path, 0) + missing
