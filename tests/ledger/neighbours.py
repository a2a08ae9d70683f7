"""Other processes at the same file."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_HOLD = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    other.execute(statement).fetchall()
print("held", flush=True)
sys.stdin.read()
"""

WRITE_LOCK = ("BEGIN IMMEDIATE",)
WHOLE_FILE = ("PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "COMMIT")


@contextmanager
def held_by_another_process(path: Path, *statements: str) -> Generator[None]:
    """Another process has run ``statements`` on ``path`` and keeps what they took."""
    with subprocess.Popen(  # our own interpreter, our own words
        [sys.executable, "-c", _HOLD, str(path), *statements],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield
        assert holder.stdin is not None
        holder.stdin.close()
        assert holder.wait(5) == 0
