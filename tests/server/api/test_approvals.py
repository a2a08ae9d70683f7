from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from ledger.stores import claims
from tests.server.api.house import SAME_ORIGIN, House, served
from tests.server.api.test_capabilities import a_plan, invoked

pytestmark = pytest.mark.anyio


async def asked(house: House, client: httpx2.AsyncClient) -> tuple[str, dict[str, Any]]:
    """A plan, and what its act needs."""
    plan = await a_plan(house)
    answer = await invoked(client, "shelf.put", {"plan": plan})
    return plan, answer.json()["needs"]


def yes(needs: dict[str, Any], **changed: Any) -> dict[str, Any]:
    return {
        "approve": True,
        "payload_hash": needs["payload_hash"],
        "revision": needs["revision"],
        **changed,
    }


async def test_the_owner_approves_and_the_same_call_then_acts_once(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser, client = await house.new_owner(), await house.client("shelf.put", "read")
        plan, needs = await asked(house, client)
        path = f"/approvals/{needs['approval']}"
        shown = (await client.get(path)).json()
        assert (shown["state"], shown["card"]["title"]) == ("requested", "Sintel")
        decided = await browser.post(f"{path}/decision", json=yes(needs))
        assert decided.status_code == 200
        assert decided.json()["data"]["state"] == "approved"
        assert await house.ledger.read(claims.newest) == []
        acted = await invoked(client, "shelf.put", {"plan": plan})
        assert (acted.status_code, acted.json()["outcome"]) == (200, "succeeded")
        assert (await client.get(path)).json()["state"] == "consumed"


async def test_a_key_never_decides_not_even_its_own_request(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        client, terminal = await house.client("shelf.put", "run.ask"), await house.terminal()
        _, needs = await asked(house, client)
        for anybody in (client, terminal):
            answer = await anybody.post(f"/approvals/{needs['approval']}/decision", json=yes(needs))
            assert (answer.status_code, answer.json()["code"]) == (403, "denied")
        shown = await terminal.get(f"/approvals/{needs['approval']}")
        assert shown.json()["state"] == "requested"


async def test_the_sessions_token_is_good_as_a_cookie_only(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        token = browser.cookies["matinee_session"]
        _, needs = await asked(house, await house.client("shelf.put"))
        path = f"/approvals/{needs['approval']}/decision"
        bearer = await house.tcp(Authorization=f"Bearer {token}")
        assert (await bearer.post(path, json=yes(needs))).status_code == 401
        bare = await house.tcp(Cookie=f"matinee_session={token}")
        assert (await bare.post(path, json=yes(needs))).status_code == 403
        shown = (await browser.get(f"/approvals/{needs['approval']}")).json()
        assert shown["state"] == "requested"


async def test_the_owner_may_decide_at_the_terminal(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        terminal = await house.terminal(
            Cookie=f"matinee_session={browser.cookies['matinee_session']}"
        )
        _, needs = await asked(house, await house.client("shelf.put"))
        answer = await terminal.post(f"/approvals/{needs['approval']}/decision", json=yes(needs))
        assert answer.status_code == 200


@pytest.mark.parametrize("changed", [{"payload_hash": "0" * 64}, {"revision": 7}])
async def test_another_hash_or_revision_is_a_conflict(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        _, needs = await asked(house, await house.client("shelf.put"))
        path = f"/approvals/{needs['approval']}/decision"
        answer = await browser.post(path, json=yes(needs, **changed))
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
        assert answer.json()["needs"]["payload_hash"] == needs["payload_hash"]


async def test_two_browsers_one_decision(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        other = await house.tcp(
            Cookie=f"matinee_session={browser.cookies['matinee_session']}", **SAME_ORIGIN
        )
        _, needs = await asked(house, await house.client("shelf.put"))
        path, answers = f"/approvals/{needs['approval']}/decision", list[httpx2.Response]()

        async def press(page: httpx2.AsyncClient, body: dict[str, Any]) -> None:
            answers.append(await page.post(path, json=body))

        async with anyio.create_task_group() as group:
            group.start_soon(press, browser, yes(needs))
            group.start_soon(press, other, yes(needs, approve=False, reason="too large"))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        late = max(answers, key=lambda answer: answer.status_code)
        first = min(answers, key=lambda answer: answer.status_code)
        assert late.json()["needs"]["state"] == first.json()["data"]["state"]
        assert late.json()["needs"]["decided_by"] == "owner:anna"


async def test_declining_needs_a_reason(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        _, needs = await asked(house, await house.client("shelf.put"))
        path = f"/approvals/{needs['approval']}/decision"
        assert (await browser.post(path, json=yes(needs, approve=False))).status_code == 422
        answer = await browser.post(path, json=yes(needs, approve=False, reason="too large"))
        assert answer.json()["data"]["state"] == "declined"
        shown = (await browser.get(f"/approvals/{needs['approval']}")).json()
        assert (shown["decided_by"], shown["reason"]) == ("owner:anna", "too large")


async def test_what_waits_is_listed_and_what_was_decided_only_on_request(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser, client = await house.new_owner(), await house.client("shelf.put")
        decided, waiting = (await asked(house, client))[1], (await asked(house, client))[1]
        await browser.post(f"/approvals/{decided['approval']}/decision", json=yes(decided))
        listed = (await browser.get("/approvals")).json()
        assert [each["id"] for each in listed["approvals"]] == [waiting["approval"]]
        states = {"state": ["requested", "approved"]}
        first = (await browser.get("/approvals", params={**states, "limit": 1})).json()
        assert (first["page"]["total"], first["page"]["left_out"]) == (2, 1)
        cursor = first["page"]["next_cursor"]
        rest = await browser.get("/approvals", params={**states, "limit": 1, "cursor": cursor})
        seen = [*first["approvals"], *rest.json()["approvals"]]
        assert [each["id"] for each in seen] == [waiting["approval"], decided["approval"]]
        assert (await browser.get("/approvals", params={"state": "gone"})).status_code == 422


async def test_the_owner_and_whoever_asked_take_a_request_back(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser, client = await house.new_owner(), await house.client("shelf.put")
        for who in (browser, client):
            _, needs = await asked(house, client)
            path = f"/approvals/{needs['approval']}/withdraw"
            other = await house.client("shelf.put", "read")
            refused = await other.post(path, json={"reason": "mine"})
            assert (refused.status_code, refused.json()["code"]) == (403, "denied")
            answer = await who.post(path, json={"reason": "not tonight"})
            assert answer.json()["data"]["state"] == "withdrawn"
            shown = (await browser.get(f"/approvals/{needs['approval']}")).json()
            assert (shown["state"], shown["reason"]) == ("withdrawn", "not tonight")
            again = await who.post(path, json={"reason": "again"})
            assert (again.status_code, again.json()["code"]) == (409, "conflict")
            late = await browser.post(f"/approvals/{needs['approval']}/decision", json=yes(needs))
            assert late.json()["needs"]["state"] == "withdrawn"
        assert (await browser.post(path, json={})).status_code == 422


async def test_an_approval_that_is_not_there(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        assert (await browser.get("/approvals/apr_0")).status_code == 404
        body = {"approve": True, "payload_hash": "0" * 64, "revision": 1}
        assert (await browser.post("/approvals/apr_0/decision", json=body)).status_code == 404
        assert (await browser.get("/approvals?cursor=x")).status_code == 422
