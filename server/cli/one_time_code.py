"""The one-time code of the first start, kept for as long as its server runs.

The server tells it once, to whoever started it; a server in the background tells it nobody, so it
lies in the home's runtime folder, which is its owner's alone (mode 0700).
"""

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from server.cli.home import Home
from server.home_lock import LOCK


@contextmanager
def forgotten_afterwards(home: Home) -> Generator[None]:
    """Remove what this process kept at the end of the block."""
    try:
        yield
    finally:
        if _held(home).get("pid") == os.getpid():
            _file(home).unlink(missing_ok=True)


def keep(home: Home, code: str | None) -> None:
    """Keep the code of the server in this process; None once there is an owner."""
    temporary = _file(home).with_suffix(".tmp")
    temporary.touch(mode=0o600)
    temporary.write_text(json.dumps({"pid": os.getpid(), "code": code}), encoding="utf-8")
    temporary.replace(_file(home))


def forget(home: Home) -> None:
    """Remove the code once it has been used."""
    _file(home).unlink(missing_ok=True)


def kept(home: Home) -> str | None:
    """The code of the server that holds the home now; None if there is none, or not yet."""
    held = _held(home)
    try:
        holder = int((home.root / LOCK).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return held.get("code") if held.get("pid") == holder else None


def _held(home: Home) -> dict[str, Any]:
    try:
        return json.loads(_file(home).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _file(home: Home) -> Path:
    return home.runtime / "one-time-code.json"
