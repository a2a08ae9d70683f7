"""Our side of the client double: as much of `Downloader` as submitting takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx2

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import AddRequest, ClientState, Downloader, Transfer
from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.kernel import fault_points
from capabilities.kernel.faults import LostAnswerError, UnreachableError

NAME = "elsewhere"
SYSTEM = "the client elsewhere"
PATIENCE_S = 20
_SENT = "http11.send_request_body.complete"


@dataclass(frozen=True, slots=True)
class Wire:
    """Requests to the double, told apart by how they fail."""

    http: httpx2.AsyncClient
    address: str

    async def get(self, path: str, **query: str) -> Any:
        """What a look answers, as JSON."""
        try:
            answer = await self.http.get(f"{self.address}{path}", params=query)
        except httpx2.HTTPError as error:
            raise UnreachableError(SYSTEM, "It did not answer.") from error
        return answer.json()

    async def post(self, path: str, body: bytes) -> None:
        """Ask for something to be done, once."""
        try:
            answer = await self.http.post(
                f"{self.address}{path}", content=body, extensions={"trace": _pass}
            )
        except httpx2.ConnectError as error:
            raise UnreachableError(SYSTEM, "It could not be reached.") from error
        except httpx2.HTTPError as error:
            raise LostAnswerError(SYSTEM, "It was asked and did not answer.") from error
        answer.raise_for_status()


async def _pass(moment: str, info: Mapping[str, object]) -> None:
    del info
    if moment == _SENT:
        fault_points.at("sent")


@dataclass(frozen=True, slots=True)
class Remote:
    """The double as a download client."""

    wire: Wire
    name: str = NAME
    kind: str = "double"

    async def add(self, request: AddRequest) -> InfoHashes:
        """Send the torrent file."""
        if not isinstance(request.source, bytes):
            raise TypeError("the double takes torrent files only")
        hashes = read_torrent(request.source).hashes
        await self.wire.post("/api/v2/torrents/add", request.source)
        return hashes

    async def transfer(self, info_hash: str) -> Transfer | None:
        """Look for it."""
        found = await self.wire.get("/api/v2/torrents/info", hashes=info_hash)
        if not found:
            return None
        return Transfer(
            hashes=InfoHashes(v1=found[0]["hash"]),
            name="it",
            state=ClientState.DOWNLOADING,
            wanted_bytes=1,
            done_bytes=0,
            down_rate=0,
            up_rate=0,
            peers=0,
            save_path=Path("/"),
            category="matinee",
        )


def remote(wire: Wire) -> Downloader:
    """The same, as the port has it."""
    return cast("Downloader", Remote(wire))  # it is only asked to add and to look
