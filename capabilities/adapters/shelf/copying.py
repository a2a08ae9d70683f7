"""Copying an open file: written, read again, compared and digested at the same time."""

import hashlib
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from anyio import from_thread

from capabilities.kernel import fault_points

PIECE: Final = 1 << 20
AT_ONCE: Final = 8
"""Pieces that are held in memory while they wait to be compared."""
FLUSH_EVERY: Final = 32 * PIECE
"""Bytes after which the disk is set to work, so that it does not stand idle until the end."""


class DiffersError(Exception):
    """What stands in the copy is not what was read."""


@dataclass(slots=True)
class _Follower:
    """Reads behind the writer what stands in the copy, and digests it."""

    target: int
    update: Callable[[bytearray], None]
    found: bytearray = field(default_factory=lambda: bytearray(PIECE))

    def follow(self, piece: bytearray, size: int, offset: int) -> None:
        """Compare `size` bytes of a piece with what stands at `offset`, and digest them."""
        whole = size == PIECE
        there = self.found if whole else bytearray(size)
        seen = os.preadv(self.target, [there], offset)
        expected = piece if whole else piece[:size]
        if seen != size or there != expected:
            raise DiffersError
        self.update(there)


def copy(source: int, target: int) -> str:
    """Write all bytes of `source` to the empty file `target`; SHA-256 of both, in hexadecimal.

    Behind the writer, each piece is read again from the copy, compared with what was read, and
    digested: the digest is of what stands there. It is read as the kernel has it; that the disk has
    taken it is the word of fsync(2), which the caller waits for and for which the disk is set to
    work from early on. Digesting costs several times as much of the processor as copying, so it
    has a thread of its own.

    Runs only in a worker thread that `off_loop` started; a cancelled caller ends it.

    Raises:
        DiffersError: a piece of the copy is not what was read.
        OSError: as the disk said.
    """
    digest = hashlib.sha256()
    follower = _Follower(target, digest.update)
    free = deque(bytearray(PIECE) for _ in range(AT_ONCE))
    waiting = deque[tuple[Future[None], bytearray]]()
    flushed: Future[None] | None = None
    offset, due = 0, FLUSH_EVERY
    with ThreadPoolExecutor(1) as following, ThreadPoolExecutor(1) as flushing:
        while True:
            from_thread.check_cancelled()
            if not free:
                done, piece = waiting.popleft()
                done.result()
                free.append(piece)
            piece = free.popleft()
            size = os.preadv(source, [piece], offset)
            if not size:
                break
            _write(target, piece, size, offset)
            fault_points.at("piece_copied")
            waiting.append((following.submit(follower.follow, piece, size, offset), piece))
            offset += size
            if offset >= due and (flushed is None or flushed.done()):
                if flushed is not None:
                    flushed.result()  # the disk says once, and to this call only, that it failed
                flushed = flushing.submit(os.fsync, target)
                due = offset + FLUSH_EVERY
        for done, _ in waiting:
            done.result()
        if flushed is not None:
            flushed.result()
    return digest.hexdigest()


def _write(target: int, piece: bytearray, size: int, offset: int) -> None:
    written = 0
    with memoryview(piece) as view:
        while written < size:
            written += os.pwrite(target, view[written:size], offset + written)
