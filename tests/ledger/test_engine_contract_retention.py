"""What the engine lets go of, on either database."""

from datetime import timedelta

import pytest
import sqlalchemy as sa
from dbos import DBOS

from ledger import segments
from ledger.ledger import Ledger
from ledger.location import Location
from ledger.segments import Standing
from ledger.stores import tasks, workers
from ledger.transact import BATCH
from ledger.writer import Transaction
from tests.ledger.acts import nothing
from tests.ledger.segments import KIND, at_work, connected, ledger_at, workflow_has_ended

pytestmark = pytest.mark.proof


async def kept() -> set[str]:
    """Names of every workflow that the library keeps."""
    return {flow.workflow_id for flow in await DBOS.list_workflows_async()}


def task_row(tx: Transaction, ledger: Ledger, subject: str) -> str:
    task = tasks.add(tx, "import", subject, ledger.now())
    assert task is not None
    return task


@pytest.mark.anyio
async def test_what_is_over_for_long_enough_goes_and_what_somebody_needs_stays(
    location: Location,
) -> None:
    async with at_work(location) as stage:
        ledger = stage.ledger
        owed = await ledger.write(lambda tx: task_row(tx, ledger, "dl_1"))
        await stage.start(owed, nothing)
        await stage.start("gone", nothing)
        await stage.start("patient", stage.waiting(times=2))
        await stage.comes_to("patient", Standing.WAITING)
        await stage.wake("patient")
        await stage.entered("patient", 2)
        await stage.comes_to("patient", Standing.WAITING)
        for subject in (owed, "gone"):
            await stage.comes_to(subject, Standing.ENDED)
            await workflow_has_ended(f"{KIND}:{subject}:1")
        for n in (1, 3):
            await workflow_has_ended(f"{KIND}:patient:{n}")
        at = ledger.now()

        def another(tx: Transaction) -> None:
            workers.register(tx, "worker of long ago", role="all", host="here", at=at)
            workers.end(tx, "worker of long ago", at - timedelta(days=9))

        await ledger.write(another)
        first = await ledger.engine.forget(at - timedelta(days=7))
        assert first == len(["the overtaken timer", "gone", "the worker"])
        assert await kept() == {
            f"{KIND}:{owed}:1",
            f"{KIND}:gone:1",
            f"{KIND}:patient:1",
            f"{KIND}:patient:3",
            f"{KIND}:patient:4",
        }
        assert await ledger.engine.forget(at + timedelta(days=1)) == 4
        assert await kept() == {f"{KIND}:patient:4"}
        assert await ledger.read(lambda conn: segments.of(conn, KIND, "gone")) is None
        assert await ledger.read(lambda conn: workers.is_alive(conn, ledger.worker))
        assert await stage.nudge(owed)
        assert await stage.entered(owed, 2) == [1, 2]
        assert await stage.wake("patient")
        await stage.comes_to("patient", Standing.ENDED)


@pytest.mark.anyio
async def test_many_go_in_batches(location: Location) -> None:
    many = BATCH + 5
    async with ledger_at(location) as ledger:
        await connected(ledger)

        def start_and_end(tx: Transaction) -> None:
            for n in range(many):
                ledger.engine.start(tx, KIND, f"over {n}", delay_s=3600)
                ledger.engine.end(tx, KIND, f"over {n}")
                ledger.engine.start(tx, KIND, f"waits {n}", delay_s=3600)

        await ledger.write(start_and_end)
        assert await ledger.engine.forget(ledger.now()) == 2 * many
        left = sa.select(sa.func.count()).select_from(segments.segment)
        assert await ledger.read(lambda conn: conn.execute(left).scalar_one()) == many
        assert await ledger.engine.forget(ledger.now()) == 0
