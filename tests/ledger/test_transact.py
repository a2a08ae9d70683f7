import pytest

from ledger.faults import LedgerUnavailableError
from ledger.location import Location
from ledger.transact import Order, named
from tests.ledger.segments import ledger_at


@pytest.mark.parametrize("subject", ["task_1", "with:colons:7", "x"])
def test_the_name_of_a_workflow_says_whose_segment_it_is(subject: str) -> None:
    assert named(Order("task", subject, 12, "background", 0, 0).id) == ("task", subject, 12)


@pytest.mark.parametrize("name", ["", "nobody's", "task:7", "task:subject:", "task:subject:x"])
def test_workflows_that_are_none_of_ours_are_told_apart(name: str) -> None:
    assert named(name) is None


@pytest.mark.anyio
async def test_when_the_librarys_tables_cannot_be_read_the_ledger_is_unavailable(
    location: Location,
) -> None:
    async with ledger_at(location) as ledger:
        await ledger.engine.connect("worker")
        schema = "dbos." if location.dialect == "postgresql" else ""
        moved = f"ALTER TABLE {schema}workflow_status RENAME TO moved_away"
        await ledger.write(lambda tx: tx.conn.exec_driver_sql(moved).close())
        with pytest.raises(LedgerUnavailableError, match="the engine's tables could not be read"):
            await ledger.engine.take_over()
        with pytest.raises(LedgerUnavailableError):
            await ledger.engine.forget(ledger.now())
