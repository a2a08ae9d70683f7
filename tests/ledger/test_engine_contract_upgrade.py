"""Work that older code began goes on under newer code, on either database."""

from functools import partial
from signal import Signals

import pytest
import sqlalchemy as sa
from dbos import DBOS

from ledger import segments, transact
from ledger.ledger import Ledger
from ledger.location import Location
from ledger.segments import Standing
from ledger.stores import tasks
from ledger.stores.tasks import TaskRow
from ledger.takeover import Taken
from ledger.writer import Transaction
from tests.ledger.processes import child
from tests.ledger.segments import KIND, eventually, ledger_at

pytestmark = pytest.mark.proof

FLYING, SLEEPING = "in flight", "suspended"


async def left_by_older_code(location: Location, *, killed: bool) -> None:
    """Older code goes half way with two tasks, and its process is ended."""
    async with child(location, "older") as older:
        await older.says("in the middle")
        if killed:
            older.send(Signals.SIGKILL)
        else:
            await older.tell("end")
        assert await older.ended() == (-Signals.SIGKILL if killed else 0)


def of_subject(conn: sa.Connection, subject: str) -> TaskRow:
    (row,) = tasks.of_subject(conn, subject)
    return row


async def finish(ledger: Ledger, task: str, epoch: int) -> None:
    """Newer code: it reads what the older wrote down, and finishes it in its own way."""

    def write(tx: Transaction) -> None:
        assert segments.owns(tx, KIND, task, epoch)
        tasks.add_step(tx, task, {"by": "newer code"})
        ledger.engine.end(tx, KIND, task)

    await ledger.write(write)


async def launch_newer(ledger: Ledger) -> Taken:
    """Another handler, and another hash of the code as far as the library can tell."""

    async def unheard_of() -> None:
        """Is part of the library's hash."""

    DBOS.workflow(name="unheard of")(unheard_of)
    ledger.engine.handle(KIND, "background", partial(finish, ledger))
    await ledger.engine.launch()
    return await ledger.engine.recover()


@pytest.mark.anyio
@pytest.mark.parametrize("killed", [True, False], ids=["killed", "ended"])
async def test_newer_code_goes_on_with_what_older_code_began(
    location: Location, killed: bool
) -> None:
    await left_by_older_code(location, killed=killed)
    async with ledger_at(location) as ledger:
        taken = await launch_newer(ledger)
        sleeping = await ledger.read(lambda conn: of_subject(conn, SLEEPING))
        assert await ledger.write(lambda tx: ledger.engine.wake(tx, KIND, sleeping.id))
        await eventually(lambda: both_ended(ledger))
        for subject in (FLYING, SLEEPING):
            row = await ledger.read(lambda conn, named=subject: of_subject(conn, named))
            assert [step["by"] for step in row.steps] == ["older code", "newer code"]
        assert len(taken.workflows) == 1


@pytest.mark.anyio
async def test_code_of_another_contract_would_be_given_none_of_it(
    location: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    await left_by_older_code(location, killed=True)
    monkeypatch.setattr(transact, "CONTRACT", "segments-0")
    async with ledger_at(location) as ledger:
        taken = await launch_newer(ledger)
        assert taken.workflows == ()
        row = await ledger.read(lambda conn: of_subject(conn, FLYING))
        assert [step["by"] for step in row.steps] == ["older code"]


async def both_ended(ledger: Ledger) -> bool:
    def look(conn: sa.Connection) -> bool:
        rows = [of_subject(conn, subject) for subject in (FLYING, SLEEPING)]
        held = [segments.of(conn, KIND, row.id) for row in rows]
        return all(each is not None and each.state is Standing.ENDED for each in held)

    return await ledger.read(look)
