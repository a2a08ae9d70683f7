"""Starting a server in the background."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from server.cli.home import Home
from server.cli.home_role import remembered
from server.cli.refused_start import RefusedStart, told
from server.role import Role

COMMAND = "matinee"
KEY_VARIABLE = "MATINEE_KEY"


@dataclass(frozen=True, slots=True)
class Launch:
    """A start in the background.

    Attributes:
        log_from: the size of the home's log before it, in bytes.
    """

    home: Home
    process: subprocess.Popen[bytes]
    log_from: int

    def ended(self) -> RefusedStart | None:
        """How it ended; None as long as it runs."""
        status = self.process.poll()
        if status is None:
            return None
        return told(self.home, self.process.pid, status, self.log_from)


def launched(home: Home) -> Launch:
    """Start ``matinee serve`` detached, its output in the home's log.

    It is the installed command by its path, never a module by its name: in a folder with modules
    of the same name, those would be run instead. A client's key is not passed on. Where a ledger is
    shared, it does what the last process of this home did.

    Raises:
        OSError: the command or the log cannot be opened.
    """
    environment = {name: held for name, held in os.environ.items() if name != KEY_VARIABLE}
    with open(home.log_file, "ab", opener=_private) as log:
        log_from = log.seek(0, os.SEEK_END)
        process = subprocess.Popen(  # noqa: S603  # our own command by its absolute path
            [_command(), "serve", "--home", str(home.root), *_role(home)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=home.root,
            env=environment,
            start_new_session=True,
        )
    return Launch(home, process, log_from)


def _role(home: Home) -> list[str]:
    role = remembered(home)
    return [] if role is Role.ALL else ["--role", role]


def _command() -> str:
    called_as = Path.cwd() / sys.argv[0]
    beside = Path(sys.executable).with_name(COMMAND)
    # A bare name would be looked for in the working folder, where anything may lie.
    if os.sep in sys.argv[0] and called_as.name == COMMAND and os.access(called_as, os.X_OK):
        return str(called_as)
    if os.access(beside, os.X_OK):
        return str(beside)
    found = shutil.which(COMMAND)
    if found is None:
        raise FileNotFoundError(2, "the command `matinee` is not installed")
    return str(Path.cwd() / found)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
