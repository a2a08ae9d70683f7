"""Showing every offer with its verdict, as any client can read it."""

from typing import Any

from server.cli.demo.client import McpClient
from server.cli.demo.showing import Screen


async def show_offers(client: McpClient, screen: Screen, title: str, year: int) -> None:
    """Look the film up, search, and open what the name alone would let pass."""
    found = await client.call("catalog__lookup", query=title, year=year)
    work = found["works"][0]["work"]
    for offer in (await client.call("release__search", work=work))["candidates"]:
        screen.step(f"{offer['title']}: {await _verdict(client, offer)}")


async def _verdict(client: McpClient, offer: dict[str, Any]) -> str:
    if not offer["accepted"]:
        return f"no, {offer['reasons'][0]['sentence']}"
    inside = await client.call("release__inspect", release=offer["release"])
    dangers = [file["danger"] for file in inside["files"] if file.get("danger")]
    if dangers:
        return f"its name passes, but opened: {dangers[0]}"
    chosen = ", the one to take" if offer.get("take") else ""
    return f"yes, grade {offer['identity']['grade']}{chosen}"
