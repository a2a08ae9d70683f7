from pathlib import Path

import pytest

from ledger.stores import events
from tests.server.api.house import served
from tests.server.api.test_runs import started

pytestmark = pytest.mark.anyio


async def test_pages_follow_the_sequence_without_gap_or_double(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        at = house.ledger.now()
        for n in range(5):
            await house.ledger.write(lambda tx, n=n: events.append(tx, f"t{n}", {"n": n}, at))
        client, seen, after = await house.client("read"), list[str](), 0
        while True:
            page = (await client.get("/events", params={"after": after, "limit": 2})).json()
            if not page["events"]:
                break
            seen += [each["type"] for each in page["events"]]
            after = page["next"]
        assert seen == ["t0", "t1", "t2", "t3", "t4"]
        assert page["next"] == after


async def test_a_key_sees_its_own_runs_and_the_owner_all(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser, mine = await house.new_owner(), await house.client("run", "read")
        other = await house.client("run", "read")
        run, theirs = await started(mine), await started(other)
        at = house.ledger.now()
        await house.ledger.write(lambda tx: events.append(tx, "text_delta", {}, at, run="run_gone"))
        page = (await mine.get("/events")).json()
        assert {each["run"] for each in page["events"]} == {run}
        everything = (await browser.get("/events")).json()
        assert {each["run"] for each in everything["events"]} == {run, theirs, "run_gone"}
        assert page["next"] == everything["next"]
        rest = (await mine.get("/events", params={"after": page["next"]})).json()
        assert rest == {"events": [], "next": page["next"]}
