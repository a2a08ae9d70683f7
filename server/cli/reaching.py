"""A greeted connection to the home's server, which is started if there is none.

Standard library only: `matinee mcp` imports this.
"""

import fcntl
import os
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager

from server.cli.home import Home
from server.cli.home_role import no_doors
from server.cli.refused_start import RefusedStart
from server.protocol import handshake
from server.protocol.unix_address import AddressTooLongError, reachable

GREETING_TIMEOUT_S = 10.0
START_TIMEOUT_S = 30.0
PAUSE_S = 0.02
MOST_LAUNCHES = 3
RELAUNCH_PAUSE_S = 0.5
HOME_TAKEN = "conflict"
DOCTOR = "`matinee doctor` looks for the cause."

NOBODY = "nobody"
LEAVING = "leaving"


class NoServerError(Exception):
    """There is no server to talk to; the text is a sentence for the client's log."""


class StartRefusedError(NoServerError):
    """A server was started and ended at once.

    Attributes:
        refused: how, with the exit status and what would help; all of it is in the text too.
        sentence: the text without what would help.
    """

    def __init__(self, home: Home, refused: RefusedStart) -> None:
        """Say what the server said last, where its log is, and what would help."""
        self.refused = refused._replace(hint=refused.hint or DOCTOR)
        self.sentence = (
            f"Matinee's server did not start. {refused.sentence}\nIts log: {home.log_file}"
        )
        super().__init__(f"{self.sentence}\n{self.refused.hint}")


def connection(home: Home, key: str | None) -> socket.socket:
    """A connection on which MCP may be spoken; whoever is called second uses the same server.

    Raises:
        StartRefusedError: the server that was started for it ended.
        NoServerError: the server refuses this key, does not answer, or cannot be started; or it is
            the home of a worker, where none is.
    """
    try:
        found = _greeted(home, key)
        if not isinstance(found, str):
            return found
        if (closed := no_doors(home)) is not None:
            raise NoServerError(f"{closed.sentence} {closed.hint}")
        home.prepare()
        with _alone(home):
            return _started(home, key, found)
    except (OSError, AddressTooLongError) as fault:
        raise NoServerError(f"Matinee's server cannot be reached: {_told(fault)}") from fault


def _started(home: Home, key: str | None, found: str) -> socket.socket:
    from server.cli.launching import launched  # slow to import, and only a first start needs it

    until = time.monotonic() + START_TIMEOUT_S
    leaving = found == LEAVING
    launch, launches = None, 0
    while time.monotonic() < until:
        # Looked at before the greeting: a start that ended may have found another that answers.
        ended = None if launch is None else launch.ended()
        answer = _greeted(home, key)
        if not isinstance(answer, str):
            return answer
        leaving = leaving or answer == LEAVING
        if ended is not None and answer == NOBODY:
            # A server that is leaving holds the home a while after it stopped listening.
            if ended.code != HOME_TAKEN or (launches == MOST_LAUNCHES and not leaving):
                raise StartRefusedError(home, ended)
            time.sleep(RELAUNCH_PAUSE_S)
        if answer == NOBODY and (launch is None or ended is not None):
            launch = launched(home)
            launches += 1
        time.sleep(PAUSE_S)
    raise NoServerError(
        f"Matinee's server did not answer within {START_TIMEOUT_S:.0f} s. "
        f"Its log: {home.log_file}\n{DOCTOR}"
    )


@contextmanager
def _alone(home: Home) -> Generator[None]:
    """Hold the lock of those who start a server; the system frees it whatever happens."""
    lock = os.open(home.starting_lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _greeted(home: Home, key: str | None) -> socket.socket | str:
    """A connection that the server admitted, or why there is none yet: `NOBODY` or `LEAVING`."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with reachable(home.mcp_socket) as address:
            made.connect(address)
        made.settimeout(GREETING_TIMEOUT_S)
        made.sendall(handshake.greeting(key))
        answer = handshake.parsed(_line(made))
    except (FileNotFoundError, ConnectionError):
        made.close()
        return NOBODY
    except BaseException:
        made.close()
        raise
    if answer is not None and answer.get("ok") is True:
        made.settimeout(None)
        return made
    made.close()
    if answer is None:
        raise NoServerError("Something that is no server of Matinee answers in its home.")
    if answer.get("stopping") is True:
        return LEAVING
    raise NoServerError(str(answer.get("error")))


def _line(made: socket.socket) -> bytes:
    # Byte by byte, so that nothing is taken that belongs to what follows.
    line = b""
    while not line.endswith(b"\n") and len(line) < handshake.LONGEST_LINE:
        byte = made.recv(1)
        if not byte:
            raise ConnectionResetError
        line += byte
    return line


def _told(fault: Exception) -> str:
    if isinstance(fault, TimeoutError):
        return f"it did not answer within {GREETING_TIMEOUT_S:.0f} s."
    if isinstance(fault, OSError):
        return f"{fault.strerror or 'the system refused'}. See `matinee doctor`."
    return str(fault)
