"""A small house with a real ledger, behind the real doors."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import svcs
from fastapi import FastAPI

from capabilities.kernel.registry import Registry
from ledger.ledger import Ledger, opened
from ledger.stores import access
from ledger.stores.access import LOCAL_KEY
from server.cli.home import Home
from server.protocol.callers import Callers
from server.protocol.catalogue import PAGE, Catalogue
from server.protocol.door import Door
from server.protocol.sessions import Sessions
from server.protocol.streamable_http import StreamableHttp
from tests.server.protocol.stage import Stage
from world.serving import serving

SECRET = "a key with scopes read, plan and run"
SCOPES = ("read", "plan", "run")
PATIENCE_S = 0.2


@dataclass
class House:
    """Everything behind the doors, and where the doors are."""

    home: Home
    ledger: Ledger
    stage: Stage
    registry: Registry
    door: Door
    callers: Callers
    stopped: anyio.Event = field(default_factory=anyio.Event)
    idle: bool = True

    async def is_idle(self) -> bool:
        return self.idle

    def sessions(self) -> Sessions:
        return Sessions(self.door, self.callers, idle=self.is_idle, stop=self.stopped.set)

    async def add_key(
        self, secret: str | None, scopes: Sequence[str] = SCOPES, id_: str | None = None
    ) -> str:
        now = self.ledger.now()
        return await self.ledger.write(
            lambda tx: access.add_key(
                tx, name="test", secret=secret, scopes=scopes, at=now, id_=id_
            )
        )

    async def revoke(self, key: str) -> None:
        assert await self.ledger.write(lambda tx: access.revoke_key(tx, key, self.ledger.now()))

    async def lose_the_keys(self) -> None:
        """What a damaged database looks like from a door."""
        await self.ledger.write(lambda tx: tx.conn.exec_driver_sql("DROP TABLE api_key"))

    @asynccontextmanager
    async def on_socket(self) -> AsyncGenerator[Path]:
        """Serve bridges."""
        async with anyio.create_task_group() as tasks:
            await tasks.start(self.sessions().serve, self.home.mcp_socket)
            yield self.home.mcp_socket
            tasks.cancel_scope.cancel()

    @asynccontextmanager
    async def on_http(self, *, allowed_hosts: Sequence[str] = ()) -> AsyncGenerator[str]:
        """Serve MCP as a part of a bigger application; yields the address."""
        http = StreamableHttp(self.door, self.callers, allowed_hosts=allowed_hosts)

        @asynccontextmanager
        async def lifespan(_app: FastAPI) -> AsyncGenerator[None]:
            async with http.run():
                yield

        app = FastAPI(lifespan=lifespan)
        app.router.routes.append(http.route)
        async with serving(app) as address:
            yield f"{address}/mcp"


@asynccontextmanager
async def built_house(root: Path, *, page: int = PAGE) -> AsyncGenerator[House]:
    """A house in ``root`` with a local key and one with a secret; nothing is served yet."""
    async with opened(root) as ledger, furnished(root, ledger, page=page) as house:
        yield house


@asynccontextmanager
async def furnished(root: Path, ledger: Ledger, *, page: int = PAGE) -> AsyncGenerator[House]:
    """A house on a ledger that is open."""
    stage = Stage()
    registry = Registry(stage.specs(), ledger, svcs.Container(svcs.Registry()))
    callers = Callers(ledger)
    door = Door(registry, callers, Catalogue(registry, page), patience_s=PATIENCE_S)
    house = House(Home(root), ledger, stage, registry, door, callers)
    if await ledger.read(lambda conn: access.key_by_id(conn, LOCAL_KEY)) is None:
        await house.add_key(None, id_=LOCAL_KEY)
        await house.add_key(SECRET)
    async with door.open():
        yield house
    await registry.audit.flush()
