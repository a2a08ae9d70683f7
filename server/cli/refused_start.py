"""What a start that was refused said last, kept for whoever began it in the background.

Standard library only: `matinee mcp` imports this.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from server.cli.home import Home

UNTOLD = "It ended without a word."
_TAIL = 4096


class RefusedStart(NamedTuple):
    """How a start ended: its exit status, its last sentence, a word for programs, what helps."""

    status: int
    sentence: str
    code: str = "unavailable"
    hint: str = ""


def tell(home: Home, status: int, document: Mapping[str, object]) -> None:
    """Keep how the start in this process ended; a home that cannot be written to keeps nothing.

    Args:
        home: where it was to serve.
        status: its exit status.
        document: ``sentence``, ``code`` and ``hint``.
    """
    held = {"pid": os.getpid(), "status": status}
    held |= {name: document[name] for name in ("sentence", "code", "hint")}
    file = home.refusal_file
    with suppress(OSError):
        temporary = file.with_suffix(f".{os.getpid()}.tmp")
        temporary.touch(mode=0o600)
        temporary.write_text(json.dumps(held), encoding="utf-8")
        temporary.replace(file)


def told(home: Home, pid: int, status: int, log_from: int) -> RefusedStart:
    """How the start of process ``pid`` ended; where it kept nothing, the last line of its log.

    Args:
        home: where it was to serve.
        pid: its process.
        status: its exit status, negative where a signal ended it.
        log_from: the size of the log before it, in bytes.
    """
    held = _kept(home)
    if held.get("pid") == pid:
        home.refusal_file.unlink(missing_ok=True)
        return RefusedStart(held["status"], held["sentence"], held["code"], held["hint"])
    return RefusedStart(status if status > 0 else 1, _last_line(home, log_from) or UNTOLD)


def _kept(home: Home) -> dict[str, Any]:
    try:
        return json.loads(home.refusal_file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _last_line(home: Home, log_from: int) -> str:
    try:
        with home.log_file.open("rb") as log:
            log.seek(max(log_from, log.seek(0, os.SEEK_END) - _TAIL))
            lines = log.read().decode(errors="replace").split("\n")
    except OSError:
        return ""
    said = [line.strip() for line in lines if line.strip()]
    return "".join(each for each in said[-1] if each.isprintable()) if said else ""
