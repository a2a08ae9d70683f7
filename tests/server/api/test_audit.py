from pathlib import Path

import pytest

from capabilities.kernel.actors import owner
from ledger.stores.audit import Entry, write
from ledger.tables.effects import audit
from tests.server.api.house import House, served

pytestmark = pytest.mark.anyio


async def happened(house: House, *actions: str) -> None:
    at = house.ledger.now()
    entries = [Entry(at, str(owner("ada")), action, run="run_1") for action in actions]
    await house.ledger.write(lambda tx: write(tx, *entries))


async def test_the_owner_reads_the_trail_page_by_page(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        browser = await house.new_owner()
        await happened(house, "a", "b", "c")
        first = (await browser.get("/audit", params={"limit": 2})).json()
        assert [row["action"] for row in first["rows"]] == ["c", "b"]
        assert first["rows"][0]["chain"] == house.ledger.worker
        rest = (await browser.get("/audit", params={"limit": 3, "before": first["next"]})).json()
        assert [row["action"] for row in rest["rows"]] == ["a", "owner created"]
        assert rest["next"] is None
        of_run = (await browser.get("/audit", params={"run": "run_1"})).json()
        assert [row["action"] for row in of_run["rows"]] == ["c", "b", "a"]


async def test_nobody_else_reads_the_trail(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        for nobody in (await house.terminal(), await house.client("read")):
            assert (await nobody.get("/audit")).status_code == 403


async def test_whoever_reads_may_have_the_trail_proved(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await happened(house, "a", "b", "c")
        verdict = (await (await house.client("read")).get("/audit/verify")).json()
        assert (verdict["whole"], verdict["rows"], verdict["chains"]) == (True, 4, 1)
        assert verdict["end"].startswith(f"{house.ledger.worker}:4:")
        assert (await (await house.client("plan")).get("/audit/verify")).status_code == 403


async def test_an_edited_row_is_named(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await happened(house, "a", "b", "c")
        edited = audit.update().where(audit.c.action == "b").values(actor="owner:eve")
        await house.ledger.write(lambda tx: tx.conn.execute(edited) and None)
        verdict = (await (await house.terminal()).get("/audit/verify")).json()
        assert not verdict["whole"]
        (fault,) = verdict["faults"]
        assert (fault["breach"], fault["seq"], fault["link"]) == ("edited", 2, 2)
