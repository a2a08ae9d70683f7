"""The server of a home: whether one runs, is this version, and has its runs worked at."""

import fcntl
import os
from collections.abc import Iterator

from server.cli.api_client import Json, answers, connected
from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.exits import EndError
from server.cli.home import Home
from server.cli.home_role import for_workers, remembered, worker_in
from server.cli.no_worker import START, standing_still
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
        yield from _server(home)
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


def _server(home: Home) -> Iterator[Finding]:
    try:
        with connected(home) as api:
            status = api.get("/status")
    except EndError as fault:
        yield Finding(
            "server", Severity.ERROR, f"The server does not do its work: {fault.sentence}"
        )
        return
    yield _version(status)
    yield _worker(status)


def _worker(status: Json) -> Finding:
    """Whether anybody works at runs, in this process or in another one on the same ledger."""
    if (told := standing_still(status)) is not None:
        return Finding("worker", Severity.WARNING, f"{told}.", START)
    return ok("worker", "Runs are worked at.")


def _version(status: Json) -> Finding:
    if status["version"] != VERSION:
        return Finding(
            "server",
            Severity.WARNING,
            f"The server is Matinee {status['version']}, this command is {VERSION}.",
            "Type `matinee stop`, then `matinee`.",
        )
    return ok("server", f"The server answers at {status['address']}.")
