"""What the process of a home is for, where a ledger is shared: kept, so that nothing else is begun.

A worker opens no doors and holds no lock of the home, which workers share; without this, a command
typed there would find nobody and start a whole server beside it.

Standard library only: `matinee mcp` imports this.
"""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

from server.cli.home import Home
from server.role import Role

LOOKS = 5
PAUSE_S = 0.02


class NoDoors(NamedTuple):
    """Why nothing answers in a home and nothing is started there."""

    sentence: str
    hint: str


def remember(home: Home, role: Role) -> None:
    """Keep what the process of ``home`` is for; the usual one needs no memory."""
    if role is Role.ALL:
        home.role_file.unlink(missing_ok=True)
        return
    temporary = home.role_file.with_suffix(".tmp")
    temporary.write_text(f"{role}\n", encoding="ascii")
    temporary.replace(home.role_file)


def remembered(home: Home) -> Role:
    """What the last process of ``home`` was for."""
    try:
        return Role(home.role_file.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        return Role.ALL


@contextmanager
def at_work(home: Home) -> Generator[None]:
    """Be known as a worker of ``home`` for a block; the system ends it whatever happens."""
    lock = os.open(home.workers_lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)


def worker_in(home: Home) -> bool:
    """Whether a worker works in ``home`` at this moment."""
    try:
        lock = os.open(home.workers_lock, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _free(lock)
    finally:
        os.close(lock)


def for_workers(home: Home) -> bool:
    """Whether this is the home of workers, whether or not one works there now."""
    return worker_in(home) or remembered(home) is Role.WORKER


def no_doors(home: Home) -> NoDoors | None:
    """Why nothing is to be started in ``home`` for a command; None where something may be."""
    if worker_in(home):
        return NoDoors(
            "A worker works in this home. It opens no doors, so no command reaches it, and no "
            "other server was started beside it.",
            "`matinee --home FOLDER status` shows it, where FOLDER is the home of a process with "
            "doors on the same ledger. Ctrl-C or SIGTERM ends it.",
        )
    if remembered(home) is Role.WORKER:
        return NoDoors(
            "This is the home of a worker, and none works in it now. Nothing was started.",
            "`matinee serve --role worker` starts one; `matinee serve` opens doors here instead.",
        )
    return None


def _free(lock: int) -> bool:
    """Whether nobody holds it; another one's look lasts an instant and is waited out."""
    for _ in range(LOOKS):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(PAUSE_S)
        else:
            return True
    return False
