"""A recurring subject is never given up; part of the contract on both databases."""

import pytest
import sqlalchemy as sa

from ledger.location import Location
from ledger.pace import Pace
from ledger.segments import Standing
from ledger.stores import decisions
from ledger.stores.decisions import Decision
from tests.ledger.acts import nothing
from tests.ledger.opening import ledger_at
from tests.ledger.processes import killed
from tests.ledger.segments import KIND, Stage

pytestmark = pytest.mark.proof


@pytest.mark.anyio
async def test_what_recurs_and_is_cut_short_again_and_again_goes_on_at_its_next_turn(
    location: Location,
) -> None:
    await killed(location, "hang")
    async with ledger_at(location, pace=Pace(most_recoveries=0)) as ledger:
        stage = Stage(ledger, {"victim": nothing})
        ledger.engine.handle(KIND, "background", stage.handle, every_s=3600)
        await ledger.engine.launch()
        await ledger.engine.recover()
        await stage.comes_to("victim", Standing.WAITING)

        def asked(conn: sa.Connection) -> Decision | None:
            return decisions.open_for(conn, f"segment:{KIND}:victim")

        told = await ledger.read(asked)
        assert told is not None
        assert told.title == "A recurring task was cut short 1 times in a row"
        assert stage.epochs == {}
        assert await stage.wake("victim")
        await stage.entered("victim", 1)
        await stage.comes_to("victim", Standing.WAITING)
        assert await ledger.read(asked) is None
