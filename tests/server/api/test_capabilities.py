from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from capabilities.kernel.actors import client
from ledger.clock import new_id
from ledger.stores import claims, plans
from tests.ledger.rows import new_plan
from tests.server.api.house import House, served

pytestmark = pytest.mark.anyio


async def a_plan(house: House) -> str:
    id_ = new_id("plan")
    plan = new_plan(id_, {"film": "Sintel"}, house.ledger.now(), type="shelving")
    await house.ledger.write(lambda tx: plans.add(tx, plan))
    return id_


async def invoked(
    client: httpx2.AsyncClient, capability: str, arguments: Any = None, key: str | None = None
) -> httpx2.Response:
    headers = {} if key is None else {"Idempotency-Key": key}
    path = f"/capabilities/{capability}/invoke"
    return await client.post(path, json=arguments, headers=headers)


async def test_the_catalogue_shows_what_the_caller_may_call(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        reader, runner = await house.client("read"), await house.client("run")
        listed = (await reader.get("/capabilities")).json()["capabilities"]
        assert [each["id"] for each in listed] == ["shelf.look", "shelf.end"]
        assert listed[0]["hints"]["read_only"] is True
        listed = (await runner.get("/capabilities")).json()["capabilities"]
        assert {each["tool"] for each in listed} >= {"start_run", "get_run"}
        assert all(each["scope"] == "run" for each in listed)


async def test_a_capability_is_shown_with_schema_and_example(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        reader = await house.client("read")
        shown = (await reader.get("/capabilities/shelf.look")).json()
        assert shown["input_schema"]["required"] == ["title"]
        assert shown["input_schema"]["additionalProperties"] is False
        assert shown["example"] == {}
        by_tool = await reader.get("/capabilities/shelf__look")
        assert by_tool.json() == shown


@pytest.mark.parametrize("name", ["shelf.put", "shelf.hidden", "shelf.nothing"])
async def test_unknown_private_and_unpermitted_names_answer_alike(
    tmp_path: Path, name: str
) -> None:
    async with served(tmp_path) as house:
        reader = await house.client("read")
        for answer in (
            await reader.get(f"/capabilities/{name}"),
            await invoked(reader, name, {"plan": "x"}),
        ):
            assert answer.status_code == 404
            told = answer.json()
            assert told["code"] == "not_found"
            assert told["detail"] == f"There is no capability '{name}'."
            assert set(told) == {
                "type",
                "title",
                "status",
                "detail",
                "code",
                "needs",
                "hint",
                "retry",
                "details",
            }


async def test_a_read_answers_what_it_found(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        answer = await invoked(await house.terminal(), "shelf.look", {"title": "Sintel"})
        assert answer.status_code == 200
        assert answer.json() == {
            "outcome": "succeeded",
            "sentence": "Looked.",
            "data": {"title": "Sintel", "count": 1, "seen_by": "key:local"},
        }


async def test_a_body_may_be_absent_and_must_be_an_object(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        terminal = await house.terminal()
        answer = await terminal.post("/capabilities/shelf.look/invoke")
        assert answer.status_code == 422
        assert answer.json()["detail"] == "title: Field required."
        bodies: list[object] = [[], "x", 3]
        for body in bodies:
            answer = await invoked(terminal, "shelf.look", body)
            assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")


async def test_a_wrong_argument_is_told_with_its_nearest_name_and_an_example(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as house:
        answer = await invoked(await house.terminal(), "shelf.look", {"titel": "x"})
        assert answer.status_code == 422
        told = answer.json()
        assert told["detail"] == "There is no argument 'titel'; did you mean 'title'?"
        assert told["needs"] == {"example": {}}


async def test_an_act_without_approval_says_where_the_owner_finds_it(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        plan = await a_plan(house)
        answer = await invoked(await house.client("shelf.put"), "shelf.put", {"plan": plan})
        assert (answer.status_code, answer.json()["code"]) == (403, "needs_approval")
        needs = answer.json()["needs"]
        assert needs["address"] == f"{house.address}/decisions/{needs['decision']}"
        assert (needs["plan"], needs["revision"]) == (plan, 1)


async def test_the_owner_acts_by_hand(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser, plan = await house.new_owner(), await a_plan(house)
        first = await invoked(browser, "shelf.put", {"plan": plan})
        assert first.json()["data"] == {"plan": plan, "by": "owner:anna"}
        again = await invoked(browser, "shelf.put", {"plan": plan})
        assert again.json()["data"] == {**first.json()["data"], "replayed": True}
        rows = await house.ledger.read(claims.newest)
        assert [row.capability for row in rows] == ["shelf.put"]


async def test_one_idempotency_key_is_one_call(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        local = await house.client("plan")
        first = await invoked(local, "shelf.note", {"words": "a"}, "once")
        again = await invoked(local, "shelf.note", {"words": "a"}, "once")
        assert first.status_code == again.status_code == 200
        assert again.json()["data"] == {**first.json()["data"], "replayed": True}
        other = await invoked(local, "shelf.note", {"words": "b"}, "once")
        assert (other.status_code, other.json()["code"]) == (409, "conflict")
        free = await invoked(local, "shelf.note", {"words": "a"})
        assert free.json()["data"]["note"] != first.json()["data"]["note"]


async def test_an_idempotency_key_is_its_callers_own(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        one, other = await house.client("plan"), await house.client("plan")
        first = await invoked(one, "shelf.note", {"words": "a"}, "once")
        second = await invoked(other, "shelf.note", {"words": "b"}, "once")
        assert first.status_code == second.status_code == 200


async def test_callers_side_by_side_with_one_key_act_once(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        local, notes = await house.client("plan"), set[str]()

        async def call() -> None:
            answer = await invoked(local, "shelf.note", {"words": "a"}, "once")
            notes.add(answer.json()["data"]["note"])

        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(call)
        assert len(notes) == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "with space"])
async def test_an_idempotency_key_is_short_and_printable(tmp_path: Path, key: str) -> None:
    async with served(tmp_path) as house:
        answer = await invoked(await house.client("plan"), "shelf.note", {"words": "a"}, key)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")


async def test_a_call_is_booked_on_its_caller(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await invoked(await house.terminal(), "shelf.note", {"words": "a"})
        [row] = await house.ledger.read(claims.newest)
        assert (row.actor, row.principal) == (str(client("local", frozenset())), "key:local")
        assert row.request == row.call_id
