"""The way to addresses that others name: the public internet, and nothing inside."""

import pytest
from starlette.responses import PlainTextResponse, RedirectResponse

from capabilities.adapters.address_guard import AddressGuard
from capabilities.adapters.upstream import Bounds
from capabilities.kernel.faults import DeclinedError, UnreachableError
from tests.capabilities.adapters.outbound_bench import outbound
from tests.capabilities.adapters.scripted_neighbour import neighbour

pytestmark = pytest.mark.anyio


def inside_and_outside(answers: dict[str, list[str]]) -> AddressGuard:
    """127.0.0.2 plays the public internet; names resolve as given, one answer per question."""

    async def resolve(host: str, _port: int) -> list[str]:
        return [answers[host].pop(0)]

    return AddressGuard(resolve=resolve, permits=lambda address: str(address) == "127.0.0.2")


async def test_the_public_way_connects_to_the_checked_address_under_the_asked_name() -> None:
    async with neighbour(host="127.0.0.2") as site, neighbour() as inside:
        port = site.address.rpartition(":")[2]
        guard = inside_and_outside({"site.example": ["127.0.0.2", "127.0.0.1"]})
        async with outbound(guard=guard) as out:
            answer = await out.public("the peer").get(f"http://site.example:{port}/file")

    assert answer.body == b"well"
    assert site.requests[0].headers["host"] == f"site.example:{port}"
    assert inside.requests == []


async def test_a_name_that_turns_inwards_on_the_second_question_is_declined() -> None:
    async with neighbour(RedirectResponse("/again"), host="127.0.0.2") as site:
        port = site.address.rpartition(":")[2]
        guard = inside_and_outside({"site.example": ["127.0.0.2", "127.0.0.1"]})
        async with outbound(guard=guard) as out:
            with pytest.raises(DeclinedError, match="public internet"):
                await out.public("the peer").get(f"http://site.example:{port}/file")

    assert len(site.requests) == 1


async def test_a_redirect_from_outside_to_inside_is_declined() -> None:
    async with neighbour() as inside:
        inwards = RedirectResponse(f"{inside.address}/admin")
        async with neighbour(inwards, host="127.0.0.2") as site:
            answers = {"127.0.0.2": ["127.0.0.2"], "127.0.0.1": ["127.0.0.1"]}
            async with outbound(guard=inside_and_outside(answers)) as out:
                with pytest.raises(DeclinedError, match="public internet"):
                    await out.public("the peer").get(site.address)

    assert inside.requests == []


@pytest.mark.parametrize("address", ["file:///etc/hostname", "gopher://127.0.0.1/", "http://", "x"])
async def test_the_public_way_speaks_http_only(address: str) -> None:
    async with outbound() as out:
        with pytest.raises(DeclinedError):
            await out.public("the peer").get(address)


async def test_the_public_way_ignores_proxies_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with neighbour() as proxy, neighbour(host="127.0.0.2") as site:
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        async with outbound(guard=inside_and_outside({"127.0.0.2": ["127.0.0.2"]})) as out:
            await out.public("the peer").get(site.address)

    assert (len(site.requests), proxy.requests) == (1, [])


async def test_plain_text_answers_pass_through_the_public_way_bounded() -> None:
    long = PlainTextResponse("x" * 2_000)
    async with neighbour(default=long, host="127.0.0.2") as site:
        guard = inside_and_outside({"127.0.0.2": ["127.0.0.2"]})
        async with outbound(bounds=Bounds(body_bytes=1_000), guard=guard) as out:
            with pytest.raises(UnreachableError, match="larger"):
                await out.public("the peer").get(site.address)
