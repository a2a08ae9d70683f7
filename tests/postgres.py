"""A real PostgreSQL server for tests, on a free port of the loopback, and databases on it."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger.location import PostgresServer
from ledger.migrate import migrate

START_S = 30.0
LOOK_AGAIN_S = 0.05
TEMPLATE = "migrated"


@dataclass(slots=True)
class Server:
    """A server that can be killed and started again over the same files."""

    folder: Path
    port: int
    durable: bool
    process: subprocess.Popen[bytes] | None = None
    databases: int = 0

    def address(self, database: str) -> str:
        """Where a database of this server is."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start, and wait until it answers."""
        sync = "on" if self.durable else "off"
        options = (f"-p{self.port}", "-clisten_addresses=127.0.0.1", f"-cfsync={sync}")
        more = (f"-cunix_socket_directories={self.folder}", "-cmax_connections=200")
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*_as_postgres(), program("postgres"), "-D", self._files, *options, *more],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_S
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                pytest.fail((self.folder / "log").read_text()[-2000:])
            time.sleep(LOOK_AGAIN_S)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: at once and in good order (SIGINT), or as a power cut would (SIGKILL)."""
        if self.process is None:
            return
        if how is signal.SIGKILL:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        self.process.wait(START_S)
        self.process = None

    def create(self, template: str | None = TEMPLATE) -> PostgresServer:
        """A fresh database, migrated unless ``template`` is None."""
        self.databases += 1
        name = f"ledger_{self.databases}"
        copied = "" if template is None else f" TEMPLATE {template}"
        self.run(f"CREATE DATABASE {name}{copied}")
        return PostgresServer(self.address(name))

    def drop(self, database: PostgresServer) -> None:
        """Remove a database, whoever is still connected."""
        name = database.url.rpartition("/")[2]
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def run(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """One statement, committed at once."""
        where = self.address(database).replace("+psycopg", "")
        with psycopg.connect(where, autocommit=True) as conn:
            told = conn.execute(statement.encode())
            return told.fetchall() if told.description else []

    @property
    def _files(self) -> Path:
        return self.folder / "data"

    def _answers(self) -> bool:
        try:
            self.run("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True


def program(name: str) -> str:
    """A program of the newest PostgreSQL that is installed, or a skip where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    path = str(found[-1]) if found else shutil.which(name)
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("PostgreSQL is missing; scripts/services installs it")
        pytest.skip("PostgreSQL is not installed (scripts/services test)")
    return path


@contextmanager
def serving(*, durable: bool = False) -> Generator[Server]:
    """A server of its own; ``durable`` ones sync their files as in earnest."""
    with tempfile.TemporaryDirectory(prefix="matinee-pg-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        initdb = (program("initdb"), "-D", folder / "data", "-U", "postgres", "-A", "trust")
        subprocess.run(
            [*_as_postgres(), *initdb, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
            check=True,
            capture_output=True,
        )
        server = Server(folder, _free_port(), durable)
        server.start()
        try:
            server.run(f"CREATE DATABASE {TEMPLATE}")
            migrate(PostgresServer(server.address(TEMPLATE)))
            yield server
        finally:
            server.stop()


def _as_postgres() -> list[str]:
    """The server refuses to run as root."""
    if os.geteuid() != 0:
        return []
    who = ("--reuid=postgres", "--regid=postgres", "--clear-groups")
    return ["setpriv", *who, "env", "HOME=/tmp"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
