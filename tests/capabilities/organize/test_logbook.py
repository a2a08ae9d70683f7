import pytest

from capabilities.kernel.faults import LostAnswerError
from capabilities.organize.logbook import Logbook
from ledger.stores import shelf
from ledger.stores.claims import Held
from tests.capabilities.organize.test_placing import RECORD, begun
from tests.scene import Scene

pytestmark = pytest.mark.anyio
OLD = {"folder": "/films", "from": "A.mkv", "to": ".matinee-recycle/A.mkv"}


async def lines(scene: Scene) -> list[dict[str, object]]:
    record = await scene.read(lambda conn: shelf.record_by_id(conn, RECORD))
    assert record is not None
    return record.journal


async def test_steps_of_many_files_take_a_line_for_each_run_of_neighbours(scene: Scene) -> None:
    await begun(scene.ledger, "plan_1")
    await Logbook(scene.ledger, RECORD, None).note_many(("checked",), [0, 1, 2, 5])
    assert await lines(scene) == [
        {"file": 0, "through": 2, "step": "checked", "digest": None},
        {"file": 5, "step": "checked", "digest": None},
    ]
    await Logbook(scene.ledger, RECORD, None).note_many(("checked",), [])
    assert len(await lines(scene)) == 2


async def test_the_next_attempt_knows_what_was_written_down(scene: Scene) -> None:
    await begun(scene.ledger, "plan_1")
    first = Logbook(scene.ledger, RECORD, None)
    await first.note({"file": 0, "step": "checked", "digest": "ab"})
    await first.note({"file": 0, "step": "instead", "why": "two disks", "digest": None})
    await first.note(
        {"file": 0, "step": "recycling", **OLD}, {"file": 0, "step": "recycled", **OLD}
    )
    second = Logbook(scene.ledger, RECORD, None)
    await second.read()
    assert (second.digests, second.instead) == ({0: "ab"}, "two disks")
    assert second.places == {("/films", "A.mkv"): OLD["to"]}
    assert second.away == {("/films", "A.mkv")}
    await second.note({"file": 0, "step": "restored", **OLD})
    assert second.away == set()


async def test_an_attempt_whose_claim_somebody_else_has_writes_nothing(scene: Scene) -> None:
    await begun(scene.ledger, "plan_1")
    with pytest.raises(LostAnswerError):
        await Logbook(scene.ledger, RECORD, Held("inv_nobody", "token")).note(
            {"file": 0, "step": "planned", "digest": None}
        )
    assert await lines(scene) == []
