"""Other people's clients, in both eras and over both transports, and one that speaks raw lines."""

import json
import os
import socket
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import anyio
import httpx2
from anyio.abc import ByteStream, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from server.protocol import handshake
from server.protocol.unix_address import reachable
from tests.server.cli.command import installed
from tests.server.protocol.house import SECRET, House

MODERN = "auto"
"""The client's mode that speaks 2026-07-28 to whoever does."""
ENVELOPE: Mapping[str, object] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}

Json = dict[str, Any]


@dataclass(frozen=True)
class Way:
    """A transport and an era."""

    transport: Literal["bridge", "http"]
    era: str


WAYS = [Way(transport, era) for transport in ("bridge", "http") for era in ("legacy", MODERN)]


def way_name(way: Way) -> str:
    return f"{way.transport}-{way.era}"


@asynccontextmanager
async def arrived(house: House, way: Way, secret: str = SECRET) -> AsyncGenerator[Client]:
    """The SDK's client, connected to ``house`` with a key."""
    if way.transport == "http":
        headers = {"Authorization": f"Bearer {secret}"}
        async with (
            house.on_http() as address,
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(address, http_client=http), mode=way.era) as client,
        ):
            yield client
    else:
        async with (
            house.on_socket(),
            Client(bridge(house.home.root, secret), mode=way.era) as client,
        ):
            yield client


def bridge(root: Path, secret: str | None = None) -> StdioServerParameters:
    """How a client is told to start `matinee mcp`."""
    command = installed(root)
    return StdioServerParameters(
        command=str(command), args=["mcp"], env=environment(root, secret), cwd=root
    )


def environment(root: Path, secret: str | None = None) -> dict[str, str]:
    """The surroundings of a bridge; the test's own go along, for its measurements."""
    key = {} if secret is None else {"MATINEE_KEY": secret}
    return {**os.environ, "MATINEE_HOME": str(root), **key}


class RawClient:
    """One connection to the socket, line by line."""

    def __init__(self, stream: ByteStream) -> None:
        self.stream = stream
        self._lines = BufferedByteReceiveStream(stream)

    async def send(self, held: Mapping[str, Any]) -> None:
        await self.stream.send(json.dumps(held).encode() + b"\n")

    async def receive_line(self) -> bytes:
        return await self._lines.receive_until(b"\n", 1_000_000)

    async def receive(self) -> Json:
        return json.loads(await self.receive_line())

    async def ask(self, id_: int | str, method: str, params: Mapping[str, Any]) -> Json:
        await self.send({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})
        return await self.receive()

    async def greet(self, secret: str | None = SECRET) -> Json:
        await self.stream.send(handshake.greeting(secret))
        return await self.receive()

    async def initialize(self) -> Json:
        answer = await self.ask(0, "initialize", INITIALIZE)
        await self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    async def at_end(self) -> bool:
        try:
            await self._lines.receive(1)
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return True
        return False


@asynccontextmanager
async def raw(path: Path) -> AsyncGenerator[RawClient]:
    """A connection to the socket at ``path``; nothing is said yet."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with reachable(path) as address:
        made.connect(address)
    async with await SocketStream.from_socket(made) as stream:
        yield RawClient(stream)
