"""A BitTorrent tracker on 127.0.0.1 (BEP 3, compact answers of BEP 23), for any torrent."""

import socket
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from world.bencoding import encode
from world.serving import serving

INTERVAL_S = 2
_DEFAULT_WANT = 50
_HASH_BYTES = 20


@dataclass(frozen=True, slots=True)
class Announce:
    """One request of a client, read.

    Attributes:
        info_hash: 20 bytes; of a v2 torrent the first 20 of its hash.
        left: bytes that the client still wants; 0 makes it a seed.
    """

    info_hash: bytes
    peer_id: bytes
    address: tuple[str, int]
    left: int
    event: str
    want: int
    compact: bool


class BadAnnounceError(ValueError):
    """The request lacks something that BEP 3 demands."""


class Tracker:
    """Who shares what: every client learns of every other one that announced the same hash."""

    def __init__(self) -> None:
        self.announce_url = ""
        self._swarms: dict[bytes, dict[tuple[str, int], Announce]] = defaultdict(dict)
        self._changed = anyio.Event()

    def peers(self, info_hash: str) -> frozenset[tuple[str, int]]:
        """Addresses that announced a hash (40 hexadecimal digits) and did not leave."""
        return frozenset(self._swarms.get(bytes.fromhex(info_hash), {}))

    async def gone(self, info_hash: str, address: tuple[str, int]) -> None:
        """Wait until a client has left the swarm of a hash, if it ever was in it."""
        while address in self.peers(info_hash):
            await self._changed.wait()

    async def seed_of(self, info_hash: str) -> tuple[str, int]:
        """Wait until somebody announced to have all of a torrent; their address."""
        while True:
            for address, announce in self._swarms.get(bytes.fromhex(info_hash), {}).items():
                if not announce.left:
                    return address
            await self._changed.wait()

    async def answer(self, request: Request) -> Response:
        """Answer one announce; bencoded, a failure too."""
        try:
            announce = _read(request)
        except BadAnnounceError as error:
            return _bencoded({b"failure reason": str(error).encode()})
        self._take(announce)
        return _bencoded(self._answer(announce))

    def _take(self, announce: Announce) -> None:
        swarm = self._swarms[announce.info_hash]
        if announce.event == "stopped":
            swarm.pop(announce.address, None)
        else:
            swarm[announce.address] = announce
        self._changed.set()
        self._changed = anyio.Event()

    def _answer(self, announce: Announce) -> dict[bytes, object]:
        swarm = self._swarms[announce.info_hash]
        seeds = sum(not other.left for other in swarm.values())
        others = [other for other in swarm.values() if other.address != announce.address]
        chosen = others[: announce.want]
        return {
            b"interval": INTERVAL_S,
            b"min interval": INTERVAL_S,
            b"complete": seeds,
            b"incomplete": len(swarm) - seeds,
            b"peers": _compact(chosen) if announce.compact else _listed(chosen),
        }


@asynccontextmanager
async def tracking() -> AsyncGenerator[Tracker]:
    """A tracker for the time of the block, at ``announce_url``."""
    tracker = Tracker()
    # libtorrent announces to a loopback address only under this path.
    application = Starlette(routes=[Route("/announce", tracker.answer)])
    async with serving(application) as base:
        tracker.announce_url = f"{base}/announce"
        yield tracker


def _read(request: Request) -> Announce:
    # Hashes are raw bytes in the query, which Latin-1 carries through unchanged.
    query = parse_qs(request.scope["query_string"].decode("ascii"), encoding="latin-1")
    fields = {name: values[0] for name, values in query.items()}
    info_hash = fields.get("info_hash", "").encode("latin-1")
    if len(info_hash) != _HASH_BYTES:
        raise BadAnnounceError("info_hash must be 20 bytes")
    host = request.client.host if request.client else "127.0.0.1"
    try:
        return Announce(
            info_hash=info_hash,
            peer_id=fields.get("peer_id", "").encode("latin-1"),
            address=(host, int(fields["port"])),
            left=int(fields.get("left", "0")),
            event=fields.get("event", ""),
            want=max(0, int(fields.get("numwant", _DEFAULT_WANT))),
            compact=fields.get("compact", "1") != "0",
        )
    except (KeyError, ValueError) as error:
        raise BadAnnounceError("port, left and numwant must be numbers") from error


def _compact(peers: list[Announce]) -> bytes:
    return b"".join(
        socket.inet_aton(peer.address[0]) + peer.address[1].to_bytes(2, "big") for peer in peers
    )


def _listed(peers: list[Announce]) -> list[dict[bytes, object]]:
    return [
        {b"peer id": peer.peer_id, b"ip": peer.address[0].encode(), b"port": peer.address[1]}
        for peer in peers
    ]


def _bencoded(answer: dict[bytes, object]) -> Response:
    return Response(encode(answer), media_type="text/plain")
