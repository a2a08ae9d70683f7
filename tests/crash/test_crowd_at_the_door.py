"""One server, four client processes, thirty-two requests with one idempotency key."""

import json
import sys
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.abc import Process
from anyio.streams.text import TextReceiveStream, TextSendStream

from server.cli.demo.owner import OwnerAtHome
from tests.crash.crowd_client import CALLERS
from tests.crash.driver import TOP
from tests.crash.played import job

pytestmark = [pytest.mark.anyio, pytest.mark.proof]
CLIENTS = 4


class Client:
    """A client process."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.say = TextSendStream(process.stdin).send
        self._said = TextReceiveStream(process.stdout)
        self._rest = ""

    async def line(self) -> str:
        while "\n" not in self._rest:
            self._rest += await self._said.receive()
        line, _, self._rest = self._rest.partition("\n")
        return line


@pytest.mark.promise("E3")
async def test_thirty_two_requests_of_four_processes_with_one_key_submit_once(
    tmp_path: Path,
) -> None:
    async with job(tmp_path, upload_limit=2_000_000) as work, work.at_work() as (_, owner):
        await work.begin(owner)
        plan = (await work.until_asked(owner))["plan"]
        answers = await asked_by_all(owner, {"plan": plan})
        claims = await work.acts(owner)
        held = (await owner.call("downloader.list"))["downloaders"][0]["downloads"]

    assert len(answers) == CLIENTS * CALLERS
    assert {status for status, _ in answers} <= {200, 202}, answers
    done = [body["data"] for status, body in answers if status == 200]
    assert done
    assert len({each["download"] for each in done}) == 1
    assert claims == Counter({("download.submit", "succeeded"): 1})
    assert sum(held.values()) == 1


async def asked_by_all(owner: OwnerAtHome, body: dict[str, str]) -> list[tuple[int, Any]]:
    cookie = "; ".join(f"{name}={value}" for name, value in owner.http.cookies.items())
    headers = {"Cookie": cookie, "Origin": owner.http.headers["Origin"], "Idempotency-Key": "one"}
    order = {
        "address": str(owner.http.base_url),
        "headers": headers,
        "path": "/capabilities/download.submit/invoke",
        "body": body,
    }
    async with AsyncExitStack() as stack:
        clients: list[Client] = []
        for _ in range(CLIENTS):
            process = await anyio.open_process(
                [sys.executable, "-m", "tests.crash.crowd_client"], cwd=TOP, stderr=None
            )
            clients.append(Client(await stack.enter_async_context(process)))
        with anyio.fail_after(30):
            for client in clients:
                await client.say(json.dumps(order) + "\n")
            for client in clients:
                assert await client.line() == "ready"
            for client in clients:
                await client.say("go\n")
            told = [json.loads(await client.line()) for client in clients]
    return [(status, answer) for each in told for status, answer in each]
