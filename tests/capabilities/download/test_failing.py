import pytest

from capabilities.download.failing import BLOCK, Block, Failure, record_failure
from capabilities.rules.holding import Hold, hold_of
from ledger.stores import blocklist, events
from ledger.stores.downloads import DownloadRow
from tests.scene import Scene, run_of

pytestmark = pytest.mark.anyio


async def fail(scene: Scene, why: Failure) -> DownloadRow:
    row = await scene.submitted(by=run_of("run_1"))
    await scene.write(lambda tx: record_failure(tx, scene.ledger, row, why))
    return await scene.download(row.id)


async def test_a_failure_is_written_once_with_all_that_it_comes_to(scene: Scene) -> None:
    row = await fail(scene, Failure("It broke.", "failed", Hold.GIVEN_UP, Block.WORK))
    assert (row.state, row.last_error, hold_of(row.facts)) == (
        "failed",
        "It broke.",
        Hold.GIVEN_UP,
    )
    (block,) = await scene.read(lambda conn: blocklist.standing(conn, row.work))
    assert (block.work, block.info_hash, block.reason) == (row.work, row.info_hash, "It broke.")
    assert row.facts[BLOCK] == block.id
    assert [slot.state for slot in await scene.slots()] == ["wanted"]
    told = await scene.read(lambda conn: events.of_run(conn, "run_1"))
    assert (told[-1].type, told[-1].body) == (
        "download_failed",
        {"title": row.name, "sentence": "It broke."},
    )
    assert "next" in await scene.tasks(row.id)


async def test_what_is_dangerous_is_blocked_for_every_work(scene: Scene) -> None:
    await fail(scene, Failure("A program.", "needs_owner", block=Block.EVERYTHING))
    (block,) = await scene.read(lambda conn: blocklist.standing(conn, None))
    assert block.work is None


async def test_what_is_nobodys_fault_is_neither_blocked_nor_replaced(scene: Scene) -> None:
    row = await fail(scene, Failure("The disk is full.", "failed", asks_next=False))
    assert await scene.read(lambda conn: blocklist.standing(conn, row.work)) == []
    assert "next" not in await scene.tasks(row.id)
    assert hold_of(row.facts) is None
