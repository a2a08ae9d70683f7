from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest

from ledger.stores import claims
from tests.server.api.house import House, served
from tests.server.api.test_capabilities import a_plan, invoked

pytestmark = pytest.mark.anyio

GIVEN: dict[str, Any] = {"action": "shelf.put", "calls_per_day": 1, "note": "while away"}


async def made(browser: httpx2.AsyncClient, **changed: Any) -> dict[str, Any]:
    answer = await browser.post("/grants", json={**GIVEN, **changed})
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


async def put(house: House, client: httpx2.AsyncClient) -> httpx2.Response:
    return await invoked(client, "shelf.put", {"plan": await a_plan(house)})


async def test_under_a_grant_a_key_acts_until_the_days_budget_is_used(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser, client = await house.new_owner(), await house.client("shelf.put")
        grant = await made(browser)
        assert (grant["stands"], grant["calls_left"]) == (True, 1)
        assert (await put(house, client)).status_code == 200
        (claim,) = await house.ledger.read(claims.newest)
        assert claim.authority == grant["id"]
        over = await put(house, client)
        assert (over.status_code, over.json()["code"]) == (429, "budget_exceeded")
        needs = over.json()["needs"]
        assert (needs["calls_left"], needs["grant"]) == (0, grant["id"])
        assert needs["address"] == f"{house.address}/decisions/{needs['decision']}"
        renews = datetime.fromisoformat(needs["renews_at"])
        assert timedelta() < renews - datetime.now(UTC) <= timedelta(days=1)
        assert int(over.headers["retry-after"]) > 0
        shown = (await browser.get(f"/grants/{grant['id']}")).json()
        assert (shown["calls_left"], shown["note"]) == (0, "while away")


async def test_a_grant_is_shortened_and_withdrawn_and_never_widened(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        grant = await made(browser, calls_per_day=3)
        path = f"/grants/{grant['id']}"
        less = await browser.post(f"{path}/shorten", json={"calls_per_day": 2})
        assert less.json()["data"]["calls_per_day"] == 2
        wider = await browser.post(f"{path}/shorten", json={"calls_per_day": 3})
        assert (wider.status_code, wider.json()["code"]) == (403, "denied")
        assert wider.json()["needs"]["wider"] == ["calls_per_day"]
        ended = await browser.post(f"{path}/withdraw", json={"reason": "enough"})
        assert ended.json()["data"]["withdrawn_by"] == "owner:anna"
        again = await browser.post(f"{path}/withdraw", json={"reason": "again"})
        assert (again.status_code, again.json()["code"]) == (409, "conflict")
        listed = (await browser.get("/grants")).json()
        assert (listed["grants"], listed["page"]["total"]) == ([], 0)
        ever = (await browser.get("/grants", params={"ended": "true"})).json()
        assert [each["id"] for each in ever["grants"]] == [grant["id"]]


async def test_grants_come_newest_first_in_pages(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        ids = [(await made(browser))["id"] for _ in range(3)]
        first = (await browser.get("/grants", params={"limit": 2})).json()
        assert [each["id"] for each in first["grants"]] == [ids[2], ids[1]]
        cursor = first["page"]["next_cursor"]
        rest = (await browser.get("/grants", params={"limit": 2, "cursor": cursor})).json()
        assert [each["id"] for each in rest["grants"]] == [ids[0]]


async def test_grants_are_the_owners_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        grant = await made(await house.new_owner())
        path = f"/grants/{grant['id']}"
        for nobody in (await house.client("read", "shelf.put"), await house.terminal()):
            for answer in (
                await nobody.get("/grants"),
                await nobody.get(path),
                await nobody.post("/grants", json=GIVEN),
                await nobody.post(f"{path}/shorten", json={"calls_per_day": 1}),
                await nobody.post(f"{path}/withdraw", json={"reason": "mine"}),
            ):
                assert (answer.status_code, answer.json()["code"]) == (403, "denied")


async def test_another_sites_page_grants_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        cookie = f"matinee_session={browser.cookies['matinee_session']}"
        for headers in (
            {"Sec-Fetch-Site": "cross-site"},
            {"Origin": "http://elsewhere.example"},
            {},
        ):
            page = await house.tcp(Cookie=cookie, **headers)
            assert (await page.post("/grants", json=GIVEN)).status_code == 403
        assert (await browser.get("/grants")).json()["page"]["total"] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"action": "shelf"},
        {"action": "shelf.put; drop"},
        {"action": "shelf.look"},
        {"calls_per_day": 0},
        {"bytes_per_day": -1},
        {"scope": {"kinds": ["music"]}},
        {"scope": {"folders": ["Attic"]}},
        {"scope": {"downloaders": ["nope"]}},
        {"scope": {"downloaders": ["embedded", "nope"]}},
        {"scope": {"works": []}},
        {"scope": {"colour": ["red"]}},
        {"expires_at": "2020-01-01T00:00:00Z"},
        {"expires_at": "2099-01-01T00:00:00"},
        {"policy": {"kind": "acquisition"}},
        {"also": 1},
    ],
    ids=str,
)
async def test_what_cannot_be_granted_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        answer = await browser.post("/grants", json={**GIVEN, **wrong})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")


async def test_a_grant_for_a_download_client_names_one_that_there_is(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        grant = await made(browser, scope={"downloaders": ["embedded"]})
        assert grant["scope"] == {"downloaders": ["embedded"]}
        whole = await made(browser)
        change = {"scope": {"downloaders": ["nope"]}}
        answer = await browser.post(f"/grants/{whole['id']}/shorten", json=change)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
        assert "A download client is one of embedded" in answer.json()["detail"]


async def test_a_policy_must_be_the_published_one(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        given = {**GIVEN, "policy": {"kind": "acquisition", "version": 1}}
        answer = await browser.post("/grants", json=given)
        assert (answer.status_code, answer.json()["code"]) == (412, "precondition")


async def test_a_grant_that_is_not_there(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        assert (await browser.get("/grants/grant_0")).status_code == 404
        gone = await browser.post("/grants/grant_0/withdraw", json={"reason": "x"})
        assert gone.status_code == 404
