"""`matinee serve`: one home, all doors, until told to stop."""

import json
import os
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
import uvicorn
from anyio.abc import TaskStatus
from fastapi import FastAPI

from ledger.database import Snapshot
from ledger.stores import claims, runs
from ledger.stores.claims import ClaimState
from ledger.stores.runs import RunState
from server.api.app import build_api
from server.api.parts import ApiParts
from server.cli.home import Home
from server.diagnostics.diagnosis import Diagnosis
from server.home_lock import held
from server.house import House, open_house
from server.protocol.callers import Callers
from server.protocol.catalogue import Catalogue
from server.protocol.door import Door
from server.protocol.handshake import VERSION
from server.protocol.sessions import Sessions
from server.protocol.streamable_http import StreamableHttp
from server.protocol.unix_listener import listening
from server.role import Role
from server.settings import Settings
from server.settings_loading import SettingsError, load_settings
from server.tcp_listener import address_of, bound

GRACE_S = 3


@dataclass(frozen=True, slots=True)
class Started:
    """What a person is told once the doors are open; the code only before there is an owner."""

    address: str | None
    home: Path
    code: str | None


Tell = Callable[[Started], None]


async def serve(
    home: Home, *, host: str | None, port: int | None, tell: Tell, role: Role = Role.ALL
) -> None:
    """Serve ``home`` until a signal, `matinee stop`, or another process took this one for dead.

    Raises:
        HomeTakenError: another process holds the home.
        SettingsError: the settings cannot be used, or not in this role.
        NotListeningError: the port is taken, or the address is none of this computer.
        TakenForDeadError: this process was silent for so long that others took its work.
    """
    home.prepare()
    settings = _overridden(load_settings(home.root), host, port)
    refuse_role(settings, role)
    # The lock guards the doors' sockets and the file; a worker beside others has neither.
    with held(home.root) if role.has_doors else nullcontext():
        lost = await (
            _open(home, settings, role, tell) if role.has_doors else _work(home, settings, tell)
        )
    if lost:
        raise TakenForDeadError(
            "This process was silent for so long that others took over its work. Start it again."
        )


async def _open(home: Home, settings: Settings, role: Role, tell: Tell) -> bool:
    """Until told to stop; whether that was because others took this process for dead."""
    stop, lost = anyio.Event(), False
    with bound(settings) as tcp, listening(home.api_socket) as local:
        address = address_of(settings, tcp)
        async with open_house(home.root, settings, role=role, console=lambda: address) as house:
            doors = _Doors(home, house, address, stop.set)
            async with doors.open([tcp, local]), _told_to_stop(house, stop):
                code = await house.guard.owner.setup_code()
                with _status_file(home, address):
                    tell(Started(address, home.root, code))
                    await stop.wait()
            lost = house.ledger.engine.lost.is_set()
    return lost


async def _work(home: Home, settings: Settings, tell: Tell) -> bool:
    """The same without doors."""
    stop, lost = anyio.Event(), False
    async with open_house(home.root, settings, role=Role.WORKER) as house:
        async with _told_to_stop(house, stop):
            tell(Started(None, home.root, None))
            await stop.wait()
        lost = house.ledger.engine.lost.is_set()
    return lost  # noqa: RET504  # a context manager may swallow, says its type


def refuse_role(settings: Settings, role: Role) -> None:
    """Refuse to divide the work of a ledger that only one process can open.

    Raises:
        SettingsError: with what to set.
    """
    if role is not Role.ALL and settings.database.address is None:
        raise SettingsError(
            f"The role {role} is for processes that share a ledger on PostgreSQL. Set database.url "
            "(MATINEE_DATABASE_URL), or start without --role."
        )


class TakenForDeadError(Exception):
    """Others took this process's work, so it must not go on; a new start is a new worker."""


@dataclass(frozen=True, slots=True)
class _Doors:
    """HTTP on TCP and on the home's socket, MCP on both kinds of transport."""

    home: Home
    house: House
    address: str
    stop: Callable[[], None]

    @asynccontextmanager
    async def open(self, sockets: list[socket.socket]) -> AsyncGenerator[None]:
        """Open all doors for the length of the block, and close them in good order."""
        house = self.house
        callers = Callers(house.ledger)
        door = Door(house.registry, callers, Catalogue(house.registry))
        http = StreamableHttp(door, callers, allowed_hosts=house.settings.server.allowed_hosts)
        app = self._api()
        app.router.routes.append(http.route)
        server = _Server(app)
        sessions = Sessions(door, callers, idle=_idle(house), stop=self.stop)
        async with door.open(), http.run(), anyio.create_task_group() as tasks:
            tasks.start_soon(server.run_on, sockets)
            await server.ready.wait()
            await tasks.start(sessions.serve, self.home.mcp_socket)
            try:
                yield
            finally:
                server.should_exit = True
                with anyio.CancelScope(shield=True):
                    await server.ended.wait()
                tasks.cancel_scope.cancel()

    def _api(self) -> FastAPI:
        return build_api(
            ApiParts(
                ledger=self.house.ledger,
                registry=self.house.registry,
                guard=self.house.guard,
                secrets=self.house.secrets,
                diagnosis=self._diagnosis(),
                settings=self.house.settings,
                version=VERSION,
                stop=self.stop,
                public_address=lambda: self.address,
            )
        )

    def _diagnosis(self) -> Diagnosis:
        house = self.house
        return Diagnosis(self.home, house.ledger, house.secrets, house.settings)


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers: the process has its own."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                ws="none",
                lifespan="off",
                timeout_graceful_shutdown=GRACE_S,
            )
        )
        self.ready = anyio.Event()
        self.ended = anyio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def run_on(self, sockets: list[socket.socket]) -> None:
        """Serve until `should_exit`; a cancelled server would leave its sockets open."""
        with anyio.CancelScope(shield=True):
            await self.serve(sockets=sockets)
        self.ended.set()


def _idle(house: House) -> Callable[[], Awaitable[bool]]:
    """Whether no run and no act is at work, so that another server may take this one's place."""

    def look(conn: Snapshot) -> bool:
        _, active = runs.listing(conn, states=(RunState.QUEUED, RunState.RUNNING), limit=1)
        return active == 0 and not claims.in_state(conn, ClaimState.RUNNING, limit=1)

    async def idle() -> bool:
        return await house.ledger.read(look)

    return idle


@asynccontextmanager
async def _told_to_stop(house: House, stop: anyio.Event) -> AsyncGenerator[None]:
    """Have signals ask to stop, from the first moment that anybody can know of the server.

    So does the loss of this process's work to others.
    """
    lost = house.ledger.engine.lost

    async def heed_loss() -> None:
        await lost.wait()
        stop.set()

    async with anyio.create_task_group() as tasks:
        await tasks.start(_heed_signals, stop)
        tasks.start_soon(heed_loss)
        yield
        tasks.cancel_scope.cancel()


async def _heed_signals(stop: anyio.Event, *, task_status: TaskStatus[None]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        task_status.started()
        async for _ in signals:
            stop.set()


def _overridden(settings: Settings, host: str | None, port: int | None) -> Settings:
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    return settings.model_copy(update={"server": settings.server.model_copy(update=given)})


@contextmanager
def _status_file(home: Home, address: str) -> Generator[None]:
    """What a running server says of itself, readable by its owner alone."""
    held_facts = {"version": VERSION, "pid": os.getpid(), "address": address}
    temporary = home.status_file.with_suffix(".tmp")
    temporary.write_text(json.dumps(held_facts), encoding="utf-8")
    temporary.chmod(0o600)
    temporary.replace(home.status_file)
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            home.status_file.unlink()
