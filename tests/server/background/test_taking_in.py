import pytest

from capabilities.kernel.outcomes import Pending
from capabilities.kernel.owing import ADOPT
from ledger.stores import assets
from server.background.surveys import Surveyor
from server.background.taking_in import TakingIn
from server.background.tasks import TaskRunner
from tests.capabilities.inventory.library import episode, put
from tests.scene import OWNER, Scene
from tests.server.background.test_surveys import until


@pytest.mark.anyio
async def test_a_large_adoption_is_carried_on_behind_its_call(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capabilities.inventory.taking_in.AT_ONCE", 1)
    Surveyor(scene.ledger).attend()
    series = scene.folders.series
    put(series, *(episode(1, f"S01E0{number}") for number in (1, 2, 3)))
    plan = (await scene.answer("inventory.plan", OWNER, library="series"))["plan"]
    assert isinstance(await scene.call("inventory.adopt", OWNER, plan=plan), Pending)
    runner = TaskRunner(scene.ledger, {ADOPT: TakingIn(scene.ledger).attend})
    scene.base.segments["task"] = runner.segment
    task = (await scene.tasks(await scene.id_of(plan, OWNER)))[ADOPT]
    await scene.write(lambda tx: scene.ledger.engine.nudge(tx, "task", task.id))
    await until(scene, lambda paths: len(paths) == 3)
    assert len(await scene.read(lambda conn: assets.paths_below(conn, str(series)))) == 3
