"""Reaching a Unix socket whose path is longer than the system's address may be.

Standard library only: `matinee mcp` imports this.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

LONGEST = 107 if sys.platform == "linux" else 103
"""Bytes of a path that fit into `sockaddr_un` besides the terminating zero (unix(7))."""


class AddressTooLongError(Exception):
    """The path does not fit, and this system knows no way around that."""


@contextmanager
def reachable(path: Path) -> Generator[str]:
    """An address for bind and connect that names ``path``, valid inside the block.

    A long path is reached through an open descriptor of its folder; Linux only.

    Raises:
        AddressTooLongError: elsewhere, with a sentence that says what to do.
        FileNotFoundError: the folder of a long path does not exist.
    """
    if len(os.fsencode(path)) <= LONGEST:
        yield str(path)
        return
    if sys.platform != "linux":
        raise AddressTooLongError(
            "The home's path is too long for a socket; choose a shorter one with --home."
        )
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
