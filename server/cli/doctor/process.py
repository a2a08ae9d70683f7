"""The server of a home: whether one runs, and whether it is this version."""

import fcntl
import os
from collections.abc import Iterator

from server.cli.api_client import Json, answers, connected
from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.exits import EndError
from server.cli.home import Home
from server.cli.home_role import for_workers, remembered, worker_in
from server.home_lock import LOCK
from server.protocol.handshake import VERSION
from server.role import Role

UNKNOWN_HOLDER = "another process"


def process(home: Home) -> Iterator[Finding]:
    """The lock and the server behind it."""
    held, answering = is_held(home), answers(home)
    # Workers share their home and hold no lock of it.
    if held or not for_workers(home):
        yield _lock(home, held=held, answering=answering)
    if answering:
        yield _server(home)
    elif worker_in(home):
        yield ok("server", "A worker works in this home; it opens no doors.")
    elif not held:
        yield _nobody(home)


def _nobody(home: Home) -> Finding:
    if remembered(home) is Role.WORKER:
        fix = "Type `matinee serve --role worker`."
        return Finding("server", Severity.NOTICE, "No worker works in this home now.", fix)
    return Finding("server", Severity.NOTICE, "No server runs now.", "Type `matinee`.")


def is_held(home: Home) -> bool:
    """Whether a process holds the home's lock at this moment."""
    try:
        handle = os.open(home.root / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _lock(home: Home, *, held: bool, answering: bool) -> Finding:
    if held and not answering:
        return Finding(
            "lock",
            Severity.ERROR,
            f"{_holder(home).capitalize()} holds the home and takes no commands.",
            "It may be starting or ending: look again. If it stays so, end that process.",
        )
    return ok("lock", f"{_holder(home).capitalize()} holds the home." if held else "It is free.")


def _holder(home: Home) -> str:
    try:
        return f"process {int((home.root / LOCK).read_text(encoding='ascii'))}"
    except (OSError, ValueError):
        return UNKNOWN_HOLDER


def _server(home: Home) -> Finding:
    try:
        with connected(home) as api:
            status = api.get("/status")
    except EndError as fault:
        return Finding(
            "server", Severity.ERROR, f"The server does not do its work: {fault.sentence}"
        )
    return _version(status)


def _version(status: Json) -> Finding:
    if status["version"] != VERSION:
        return Finding(
            "server",
            Severity.WARNING,
            f"The server is Matinee {status['version']}, this command is {VERSION}.",
            "Type `matinee stop`, then `matinee`.",
        )
    return ok("server", f"The server answers at {status['address']}.")
