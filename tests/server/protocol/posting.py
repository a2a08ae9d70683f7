"""Plain HTTP requests to the door, as any program may send them."""

import json
from typing import Any

import httpx2

from tests.server.protocol.house import SECRET

HEADERS = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
}
KEY = {"Authorization": f"Bearer {SECRET}"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


async def post(
    address: str, body: object, headers: dict[str, str] | None = None, **more: Any
) -> httpx2.Response:
    async with httpx2.AsyncClient() as http:
        return await http.post(
            address, content=json.dumps(body), headers={**HEADERS, **(headers or {})}, **more
        )
