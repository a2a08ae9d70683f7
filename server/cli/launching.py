"""Starting a server in the background.

Standard library only: `matinee mcp` imports this; what costs time is imported when needed.
"""

import os
import subprocess
import sys
from pathlib import Path

from server.cli.home import Home

COMMAND = "matinee"


def launched(home: Home) -> "subprocess.Popen[bytes]":
    """Start ``matinee serve`` detached, its output in the home's log.

    It is the installed command by its path, never a module by its name: in a folder with modules
    of the same name, those would be run instead. The client's key is not passed on.

    Raises:
        OSError: the command or the log cannot be opened.
    """
    environment = {name: held for name, held in os.environ.items() if name != "MATINEE_KEY"}
    with home.log_file.open("ab", opener=_private) as log:
        return subprocess.Popen(  # noqa: S603  # our own command by its absolute path
            [_command(), "serve", "--home", str(home.root)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=home.root,
            env=environment,
            start_new_session=True,
        )


def _command() -> str:
    import shutil  # only a first start needs it

    called_as = Path.cwd() / sys.argv[0]
    beside = Path(sys.executable).with_name(COMMAND)
    for path in (called_as, beside):
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    found = shutil.which(COMMAND)
    if found is None:
        raise FileNotFoundError(2, "the command `matinee` is not installed")
    return str(Path.cwd() / found)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
