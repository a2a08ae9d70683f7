"""The sorts of callers that a route can be for; which route is for whom: `test_matrix`."""

from pathlib import Path

import pytest

from tests.server.api.house import served

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("scope", ["plan", "run", "run.ask", "shelf.put"])
async def test_a_key_without_read_reads_nothing_and_is_told_what_it_lacks(
    tmp_path: Path, scope: str
) -> None:
    async with served(tmp_path) as house:
        answer = await (await house.client(scope)).get("/status")
        assert (answer.status_code, answer.json()["code"]) == (403, "denied")
        assert answer.json()["detail"] == "This key lacks the scope 'read'."


async def test_what_is_the_owners_is_no_keys(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        assert (await browser.get("/keys")).status_code == 200
        for somebody in (await house.client("read", "plan", "run"), await house.terminal()):
            answer = await somebody.get("/keys")
            assert (answer.status_code, answer.json()["code"]) == (403, "denied")


async def test_only_the_terminal_stops_the_server(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        for afar in (await house.new_owner(), await house.client("read")):
            assert (await afar.post("/stop")).status_code == 403
        assert not house.stopped.is_set()
        assert (await (await house.terminal()).post("/stop")).status_code == 202
        assert house.stopped.is_set()


async def test_a_bad_key_on_the_local_socket_is_not_the_local_key(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        terminal = await house.terminal(Authorization="Bearer nonsense")
        assert (await terminal.get("/status")).status_code == 401
        terminal = await house.terminal(Cookie="matinee_session=nonsense")
        assert (await terminal.get("/status")).status_code == 401
