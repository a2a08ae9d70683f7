"""The interpreter and the home folder itself."""

import os
import stat
import sys
from collections.abc import Iterator

from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.home import Home

OLDEST = (3, 11)
PRIVATE = 0o700


def python() -> Finding:
    """Whether the interpreter is new enough."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[:2] >= OLDEST:
        return ok("python", f"Python {version}.")
    return Finding(
        "python",
        Severity.ERROR,
        f"Python {version} is too old.",
        f"Install Python {OLDEST[0]}.{OLDEST[1]} or later.",
    )


def home_folder(home: Home) -> Iterator[Finding]:
    """Whether the home is there, writable, and closed to others."""
    try:
        mode = home.root.stat().st_mode
    except FileNotFoundError:
        yield Finding(
            "home.exists",
            Severity.NOTICE,
            "There is no home yet; the first start makes it.",
            "Type `matinee`.",
            home.prepare,
        )
        return
    if not stat.S_ISDIR(mode):
        yield Finding(
            "home.exists",
            Severity.ERROR,
            "The home is no folder.",
            "Move what lies there away, or choose another home with --home.",
        )
        return
    yield _writable(home)
    yield _private(home, stat.S_IMODE(mode))


def _writable(home: Home) -> Finding:
    if os.access(home.root, os.R_OK | os.W_OK | os.X_OK):
        return ok("home.exists", "The home is there and writable.")
    return Finding(
        "home.exists",
        Severity.ERROR,
        "The home cannot be written to by this user, so nothing can be recorded or done.",
        "Give the folder to this user, or run Matinee as its owner.",
    )


def _private(home: Home, mode: int) -> Finding:
    if not mode & ~PRIVATE:
        return ok("home.private", "The home is closed to other users.")
    return Finding(
        "home.private",
        Severity.WARNING,
        "Other users of this computer can look into the home, where secrets are kept.",
        "Set its mode to 0700.",
        lambda: home.root.chmod(mode & PRIVATE),
    )
