from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import svcs

from capabilities.kernel.actors import owner
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.switches import turn
from capabilities.kernel.targets import Target
from ledger.stores import claims
from ledger.stores.switches import SwitchName
from ledger.writer import Transaction
from tests.ledger.stores.test_claims import NEW
from tests.server.api.house import House, served
from tests.server.api.shelf import SHELF
from tests.server.api.test_capabilities import a_plan, invoked

pytestmark = pytest.mark.anyio


async def test_the_newest_acts_come_with_the_unknown_ones_first(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        plans = [await a_plan(house) for _ in range(2)]
        for plan in plans:
            await invoked(browser, "shelf.put", {"plan": plan})
        oldest = (await house.ledger.read(claims.newest))[-1]
        await house.ledger.write(
            lambda tx: tx.conn.exec_driver_sql(
                "update invocation set state = 'running' where id = ?", (oldest.id,)
            )
        )
        await house.ledger.write(lambda tx: claims.make_unknown(tx, oldest.id, "cut off"))
        client = await house.client("read")
        listed = (await client.get("/invocations")).json()["invocations"]
        assert [each["state"] for each in listed] == ["unknown", "succeeded"]
        assert listed[0]["sentence"] == "cut off"
        assert listed[1]["actor"] == "owner:anna"
        assert listed[1]["authority"] == "owner:anna"
        assert listed[1]["target"]["facts"] == {"plan": plans[1]}
        assert "token" not in listed[0]
        one = (await client.get("/invocations", params={"limit": 1})).json()["invocations"]
        assert [each["id"] for each in one] == [oldest.id]


@pytest.mark.parametrize("limit", [0, 201])
async def test_a_page_is_bounded(tmp_path: Path, limit: int) -> None:
    async with served(tmp_path) as house:
        client = await house.client("read")
        assert (await client.get("/invocations", params={"limit": limit})).status_code == 422


async def left(house: House, key: str, *, unknown: bool = True, **changed: Any) -> str:
    """An act that was begun, and cut off."""

    def write(tx: Transaction) -> str:
        claim = claims.claim(tx, replace(NEW, key=key, plan=None, **changed), house.ledger.now())
        if unknown:
            claims.make_unknown(tx, claim.id, "It was cut off.")
        return claim.id

    return await house.ledger.write(write)


async def test_acts_are_found_by_state_capability_and_run_a_page_at_a_time(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as house:
        client = await house.client("read")
        first = await left(house, "a")
        second = await left(house, "b", unknown=False, run="run_1")
        third = await left(house, "c", unknown=False, capability="organize.execute")

        async def found(**sought: str | int) -> list[str]:
            listed = (await client.get("/invocations", params=sought)).json()["invocations"]
            return [each["id"] for each in listed]

        assert (await found())[0] == first
        assert await found(state="unknown") == [first]
        assert await found(run="run_1") == [second]
        assert await found(capability="organize.execute") == [third]
        page = (await client.get("/invocations", params={"limit": 2})).json()
        assert page["totals"] == {"unknown": 1, "running": 2}
        assert (page["page"]["total"], page["page"]["left_out"]) == (3, 1)
        rest = await found(limit=2, cursor=page["page"]["next_cursor"])
        assert len(rest) == 1
        assert (await client.get("/invocations", params={"state": "odd"})).status_code == 422


async def test_one_act_says_what_it_was_about_and_what_to_do(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        client = await house.client("read")
        target: dict[str, Any] = {"kind": "torrent", "natural_key": "btih:aa", "facts": {}}
        id_ = await left(house, "a", target=target)
        act = (await client.get(f"/invocations/{id_}")).json()
        assert (act["about"], act["sentence"]) == ("torrent btih:aa", "It was cut off.")
        assert f"matinee claims settle {id_}" in act["do"]
        assert not {"token", "key", "call_id", "fingerprint"} & set(act)
        running = await left(house, "b", unknown=False)
        assert "being worked at" in (await client.get(f"/invocations/{running}")).json()["do"]
        assert (await client.get("/invocations/inv_none")).status_code == 404


async def test_whoever_may_read_may_have_it_looked_at(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        id_ = await left(house, "a", natural_key="btih:aa")
        reader, other = await house.client("read"), await house.client("plan")
        assert (await other.post(f"/invocations/{id_}/check")).status_code == 403
        looked = await reader.post(f"/invocations/{id_}/check")
        assert (looked.status_code, looked.json()["state"]) == (200, "unknown")
        assert (await reader.post("/invocations/inv_none/check")).status_code == 404


async def partly_there(_target: Target, _parts: svcs.Container) -> Finding:
    return Finding(Verdict.PARTLY)


async def test_what_is_done_in_part_is_carried_on_only_for_who_may_do_it(tmp_path: Path) -> None:
    specs = [
        replace(spec, probe=partly_there) if spec.id == "shelf.put" else spec for spec in SHELF
    ]
    (scope,) = {spec.scope for spec in specs if spec.id == "shelf.put"}
    async with served(tmp_path, specs=specs) as house:
        target: dict[str, Any] = {"kind": "shelf", "natural_key": "shelf:a", "facts": {}}
        id_ = await left(house, "a", capability="shelf.put", target=target)
        reader, doer = await house.client("read"), await house.client("read", scope)
        seen = (await reader.post(f"/invocations/{id_}/check")).json()
        assert seen["state"] == "unknown"
        assert "the next one in the background" in seen["seen"]["reason"]
        done = (await doer.post(f"/invocations/{id_}/check")).json()
        assert (done["state"], done["sentence"]) == ("succeeded", "Found on the shelf.")


async def test_a_read_only_house_refuses_to_settle_by_hand(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        id_ = await left(house, "a")
        await turn(
            house.ledger, SwitchName.READ_ONLY, on=True, by=owner("anna"), reason="The disks move."
        )
        word = {"done": True, "reason": "I see it there."}
        refused = await browser.post(f"/invocations/{id_}/settle", json=word)
        assert refused.status_code == 403
        assert "The disks move." in refused.text


async def test_only_the_signed_in_owner_settles_by_hand(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        id_ = await left(house, "a")
        word = {"done": True, "reason": "I see it there."}
        for client in (await house.client("read", "plan", "run"), await house.terminal()):
            assert (await client.post(f"/invocations/{id_}/settle", json=word)).status_code == 403
        without = await browser.post(f"/invocations/{id_}/settle", json={"done": True})
        assert without.status_code == 422
        settled = await browser.post(f"/invocations/{id_}/settle", json=word)
        assert settled.status_code == 200
        body = settled.json()
        assert body["data"]["state"] == "succeeded"
        assert "not done again" in body["data"]["follows"]
        act = (await browser.get(f"/invocations/{id_}")).json()
        assert (act["state"], act["seen"]["reason"]) == ("succeeded", "I see it there.")
        assert act["do"] is None
        again = await browser.post(f"/invocations/{id_}/settle", json=word)
        assert again.status_code == 409
