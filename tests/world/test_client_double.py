from collections.abc import AsyncGenerator
from hashlib import sha1

import anyio
import httpx2
import pytest

from world.bencoding import encode
from world.client_double import Arrival, ClientDouble, Tenant, client_double

pytestmark = pytest.mark.anyio
INFO = {b"name": b"film", b"piece length": 16384, b"pieces": bytes(20), b"length": 1}
TORRENT = encode({b"info": INFO})
HASH = sha1(encode(INFO), usedforsecurity=False).hexdigest()


@pytest.fixture
async def double() -> AsyncGenerator[ClientDouble]:
    async with client_double() as made:
        yield made


@pytest.fixture
async def http(double: ClientDouble) -> AsyncGenerator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=double.address, trust_env=False) as made:
        yield made


async def add(http: httpx2.AsyncClient, tenant: str = "a") -> int:
    answer = await http.post(f"/{tenant}/api/v2/torrents/add", content=TORRENT)
    return answer.status_code


async def look(http: httpx2.AsyncClient, tenant: str = "a") -> list[dict[str, str]]:
    answer = await http.get(f"/{tenant}/api/v2/torrents/info", params={"hashes": HASH})
    return answer.json()


async def test_a_torrent_that_is_there_is_asked_for_again_and_not_added_again(
    double: ClientDouble, http: httpx2.AsyncClient
) -> None:
    assert await look(http) == []
    assert [await add(http), await add(http)] == [200, 200]
    assert await look(http) == [{"hash": HASH}]
    assert (double.tenants["a"].asked, double.tenants["a"].added) == (2, 1)
    assert await look(http, "b") == []


async def test_a_button_is_pressed_as_often_as_it_is_pressed(
    double: ClientDouble, http: httpx2.AsyncClient
) -> None:
    for _ in range(2):
        (await http.post("/a/button", content=b"red")).raise_for_status()
    assert double.tenants["a"].pressed == 2


@pytest.mark.parametrize("arrival", [Arrival.AFTER_A_LOOK, Arrival.AFTER_THE_NEXT])
async def test_a_late_add_arrives_after_what_it_waits_for(
    double: ClientDouble, http: httpx2.AsyncClient, arrival: Arrival
) -> None:
    double.tenants["a"] = tenant = Tenant(arrival=arrival)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(add, http)
            while not tenant.asked:
                (await http.get("/ping")).raise_for_status()
            assert tenant.added == 0
            await (look(http) if arrival is Arrival.AFTER_A_LOOK else add(http))
    assert (tenant.added, tenant.torrents) == (1, [HASH])


async def test_what_never_arrives_is_gone_at_the_end() -> None:
    statuses: list[int] = []
    tenant = Tenant(arrival=Arrival.NEVER)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks, httpx2.AsyncClient(trust_env=False) as http:
            async with client_double() as double:
                http.base_url = double.address
                double.tenants["a"] = tenant

                async def press() -> None:
                    statuses.append((await http.post("/a/button")).status_code)

                tasks.start_soon(press)
                while not tenant.asked:
                    (await http.get("/ping")).raise_for_status()
            while not statuses:
                await anyio.lowlevel.checkpoint()
    assert (statuses, tenant.pressed) == ([503], 0)


async def test_a_request_that_is_cut_off_asks_for_nothing(double: ClientDouble) -> None:
    host, port = double.address.removeprefix("http://").split(":")
    stream = await anyio.connect_tcp(host, int(port))
    await stream.send(b"POST /a/button HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nred")
    await stream.aclose()
    async with httpx2.AsyncClient(base_url=double.address, trust_env=False) as http:
        for _ in range(2):
            (await http.get("/ping")).raise_for_status()
    assert double.tenants["a"].asked == 0
