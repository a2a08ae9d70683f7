from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest
from structlog.testing import capture_logs

from ledger.clock import Clock
from ledger.ledger import Ledger, opened
from ledger.stores import approvals
from ledger.stores.approvals import Approval, ApprovalState, NewApproval, PlanPin
from server.background.lapsing import keep_lapsing

START = datetime(2026, 5, 1, 8, tzinfo=UTC)


async def asked(ledger: Ledger, until: datetime) -> str:
    pin = PlanPin("acquisition", f"plan_{until:%H%M}", "a" * 64, 1)
    new = NewApproval("download.submit", pin, "key:local", None, None, {}, until)
    return await ledger.write(lambda tx: approvals.request(tx, new, START))


async def stored(ledger: Ledger, id_: str) -> Approval:
    found = await ledger.read(lambda conn: approvals.by_id(conn, id_))
    assert found is not None
    return found


@pytest.mark.anyio
async def test_what_runs_out_while_the_house_works_lapses_and_the_rest_stays(
    tmp_path: Path,
) -> None:
    wall = [START]
    async with opened(tmp_path, Clock(now=lambda: wall[0])) as ledger:
        soon = await asked(ledger, START + timedelta(hours=1))
        later = await asked(ledger, START + timedelta(hours=2))
        with anyio.fail_after(5):
            async with anyio.create_task_group() as tasks, ledger.feed.listening() as bell:
                tasks.start_soon(keep_lapsing, ledger, 0.01)
                wall[0] += timedelta(hours=1)
                while (await stored(ledger, soon)).state is not ApprovalState.LAPSED:
                    await bell.receive()
                tasks.cancel_scope.cancel()
        assert (await stored(ledger, later)).state is ApprovalState.REQUESTED


@pytest.mark.anyio
async def test_a_ledger_that_is_away_does_not_end_the_lapsing(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        ledger.database.close()
        with capture_logs() as told, anyio.move_on_after(0.05) as spell:
            await keep_lapsing(ledger, 0.01)
        assert spell.cancelled_caught
    assert len(told) > 1
    assert {line["event"] for line in told} == {"approvals could not be looked at"}
