import httpx2
import pytest

from world.rude_server import Manner, rude_server


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("manner", "status"),
    [
        (Manner.REDIRECT, 302),
        (Manner.UNAUTHORIZED, 401),
        (Manner.THROTTLED, 429),
        (Manner.BROKEN, 500),
        (Manner.LOGIN_PAGE, 200),
    ],
)
async def test_it_answers_in_its_manner_and_counts(manner: Manner, status: int) -> None:
    async with rude_server(manner) as server, httpx2.AsyncClient(trust_env=False) as client:
        answers = [await client.get(server.address) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [status, status]
    assert server.requests == 2


@pytest.mark.anyio
async def test_a_body_can_end_in_its_middle_or_never_come() -> None:
    async with httpx2.AsyncClient(trust_env=False, timeout=0.2) as client:
        async with rude_server(Manner.CUT) as server:
            with pytest.raises(httpx2.RemoteProtocolError):
                await client.get(server.address)
        for manner in (Manner.HANG, Manner.DRIP):
            async with rude_server(manner) as server:
                with pytest.raises(httpx2.ReadTimeout):
                    await client.get(server.address)
