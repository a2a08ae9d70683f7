"""The home folder: where it is, and where things are in it.

Standard library only: `matinee mcp` imports this.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "MATINEE_HOME"


class Home:
    """The paths of one home. Nothing of it has to exist yet."""

    def __init__(self, root: Path) -> None:
        """Take the absolute path of the folder."""
        self.root = root

    @property
    def runtime(self) -> Path:
        """The folder of what lives only while a server runs; its owner's alone."""
        return self.root / "run"

    @property
    def mcp_socket(self) -> Path:
        """Where bridges reach the server."""
        return self.runtime / "mcp.sock"

    @property
    def api_socket(self) -> Path:
        """Where the terminal's other commands reach the server."""
        return self.runtime / "api.sock"

    @property
    def starting_lock(self) -> Path:
        """Locked by whoever is starting a server."""
        return self.runtime / "starting.lock"

    @property
    def workers_lock(self) -> Path:
        """Held by every worker of this home."""
        return self.runtime / "workers.lock"

    @property
    def role_file(self) -> Path:
        """What the last process of this home was for, where that is not everything."""
        return self.root / "role"

    @property
    def status_file(self) -> Path:
        """What a running server says of itself."""
        return self.root / "server.json"

    @property
    def refusal_file(self) -> Path:
        """What the last start that was refused said."""
        return self.runtime / "refused-start.json"

    @property
    def log_file(self) -> Path:
        """Where a server that was started in the background writes."""
        return self.root / "logs" / "server.log"

    def prepare(self) -> None:
        """Make the folders, closed to everybody else.

        Raises:
            OSError: they cannot be made.
        """
        for folder in (self.root, self.runtime, self.log_file.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.runtime.chmod(0o700)


def resolved(given: str | None, environment: Mapping[str, str]) -> Home:
    """The home that was asked for: ``--home``, else the variable, else the platform's folder."""
    wanted = given or environment.get(VARIABLE)
    root = Path(wanted).expanduser() if wanted else _platform_folder(environment)
    return Home(Path.cwd() / root)


def _platform_folder(environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Matinee"
    data = Path(environment.get("XDG_DATA_HOME", ""))
    # The base directory specification ignores relative paths.
    return (data if data.is_absolute() else Path.home() / ".local" / "share") / "matinee"
