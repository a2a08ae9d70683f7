"""A listening Unix socket that only its owner can reach."""

import socket
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from server.protocol.unix_address import reachable

BACKLOG = 64


class SocketTakenError(Exception):
    """Somebody else serves at this path, or it is no socket; the text is for the owner."""


@contextmanager
def listening(path: Path) -> Generator[socket.socket]:
    """Listen at ``path`` inside the block; the file is removed at its end, if it is still ours.

    The folder is made if need be and closed to others (mode 0700), the socket has mode 0600. A
    file that a server left behind when it died is replaced.

    Raises:
        SocketTakenError: another server answers there, or what lies there is something else.
        AddressTooLongError: see `server.protocol.unix_address`.
        OSError: the folder or the socket cannot be made.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    _clear(path)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with reachable(path) as address:
            made.bind(address)
        path.chmod(0o600)
        made.listen(BACKLOG)
        made.setblocking(False)
        ours = _identity(path)
        try:
            yield made
        finally:
            with suppress(FileNotFoundError):
                if _identity(path) == ours:
                    path.unlink()
    finally:
        made.close()


def _clear(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise SocketTakenError(f"{path.name} in the home is no socket; move it away and try again.")
    if _answers(path):
        raise SocketTakenError("Another Matinee server runs for this home; `matinee stop` ends it.")
    path.unlink()


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock, reachable(path) as address:
        knock.setblocking(False)
        try:
            knock.connect(address)
        except ConnectionRefusedError:
            return False
        except BlockingIOError:  # its queue is full, so somebody is there
            return True
    return True


def _identity(path: Path) -> tuple[int, int]:
    status = path.lstat()
    return status.st_dev, status.st_ino
