"""A real Transmission without a screen, on 127.0.0.1 and talking to nobody else.

It is the program that Debian's package transmission-daemon installs; settings are those of its
3.00. It connects to no peer on a loopback address, so seeds have to dial it.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio.to_thread

from world.local_program import LocalProgram, free_port, installed, listening

PROGRAM = "transmission-daemon"
PACKAGE = "transmission-daemon"
USER = "owner"


@dataclass(frozen=True, slots=True)
class TransmissionProfile:
    """What a Transmission keeps, in a folder of its own; it can run again and again there.

    Attributes:
        port: of its RPC.
        peers_port: where peers find it.
    """

    folder: Path
    password: str = field(default="a pass of the loopback", repr=False)
    port: int = field(default_factory=free_port)
    peers_port: int = field(default_factory=free_port)

    @property
    def downloads(self) -> Path:
        """Where it saves by default."""
        return self.folder / "downloads"

    def write(self) -> None:
        """Write its settings; it writes them itself when it ends."""
        self.downloads.mkdir(parents=True, exist_ok=True)
        settings = {
            "bind-address-ipv4": "127.0.0.1",
            "bind-address-ipv6": "::1",
            "cache-size-mb": 1,
            "dht-enabled": False,
            "download-dir": str(self.downloads),
            "lpd-enabled": False,
            "peer-port": self.peers_port,
            "pex-enabled": False,
            "port-forwarding-enabled": False,
            "rpc-authentication-required": True,
            "rpc-bind-address": "127.0.0.1",
            "rpc-password": self.password,
            "rpc-port": self.port,
            "rpc-username": USER,
            "utp-enabled": False,
        }
        path = self.folder / "settings.json"
        path.write_text(json.dumps(settings), encoding="utf-8")


@asynccontextmanager
async def running(profile: TransmissionProfile) -> AsyncGenerator[LocalProgram]:
    """A Transmission with this profile for the time of the block; it answers when that begins.

    Raises:
        ProgramMissingError: it is not installed.
        NotStartedError: it does not start.
    """
    program, folder = installed(PROGRAM, PACKAGE), profile.folder
    command = [program, "--foreground", "--config-dir", str(folder), "--log-error"]
    await anyio.to_thread.run_sync(profile.write)
    async with listening(command, folder, profile.port) as process:
        address = f"http://127.0.0.1:{profile.port}"
        yield LocalProgram(address, USER, profile.password, process)
