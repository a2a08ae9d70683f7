from pathlib import Path

import pytest

from ledger.stores import claims
from tests.server.api.house import served
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
