from datetime import timedelta
from pathlib import Path

import pytest
from starlette.requests import HTTPConnection

from capabilities.kernel.actors import owner
from server.guard.faults import DoorError, NotSignedInError, WrongHostError
from server.guard.guard import COOKIE, door_of
from server.guard.keys import ensure_local_key
from server.guard.tries import Door
from tests.server.guard.gate import PASSPHRASE, Gate, gate

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)
TCP, UNIX = ("127.0.0.1", 8930), ("/home/x/socket", None)


def asking(
    server: tuple[str, int | None] = TCP, method: str = "GET", query: str = "", **headers: str
) -> HTTPConnection:
    named = {"host": "localhost:8930", **headers}
    return HTTPConnection(
        {
            "type": "http",
            "method": method,
            "path": "/",
            "query_string": query.encode(),
            "server": server,
            "headers": [(name.encode(), held.encode()) for name, held in named.items()],
        }
    )


async def signed_in(here: Gate) -> str:
    guard = here.guard()
    code = await guard.owner.setup_code()
    assert code is not None
    return (await guard.owner.create(code, "anna", PASSPHRASE, Door.CONSOLE)).token


async def test_the_cookie_comes_before_the_key(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        token = await signed_in(here)
        both = asking(cookie=f"{COOKIE}={token}", authorization="Bearer nonsense")
        assert await here.guard().actor_for(both) == owner("anna")


async def test_a_dead_cookie_leaves_the_key_to_speak(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        secret = (await here.guard().keys.create(owner("anna"), "x", ["read"], DAY)).secret
        both = asking(cookie=f"{COOKIE}=dead", authorization=f"Bearer {secret}")
        assert (await here.guard().actor_for(both)).kind == "key"


async def test_only_the_local_socket_needs_no_key(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        await here.ledger.write(lambda tx: ensure_local_key(tx, here.at))
        guard = here.guard()
        assert str(await guard.actor_for(asking(UNIX))) == "key:local"
        with pytest.raises(NotSignedInError, match="Sign in as the owner"):
            await guard.actor_for(asking())
        for spoilt in (
            asking(UNIX, cookie=f"{COOKIE}=dead"),
            asking(UNIX, authorization="Bearer nonsense"),
            asking(UNIX, authorization="Basic YTpi"),
        ):
            with pytest.raises(NotSignedInError):
                await guard.actor_for(spoilt)


async def test_admission_looks_at_host_origin_and_address(tmp_path: Path) -> None:
    async with gate(tmp_path) as here:
        guard = here.guard()
        guard.admit(asking())
        guard.admit(asking(UNIX, "POST", host="matinee", cookie=f"{COOKIE}=x"))
        guard.admit(asking(method="POST", authorization="Bearer x", origin="https://else.where"))
        with pytest.raises(WrongHostError):
            guard.admit(asking(host="evil.example"))
        for refused in (
            asking(method="POST", cookie=f"{COOKIE}=x"),
            asking(method="POST", cookie=f"{COOKIE}=x", authorization="Bearer x", origin="null"),
            asking(method="POST", origin="https://else.where"),
            asking(query="api_key=x"),
            asking(UNIX, query="api_key=x"),
        ):
            with pytest.raises(DoorError):
                guard.admit(refused)


async def test_the_door_is_where_the_connection_came_from() -> None:
    assert door_of(asking(UNIX)) is Door.TERMINAL
    assert door_of(asking(TCP)) is Door.CONSOLE
