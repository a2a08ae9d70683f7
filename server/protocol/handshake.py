"""The line with which a bridge opens the home's socket, and the line that answers it.

One JSON object each way, then MCP messages. Standard library only: `matinee mcp` imports this
and has to start in milliseconds.
"""

import json
import re
from typing import Any, cast

VERSION = "0.1.0"
LONGEST_LINE = 8192
"""Bytes that either line may have, its newline included."""

Line = dict[str, Any]

_NUMBER = re.compile(r"\d+")


def greeting(key: str | None) -> bytes:
    """What a bridge of this version says first; without a key it is the built-in local key's."""
    return _line({"matinee": VERSION, "key": key})


def admission(pid: int) -> bytes:
    """The answer after which MCP messages follow; ``pid`` is the server's process."""
    return _line({"ok": True, "version": VERSION, "pid": pid})


def refusal(sentence: str, *, stopping: bool = False) -> bytes:
    """The answer after which the connection ends.

    ``stopping``: this server is on its way out, and a new one may be started in its place.
    """
    return _line({"ok": False, "error": sentence, "stopping": stopping})


def parsed(line: bytes) -> Line | None:
    """The object in a line, or None when there is none."""
    try:
        held: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("Line", held) if isinstance(held, dict) else None


def newer(one: str, other: str) -> bool:
    """Whether version ``one`` is later than ``other``, by their release numbers alone."""
    return _release(one) > _release(other)


def _release(version: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(version)[:3]]


def _line(held: Line) -> bytes:
    return json.dumps(held).encode() + b"\n"
