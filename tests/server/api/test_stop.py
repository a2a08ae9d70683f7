from pathlib import Path

import pytest

from tests.server.api.house import SAME_ORIGIN, served

pytestmark = pytest.mark.anyio


async def test_the_local_socket_stops_the_server(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        answer = await (await house.terminal()).post("/stop")
        assert (answer.status_code, answer.json()) == (202, {"stopping": True})
        assert house.stopped.is_set()


async def test_nobody_on_the_network_stops_it_not_even_the_owner(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        token = browser.cookies["matinee_session"]
        for somebody in (
            browser,
            await house.client("read", "run"),
            await house.tcp(**SAME_ORIGIN),
            await house.tcp(**{"X-Forwarded-For": "unix:"}),
            await house.tcp(Cookie=f"matinee_session={token}", Host="localhost", **SAME_ORIGIN),
        ):
            answer = await somebody.post("/stop")
            assert (answer.status_code, answer.json()["code"]) == (403, "denied")
        assert not house.stopped.is_set()
