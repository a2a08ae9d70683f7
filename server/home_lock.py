"""One server for one home: a lock that the system frees whatever happens to its holder."""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

LOCK = "lock"
LOOKS = 10
PAUSE_S = 0.02


class HomeTakenError(Exception):
    """Another process holds this home."""


@contextmanager
def held(home: Path) -> Generator[None]:
    """Hold the home for the length of a block.

    Raises:
        HomeTakenError: somebody else does; the sentence says what to do.
    """
    handle = os.open(home / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    if not _taken(handle):
        os.close(handle)
        raise HomeTakenError(
            "Another server works in this home. Use it, or end it with `matinee stop`."
        )
    try:
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    """Whether the lock is ours now; a look at it by others lasts an instant and is waited out."""
    for _ in range(LOOKS):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(PAUSE_S)
        else:
            return True
    return False
