"""One server for one home: a lock that the system frees whatever happens to its holder."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

LOCK = "lock"


class HomeTakenError(Exception):
    """Another process holds this home."""


@contextmanager
def held(home: Path) -> Generator[None]:
    """Hold the home for the length of a block.

    Raises:
        HomeTakenError: somebody else does; the sentence says what to do.
    """
    handle = os.open(home / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise HomeTakenError(
            "Another server works in this home. Use it, or end it with `matinee stop`."
        ) from None
    try:
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)
