"""A real qBittorrent without a screen, on 127.0.0.1 and talking to nobody else.

It is the program that Debian's package qbittorrent-nox installs; settings are those of its 4.5.
"""

import base64
import hashlib
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio.to_thread

from world.local_program import LocalProgram, free_port, installed, listening

PROGRAM = "qbittorrent-nox"
PACKAGE = "qbittorrent-nox"
USER = "admin"
REFRESH_MS = 100
_ROUNDS = 100_000
_WRONG_PASSWORDS = 5

_SETTINGS = r"""[LegalNotice]
Accepted=true
[BitTorrent]
Session\DHTEnabled=false
Session\LSDEnabled=false
Session\PeXEnabled=false
Session\Interface=lo
Session\InterfaceName=lo
Session\InterfaceAddress=127.0.0.1
Session\BTProtocol=TCP
Session\MultiConnectionsPerIp=true
Session\QueueingSystemEnabled=false
Session\DefaultSavePath={downloads}
Session\RefreshInterval={refresh_ms}
Session\Port={peers_port}
[Network]
PortForwardingEnabled=false
[Preferences]
WebUI\Enabled=true
WebUI\Address=127.0.0.1
WebUI\Port={port}
WebUI\UseUPnP=false
WebUI\Username={user}
WebUI\Password_PBKDF2="@ByteArray({password})"
WebUI\LocalHostAuth=true
WebUI\MaxAuthenticationFailCount={wrong_passwords}
WebUI\BanDuration=3600
WebUI\CSRFProtection=true
WebUI\HostHeaderValidation=true
WebUI\ServerDomains=*
"""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a qBittorrent keeps, in a folder of its own; it can run again and again there.

    Attributes:
        port: of its web interface.
        peers_port: where peers find it.
    """

    folder: Path
    password: str = field(default="a pass of the loopback", repr=False)
    refresh_ms: int = REFRESH_MS
    port: int = field(default_factory=free_port)
    peers_port: int = field(default_factory=free_port)

    def write(self) -> None:
        """Write its settings where there are none."""
        path = self.folder / "qBittorrent" / "config" / "qBittorrent.conf"
        if path.exists():
            return
        path.parent.mkdir(parents=True)
        text = _SETTINGS.format(
            downloads=self.folder / "downloads",
            refresh_ms=self.refresh_ms,
            port=self.port,
            peers_port=self.peers_port,
            user=USER,
            password=_hashed(self.password),
            wrong_passwords=_WRONG_PASSWORDS,
        )
        path.write_text(text, encoding="utf-8")


@asynccontextmanager
async def running(profile: Profile) -> AsyncGenerator[LocalProgram]:
    """A qBittorrent with this profile for the time of the block; it answers when that begins.

    Raises:
        ProgramMissingError: it is not installed.
        NotStartedError: it does not start.
    """
    program, folder = installed(PROGRAM, PACKAGE), profile.folder
    command = [program, f"--profile={folder}", f"--webui-port={profile.port}"]
    await anyio.to_thread.run_sync(profile.write)
    async with listening(command, folder, profile.port) as process:
        address = f"http://127.0.0.1:{profile.port}"
        yield LocalProgram(address, USER, profile.password, process)


def _hashed(password: str) -> str:
    """As qBittorrent keeps passwords: salt and PBKDF2, both in base64."""
    salt = os.urandom(16)
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    return f"{base64.b64encode(salt).decode()}:{base64.b64encode(key).decode()}"
