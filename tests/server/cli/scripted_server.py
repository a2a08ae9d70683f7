"""`matinee serve` for the bridge's tests: it greets as the real one does, and then echoes.

It starts in milliseconds, and holds the home's lock for a moment after it stopped listening.
"""

import fcntl
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from server.cli import refused_start
from server.cli.home import Home
from server.protocol import handshake
from server.protocol.unix_listener import listening

STARTS = "starts"
BROKEN = "broken"
OLD_VERSION = "0.0.1"
AFTERWARDS_S = 0.3


def main(arguments: Sequence[str]) -> int:
    """Serve; ``--old`` says that this is an earlier version."""
    home = Home(Path(arguments[arguments.index("--home") + 1]))
    lock = os.open(home.root / "lock", os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        taken = {"sentence": "Another server works in this home.", "code": "conflict", "hint": ""}
        refused_start.tell(home, 1, taken)
        return 1
    if (home.root / BROKEN).exists():
        sys.stderr.write("Traceback:\n  and so on\nNoWayError: it is broken.\n")
        return 1
    old = "--old" in arguments
    version = OLD_VERSION if old else handshake.VERSION
    with (home.root / STARTS).open("a") as starts:
        starts.write(f"{os.getpid()} {version} {os.environ.get('MATINEE_KEY')}\n")
    signal.signal(signal.SIGTERM, _leave)
    with listening(home.mcp_socket) as listener:
        listener.setblocking(True)
        _serve(listener, old=old)
    time.sleep(AFTERWARDS_S)
    return 0


def _leave(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _serve(listener: socket.socket, *, old: bool) -> None:
    while True:
        client, _ = listener.accept()
        line = client.makefile("rb").readline()
        if handshake.parsed(line) is None:
            client.close()
        elif old:
            with client:
                client.sendall(handshake.refusal("Make room.", stopping=True))
            return
        else:
            client.sendall(handshake.admission(os.getpid()))
            threading.Thread(target=_echo, args=(client,), daemon=True).start()


def _echo(client: socket.socket) -> None:
    with client:
        while data := client.recv(65_536):
            client.sendall(data)
