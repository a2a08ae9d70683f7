import signal
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from world.serving import serving

pytestmark = pytest.mark.anyio


async def greet(_request: Request) -> Response:
    return PlainTextResponse("hello")


GREETER = Starlette(routes=[Route("/", greet)])


async def test_the_application_answers_as_soon_as_the_block_begins() -> None:
    async with serving(GREETER) as address, httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.get(address)

    assert answer.text == "hello"


async def test_servers_take_ports_of_their_own_on_the_host_they_are_given() -> None:
    async with serving(GREETER) as one, serving(GREETER, host="127.0.0.2") as other:
        assert one.startswith("http://127.0.0.1:")
        assert other.startswith("http://127.0.0.2:")
        assert one.rpartition(":")[2] != "0"


async def test_nobody_listens_any_more_when_the_block_has_ended() -> None:
    async with serving(GREETER) as address:
        port = int(address.rpartition(":")[2])

    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port)).close()


async def test_an_exception_of_the_block_comes_out_as_it_was() -> None:
    cause = KeyError("cause")
    with pytest.raises(LookupError, match="mine") as caught:
        async with serving(GREETER):
            raise LookupError("mine") from cause

    assert caught.value.__cause__ is cause


async def test_a_request_that_never_ends_does_not_keep_the_block_open() -> None:
    arrived = anyio.Event()

    async def hang(_request: Request) -> Response:
        arrived.set()
        await anyio.sleep_forever()
        return Response()

    answers: list[httpx2.Response] = []

    async def ask(address: str) -> None:
        async with httpx2.AsyncClient(trust_env=False) as client:
            answers.append(await client.get(address))

    app = Starlette(routes=[Route("/", hang)])
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group, serving(app) as address:
            group.start_soon(ask, address)
            await arrived.wait()

    assert [answer.status_code for answer in answers] == [500]


async def test_a_cancelled_block_still_closes_its_port() -> None:
    port = 0
    with anyio.CancelScope() as scope:
        async with serving(GREETER) as address:
            port = int(address.rpartition(":")[2])
            scope.cancel()
            await anyio.sleep_forever()

    assert scope.cancelled_caught
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port)).close()


async def test_the_application_is_started_before_and_stopped_after_the_block() -> None:
    seen: list[str] = []

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        seen.append("start")
        yield
        seen.append("stop")

    async with serving(Starlette(lifespan=lifespan)):
        seen.append("block")

    assert seen == ["start", "block", "stop"]


async def test_signals_stay_with_the_process_that_hosts_the_server() -> None:
    before = signal.getsignal(signal.SIGTERM)
    async with serving(GREETER):
        assert signal.getsignal(signal.SIGTERM) is before
