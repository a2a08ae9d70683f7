"""The owner of the demo's home, over HTTP like any owner."""

import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from server.cli.demo.faults import DemoFailedError

NAME = "demo"
SCOPES = ("read", "run", "run.ask")


@dataclass(frozen=True, slots=True)
class OwnerAtHome:
    """Signed in when it matters: the session is opened to decide, not before."""

    http: httpx2.AsyncClient
    passphrase: str

    async def move_in(self, code: str | None) -> str:
        """Create the owner with the one-time code, make a client's key, sign out again."""
        await self.post("/owner", {"code": code, "name": NAME, "passphrase": self.passphrase})
        key = await self.post("/keys", {"name": "demo client", "scopes": list(SCOPES)})
        await self.http.delete("/session")
        return str(key["secret"])

    async def sign_in(self, passphrase: str) -> None:
        """Open a session with a passphrase; the server says whether it is the owner's."""
        await self.post("/session", {"passphrase": passphrase})

    async def approve(self, approval: dict[str, Any]) -> dict[str, Any]:
        """Send the hash and revision of exactly this plan back, with a yes."""
        return await self.post(
            f"/approvals/{approval['id']}/decision",
            {
                "approve": True,
                "payload_hash": approval["payload_hash"],
                "revision": approval["revision"],
            },
        )

    async def call(self, capability: str, **arguments: object) -> dict[str, Any]:
        """Call a capability by hand; the answer's data."""
        answer = await self.post(f"/capabilities/{capability}/invoke", arguments)
        return answer["data"]

    async def get(self, path: str, **query: object) -> dict[str, Any]:
        """Read a resource."""
        return _body(await self.http.get(path, params={k: str(v) for k, v in query.items()}))

    async def post(self, path: str, body: object) -> dict[str, Any]:
        """Send a document."""
        return _body(await self.http.post(path, json=body))


def _body(answer: httpx2.Response) -> dict[str, Any]:
    if answer.is_error:
        raise DemoFailedError(f"{answer.request.url.path}: {answer.status_code} {answer.text}")
    return answer.json() if answer.content else {}


@asynccontextmanager
async def at_home(address: str) -> AsyncGenerator[OwnerAtHome]:
    """An owner with a fresh passphrase, who talks to the server at ``address``."""
    async with httpx2.AsyncClient(
        # A cookie is heard only from our own pages, and this is how a page says so.
        base_url=f"{address}/api/v1",
        headers={"Origin": address},
        trust_env=False,
        timeout=60,
    ) as http:
        yield OwnerAtHome(http, "-".join(secrets.token_hex(3) for _ in range(4)))
