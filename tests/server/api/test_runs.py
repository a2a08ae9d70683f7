from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from ledger.stores import events
from tests.server.api.house import House, served

pytestmark = pytest.mark.anyio


async def started(client: httpx2.AsyncClient, **headers: str) -> str:
    answer = await client.post("/agent/runs", json={"goal": "Sintel"}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]["run"]


async def happen(house: House, run: str, type_: str) -> None:
    at = house.ledger.now()
    await house.ledger.write(lambda tx: events.append(tx, type_, {}, at, run=run))


async def test_a_run_is_started_shown_and_followed(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("run")
        run = await started(client)
        shown = (await client.get(f"/agent/runs/{run}")).json()["data"]
        assert shown == {"run": run, "id": run, "events": ["run_status"]}
        await happen(house, run, "tool_call")
        later = await client.get(f"/agent/runs/{run}", params={"after_seq": 1, "limit": 5})
        assert later.json()["data"]["events"] == ["tool_call"]


async def test_an_idempotency_key_starts_one_run(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("run")
        once = {"Idempotency-Key": "once"}
        assert await started(client, **once) == await started(client, **once)


@pytest.mark.parametrize("by_reference", [False, True])
async def test_waiting_ends_with_the_next_event(tmp_path: Path, by_reference: bool) -> None:
    async with served(tmp_path) as house:
        client = await house.client("run")
        run, other = await started(client), await started(client)
        named = "run:1" if by_reference else run
        followed: list[dict[str, Any]] = []

        async def follow() -> None:
            answer = await client.get(
                f"/agent/runs/{named}", params={"after_seq": 1, "wait_s": 20}, timeout=25
            )
            followed.append(answer.json()["data"])

        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(follow)
                await anyio.wait_all_tasks_blocked()
                await happen(house, other, "text_delta")
                assert not followed
                await happen(house, run, "tool_call")
        assert [each["events"] for each in followed] == [["tool_call"]]


async def test_nothing_waits_for_what_has_happened(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("run")
        run = await started(client)
        with anyio.fail_after(5):
            answer = await client.get(f"/agent/runs/{run}", params={"wait_s": 20})
        assert answer.json()["data"]["events"] == ["run_status"]


async def test_waiting_ends_without_an_event_too(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("run")
        run = await started(client)
        answer = await client.get(f"/agent/runs/{run}", params={"after_seq": 1, "wait_s": 0.05})
        assert answer.json()["data"]["events"] == []


async def test_nobody_waits_for_a_run_that_is_not_there(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("run")
        with anyio.fail_after(5):
            answer = await client.get("/agent/runs/run_0", params={"wait_s": 20})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("query", [{"wait_s": 21}, {"wait_s": -1}, {"after_seq": -1}, {"limit": 0}])
async def test_bounds_of_waiting_are_kept(tmp_path: Path, query: dict[str, int]) -> None:
    async with served(tmp_path) as house:
        client = await house.client("run")
        answer = await client.get("/agent/runs/run_0", params=query)
        assert answer.status_code == 422


async def test_what_is_sent_to_a_run_carries_its_id_from_the_path(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("run")
        sent = await client.post(
            "/agent/runs/run_1/messages", json={"words": "hurry", "run": "run_2"}
        )
        assert sent.json()["data"]["heard"] == {"run": "run_1", "words": "hurry"}
        chosen = await client.post("/agent/runs/run_1/choice", json={"option": "b"})
        assert chosen.json()["data"]["heard"] == {"run": "run_1", "option": "b"}
        bodies: list[dict[str, str] | None] = [None, {}]
        for body in bodies:
            stopped = await client.post("/agent/runs/run_1/abort", json=body)
            assert stopped.json()["data"]["heard"] == {"run": "run_1"}


async def test_listing_passes_its_filters_on(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("run")
        answer = await client.get("/agent/runs", params={"state": "waiting", "limit": 3})
        assert answer.json()["data"]["heard"] == {"state": "waiting", "limit": 3, "cursor": ""}
