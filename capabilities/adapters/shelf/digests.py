"""SHA-256 of open files, in pieces, so that a cancelled caller is not kept waiting."""

import hashlib
import os
import sys
from collections.abc import Iterator

from anyio import from_thread

_PIECE = 1 << 20


def pieces(handle: int) -> Iterator[bytes]:
    """The bytes of an open file from its start; stops early when the caller was cancelled.

    Runs only in a worker thread that `off_loop` started.
    """
    offset = 0
    while piece := os.pread(handle, _PIECE, offset):
        from_thread.check_cancelled()
        yield piece
        offset += len(piece)


def digest_of(handle: int) -> str:
    """SHA-256 in hexadecimal of an open file, read from the disk where the system allows it."""
    if sys.platform == "linux":
        # what was just written would otherwise be compared with its own image in memory
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    digest = hashlib.sha256()
    for piece in pieces(handle):
        digest.update(piece)
    return digest.hexdigest()
