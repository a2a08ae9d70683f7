from pathlib import Path

import pytest

from ledger.stores import decisions, downloads, switches, workers
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.downloads import DownloadRow
from ledger.stores.switches import SwitchName
from server.role import Role
from tests.server.api.house import HOST, House, served
from tests.server.api.test_runs import started

pytestmark = pytest.mark.anyio


async def downloading(house: House, id_: str, state: str) -> None:
    at = house.ledger.now()
    row = DownloadRow(
        id=id_,
        client="embedded",
        info_hash=id_,
        hash_v1=None,
        hash_v2=None,
        name="Sintel",
        plan=f"plan_{id_}",
        release="rel_1",
        work="work_1",
        run=None,
        state=state,
        size=1,
        done=0,
        facts={},
        last_error=None,
        created_at=at,
        updated_at=at,
        completed_at=None,
    )
    await house.ledger.write(lambda tx: downloads.add(tx, row))


async def test_an_empty_house_says_so(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        answer = await (await house.terminal()).get("/status")
        assert answer.json() == {
            "unknown": [],
            "acts": {},
            "switches": [],
            "needs_you": 0,
            "runs": {},
            "downloads": {},
            "processes": [{"id": house.ledger.worker, "role": "all", "host": HOST}],
            "at_work": True,
            "unopened": [],
            "owner_exists": False,
            "version": "1.2.3",
            "address": house.address,
        }
        assert next(iter(answer.json())) == "unknown"


async def test_the_status_counts_what_there_is(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        await house.new_owner()
        for n, state in enumerate(("downloading", "downloading", "stalled")):
            await downloading(house, f"dl_{n}", state)
        new = NewDecision(DecisionKind.OTHER, "a", "About a")
        await house.ledger.write(lambda tx: decisions.raise_(tx, new, house.ledger.now()))
        terminal = await house.terminal()
        await started(terminal)
        told = (await terminal.get("/status")).json()
        assert told["downloads"] == {"downloading": 2, "stalled": 1}
        assert told["runs"] == {"queued": 1}
        assert (told["needs_you"], told["owner_exists"]) == (1, True)


async def test_a_turned_switch_and_who_is_at_work_are_told(tmp_path: Path) -> None:
    async with served(tmp_path) as house:
        at = house.ledger.now()
        await house.ledger.write(
            lambda tx: switches.turn(
                tx, SwitchName.READ_ONLY, on=True, by="owner:ann", reason="moving", at=at
            )
        )
        await house.ledger.write(
            lambda tx: workers.register(tx, "box-1", role="worker", host="box", at=at)
        )
        answer = (await (await house.terminal()).get("/status")).json()
    assert answer["switches"] == [
        {"name": "read_only", "on": True, "set_by": "owner:ann", "reason": "moving"}
    ]
    assert {"id": "box-1", "role": "worker", "host": "box"} in answer["processes"]


async def test_where_only_doors_are_open_nobody_is_at_work(tmp_path: Path) -> None:
    async with served(tmp_path, role=Role.API) as house:
        answer = (await (await house.terminal()).get("/status")).json()
    assert (answer["at_work"], len(answer["processes"])) == (False, 1)


async def test_a_worker_that_falls_silent_is_at_work_no_more(tmp_path: Path) -> None:
    async with served(tmp_path, role=Role.API) as house:
        at = house.ledger.now()
        await house.ledger.write(
            lambda tx: workers.register(tx, "box-1", role="worker", host="box", at=at)
        )
        terminal = await house.terminal()
        assert (await terminal.get("/status")).json()["at_work"] is True
        house.ledger.engine.silent = frozenset({"box-1"})
        answer = (await terminal.get("/status")).json()
        assert answer["at_work"] is False
        assert [each["role"] for each in answer["processes"]] == ["api"]
