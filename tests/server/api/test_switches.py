from pathlib import Path

import pytest

from ledger.stores import claims
from tests.server.api.house import served
from tests.server.api.test_capabilities import a_plan, invoked

pytestmark = pytest.mark.anyio


async def test_the_owner_stops_what_acts_by_itself_and_lets_it_act_again(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser, client = await house.new_owner(), await house.client("shelf.put", "read")
        off = {"name": "master", "on": False, "reason": "guests"}
        assert (await browser.put("/switches", json=off)).json()["sentence"] == "master is off."
        shown = {each["name"]: each for each in (await client.get("/switches")).json()["switches"]}
        assert (shown["master"]["on"], shown["master"]["set_by"]) == (False, "owner:anna")
        assert shown["read_only"] == {
            "name": "read_only",
            "on": False,
            "set_by": None,
            "set_at": None,
            "reason": None,
        }
        plan = await a_plan(house)
        refused = await invoked(client, "shelf.put", {"plan": plan})
        assert (refused.status_code, refused.json()["code"]) == (403, "denied")
        assert refused.json()["needs"]["switch"] == "master"
        assert await house.ledger.read(claims.newest) == []
        on = {**off, "on": True}
        assert (await browser.put("/switches", json=on)).status_code == 200
        again = await invoked(client, "shelf.put", {"plan": plan})
        assert again.json()["code"] == "needs_approval"


async def test_in_a_read_only_house_the_owner_turns_only_the_switch(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        turned = {"name": "read_only", "on": True, "reason": "moving"}
        assert (await browser.put("/switches", json=turned)).status_code == 200
        for capability, given in (
            ("shelf.put", {"plan": await a_plan(house)}),
            ("shelf.note", {"words": "x"}),
        ):
            refused = await invoked(browser, capability, given)
            assert (refused.status_code, refused.json()["needs"]["switch"]) == (403, "read_only")
        seen = await invoked(browser, "shelf.look", {"title": "x"})
        assert seen.status_code == 200
        back = {**turned, "on": False}
        assert (await browser.put("/switches", json=back)).status_code == 200
        noted = await invoked(browser, "shelf.note", {"words": "x"})
        assert noted.status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "everything"},
        {"reason": ""},
        {"on": "perhaps"},
        {"also": 1},
    ],
)
async def test_a_switch_is_turned_by_name_and_with_a_reason(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        given = {"name": "master", "on": False, "reason": "x", **wrong}
        assert (await browser.put("/switches", json=given)).status_code == 422


async def test_a_blank_reason_is_none(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        given = {"name": "master", "on": False, "reason": "  "}
        answer = await browser.put("/switches", json=given)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
