"""A whole house behind real sockets: a TCP port and a Unix socket, a ledger, a few capabilities."""

import socket
import ssl
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import httpx2
import svcs
import uvicorn
from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST

from capabilities.kernel.actors import owner
from capabilities.kernel.registry import Registry
from capabilities.kernel.spec import Spec
from ledger.clock import Clock
from ledger.ledger import Ledger, opened
from ledger.stores import workers
from server.api.app import PREFIX, build_api
from server.api.parts import ApiParts
from server.cli.home import Home
from server.diagnostics.diagnosis import Diagnosis
from server.guard.guard import Guard
from server.guard.keys import ensure_local_key
from server.guard.passphrases import Passphrases
from server.role import Role
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.sealed import SealedSecrets
from server.settings import Settings
from tests.server.api.shelf import SHELF

HOST = "box"
PASSPHRASE = "correct horse battery"
NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here speaks TLS, and loading the system's authorities takes 100 ms a client."""
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@dataclass
class Watch:
    """Wall time that a test may move."""

    ahead: timedelta = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@dataclass
class House:
    ledger: Ledger
    guard: Guard
    watch: Watch
    address: str
    local: Path
    stopped: anyio.Event = field(default_factory=anyio.Event)
    clients: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def tcp(self, **headers: str) -> httpx2.AsyncClient:
        """Somebody on the network, without credentials unless they are in the headers."""
        client = httpx2.AsyncClient(
            base_url=f"{self.address}{PREFIX}", headers=headers, verify=NO_AUTHORITIES
        )
        return await self.clients.enter_async_context(client)

    async def terminal(self, **headers: str) -> httpx2.AsyncClient:
        """Somebody on the Unix socket."""
        transport = httpx2.AsyncHTTPTransport(uds=str(self.local), verify=NO_AUTHORITIES)
        client = httpx2.AsyncClient(
            base_url=f"http://matinee{PREFIX}", headers=headers, transport=transport
        )
        return await self.clients.enter_async_context(client)

    async def new_owner(self) -> httpx2.AsyncClient:
        """A browser in which the owner has just been made."""
        browser = await self.tcp(**SAME_ORIGIN)
        code = await self.guard.owner.setup_code()
        body = {"code": code, "name": "anna", "passphrase": PASSPHRASE}
        answer = await browser.post("/owner", json=body)
        assert answer.status_code == 201, answer.text
        return browser

    async def client(
        self, *scopes: str, lasts: timedelta = timedelta(days=1)
    ) -> httpx2.AsyncClient:
        """A client with a key of its own."""
        secret = await self.key(*scopes, lasts=lasts)
        return await self.tcp(Authorization=f"Bearer {secret}")

    async def key(self, *scopes: str, lasts: timedelta = timedelta(days=1)) -> str:
        return (await self.guard.keys.create(owner("anna"), "test", scopes, lasts)).secret


class _Server(uvicorn.Server):
    """Ends when told instead of looking ten times a second."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ending = anyio.Event()

    async def main_loop(self) -> None:
        await self.ending.wait()


@asynccontextmanager
async def served(
    home: Path,
    *,
    specs: Iterable[Spec] = SHELF,
    allowed_hosts: Iterable[str] = (),
    held: svcs.Registry | None = None,
    role: Role = Role.ALL,
) -> AsyncGenerator[House]:
    """Serve the home until the block ends; serving it again continues where it was."""
    watch = Watch()
    container = svcs.Container(held or svcs.Registry())
    async with opened(home, Clock(now=watch.now)) as ledger, container as own:
        await ledger.write(lambda tx: ensure_local_key(tx, ledger.now()))
        await ledger.write(
            lambda tx: workers.register(tx, ledger.worker, role=role, host=HOST, at=ledger.now())
        )
        quick = Passphrases(PasswordHasher.from_parameters(CHEAPEST))
        guard = Guard(ledger, specs, allowed_hosts=allowed_hosts, passphrases=quick)
        with _tcp() as tcp, _unix(home / "socket") as local:
            address = f"http://127.0.0.1:{tcp.getsockname()[1]}"
            house = House(ledger, guard, watch, address, home / "socket")
            settings = Settings.model_validate({"metadata": {"tmdb": {"key": "canary-tmdb"}}})
            secrets = SealedSecrets(ledger, sealing_keys(home, {}))
            parts = ApiParts(
                ledger=ledger,
                registry=Registry(specs, ledger, own, console=lambda: address),
                guard=guard,
                secrets=secrets,
                diagnosis=Diagnosis(Home(home), ledger, secrets, settings),
                settings=settings,
                version="1.2.3",
                stop=house.stopped.set,
                public_address=lambda: address,
            )
            async with _running(parts, [tcp, local]), house.clients:
                yield house


@asynccontextmanager
async def _running(parts: ApiParts, sockets: list[socket.socket]) -> AsyncGenerator[None]:
    config = uvicorn.Config(
        build_api(parts), log_config=None, access_log=False, lifespan="on", ws="none"
    )
    server = _Server(config)
    async with anyio.create_task_group() as group:
        group.start_soon(server.serve, sockets)
        try:
            yield
        finally:
            server.ending.set()


def _tcp() -> socket.socket:
    # The event loop turns Nagle's algorithm off only where the protocol is named; left on, every
    # answer waits 40 ms for an acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    return listener


def _unix(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    return listener


def stored_bytes(home: Path) -> bytes:
    """Everything the ledger of a home has on disk."""
    return b"".join(path.read_bytes() for path in home.glob("matinee.sqlite*"))
