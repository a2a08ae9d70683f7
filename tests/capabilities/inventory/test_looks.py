import shutil
from datetime import timedelta

import anyio
import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, Pending
from capabilities.kernel.owing import SURVEY
from ledger.stores import surveys
from server.background.surveys import Surveyor
from tests.capabilities.inventory.library import LANTERN, episode, put
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def test_a_look_that_takes_long_is_pending_and_goes_on_until_it_is_told(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capabilities.inventory.looks.PATIENCE_S", 0.2)
    put(scene.folders.series, episode(1, "S01E01"))
    begun, may_end = anyio.Event(), anyio.Event()
    looks = list[str]()
    surveyor = Surveyor(scene.ledger)

    async def slow(subject: str, epoch: int) -> None:
        looks.append(subject)
        seen, at = {"files": 7, "folders": 2, "names": 5}, scene.ledger.now()
        await scene.write(lambda tx: surveys.tell(tx, subject, seen, at))
        begun.set()
        await may_end.wait()
        await surveyor.segment(subject, epoch)

    scene.ledger.engine.handle(SURVEY, "background", slow)
    first = await scene.call("inventory.plan", library="series")
    assert isinstance(first, Pending), first
    with anyio.fail_after(4):
        await begun.wait()
        again = await scene.call("inventory.plan", library="series")
        assert isinstance(again, Pending)
        assert again.handle == first.handle
        assert "7 files in 2 folders seen, 5 names read" in again.sentence
        may_end.set()
        monkeypatch.setattr("capabilities.inventory.looks.PATIENCE_S", 4)
        told = await scene.answer("inventory.plan", library="series")
    assert (told["state"], told["adopts"], set(looks)) == ("frozen", 1, {first.handle})


async def test_a_long_look_that_just_ended_is_good_for_the_next_calls(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await scene.answer("inventory.plan", library="series")
    row = await scene.read(lambda conn: surveys.by_path(conn, str(series)))
    assert row is not None
    ended = scene.ledger.now()
    begun = ended - timedelta(minutes=10)
    await scene.write(
        lambda tx: surveys.answer(
            tx, row.id, row.asked, row.seen, fault=None, begun_at=begun, ended_at=ended
        )
    )
    put(series, episode(1, "S01E02"))
    assert (await scene.answer("inventory.plan", library="series"))["adopts"] == 1
    scene.base.time.ahead += timedelta(hours=2)
    assert (await scene.answer("inventory.plan", library="series"))["adopts"] == 2


async def test_a_library_that_cannot_be_believed_is_a_failure_with_its_reason(
    scene: Scene,
) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await scene.answer("inventory.plan", library="series")
    shutil.rmtree(series / LANTERN)
    failed = await scene.failure(Code.PRECONDITION, "inventory.plan", library="series")
    assert "Is its disk mounted?" in failed.sentence
    put(series, episode(1, "S01E01"))
    assert (await scene.answer("inventory.plan", library="series"))["state"] == "frozen"
    shutil.rmtree(series)
    gone = await scene.call("inventory.plan", library="series")
    assert isinstance(gone, Failed)
    assert "not there" in gone.sentence
    series.mkdir()
