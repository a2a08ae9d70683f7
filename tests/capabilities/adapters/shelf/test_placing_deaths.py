"""Death by SIGKILL right after each step of the journal."""

import signal
from dataclasses import replace

import pytest
from anyio import fail_after, run_process

from capabilities.adapters.shelf.placements import Mode, Step
from tests.capabilities.adapters.shelf.aftermath import TOP, Aftermath
from tests.capabilities.adapters.shelf.scene import FILM, TARGET, Scene

pytestmark = pytest.mark.anyio
STEPS = [step for step in Step if step is not Step.SOURCE_REMOVED]
BEFORE_RENAME = {Step.PLANNED, Step.TEMPORARY_WRITTEN, Step.CHECKED}
CASES = [(mode, step) for mode in (Mode.HARDLINK, Mode.COPY, Mode.MOVE) for step in STEPS]


@pytest.mark.parametrize(("mode", "step"), [*CASES, (Mode.MOVE, Step.SOURCE_REMOVED)])
async def test_a_death_leaves_the_target_absent_or_whole(
    scene: Scene, mode: Mode, step: Step
) -> None:
    placement = replace(await scene.planned(mode), digest=scene.digest())
    after = Aftermath(scene, placement, scene.film())
    with fail_after(20):
        died = await run_process([*after.command(), step], cwd=TOP, check=False)
    assert died.returncode == -signal.SIGKILL
    assert (scene.shelf.path / TARGET).exists() is (step not in BEFORE_RENAME)
    assert scene.sources.path_of(FILM).exists() is (step is not Step.SOURCE_REMOVED)
    after.nothing_is_half()
    await after.is_recovered()
