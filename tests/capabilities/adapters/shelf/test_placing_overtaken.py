"""Two attempts at one placement: one is stopped, the other takes over, the first one wakes up."""

import os
import shutil
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.abc
import anyio.lowlevel
import pytest

from capabilities.adapters.shelf.faults import OvertakenError, TargetExistsError
from capabilities.adapters.shelf.leftovers import clean, leftovers
from capabilities.adapters.shelf.placements import Entry, Mode, Step
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.shelf.aftermath import TOP, VICTIM
from tests.capabilities.adapters.shelf.scene import TARGET, Scene

pytestmark = pytest.mark.anyio
MODES = [Mode.HARDLINK, Mode.COPY, Mode.MOVE, Mode.SYMLINK]
STEPS = [Step.PLANNED, Step.TEMPORARY_WRITTEN, Step.CHECKED]
TOKENS = pytest.mark.parametrize("second", ["two", "one"], ids=["own name", "same name"])


class Stopped:
    """An attempt that waits in its journal at one step, until it is woken."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.there, self.wake = anyio.Event(), anyio.Event()
        self.ended: list[DeclinedError] = []

    async def journal(self, entry: Entry) -> None:
        if entry.step is self.step:
            self.there.set()
            await self.wake.wait()

    async def run(self, scene: Scene, mode: Mode, token: str) -> None:
        try:
            await scene.place(mode, attempt=token, journal=self.journal)
        except DeclinedError as fault:
            self.ended.append(fault)


@asynccontextmanager
async def taken_over(
    scene: Scene, mode: Mode, step: Step
) -> AsyncGenerator[tuple[Stopped, anyio.abc.TaskGroup]]:
    """A first attempt that is stopped, and whose leftovers the next one has taken away."""
    first = Stopped(step)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(first.run, scene, mode, "one")
            await first.there.wait()
            for token in await leftovers(scene.shelf, "Film (2009)"):
                await clean(scene.shelf, TARGET, token)
            yield first, group


@TOKENS
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("mode", MODES)
async def test_one_that_wakes_after_the_other_changes_nothing(
    scene: Scene, mode: Mode, step: Step, second: str
) -> None:
    content = scene.film()
    async with taken_over(scene, mode, step) as (first, _):
        # a move would take the source away, and the first one would stumble over that instead
        takes = Mode.HARDLINK if mode is Mode.MOVE else mode
        placed = await scene.place(takes, attempt=second)
        first.wake.set()
    expected = TargetExistsError if step is Step.PLANNED else OvertakenError
    assert [type(fault) for fault in first.ended] == [expected]
    assert scene.on_shelf() == [TARGET]
    target = scene.shelf.path / TARGET
    assert target.lstat().st_ino == placed.file.inode
    assert target.read_bytes() == content


@TOKENS
@pytest.mark.parametrize("mode", [Mode.COPY, Mode.HARDLINK])
async def test_one_that_wakes_meanwhile_neither_names_nor_removes_the_others_file(
    scene: Scene, mode: Mode, second: str
) -> None:
    async with taken_over(scene, mode, Step.CHECKED) as (first, group):
        owner = Stopped(Step.TEMPORARY_WRITTEN)
        group.start_soon(owner.run, scene, Mode.COPY, second)
        await owner.there.wait()
        theirs = scene.on_shelf()
        first.wake.set()
        while not first.ended:
            await anyio.lowlevel.checkpoint()
        assert scene.on_shelf() == theirs == [f"Film (2009)/.matinee-{second}.tmp"]
        owner.wake.set()
    assert isinstance(first.ended[0], OvertakenError)
    assert owner.ended == []
    assert scene.on_shelf() == [TARGET]
    assert (scene.shelf.path / TARGET).read_bytes() == scene.film()


@pytest.mark.proof
@TOKENS
async def test_a_process_that_was_stopped_in_mid_copy_wakes_and_names_nothing(
    scene: Scene, tmp_path: Path, second: str
) -> None:
    if sys.platform != "linux" or not shutil.which("strace"):
        pytest.skip("strace is not installed (scripts/services proof)")
    second = {"two": "two", "one": "victim"}[second]
    half = scene.shelf.path / "Film (2009)/.matinee-victim.tmp"
    trace = tmp_path / "trace"
    command = ["strace", "-f", "-qq", "-o", str(trace), "-P", str(half)]
    command += ["-e", "inject=pwrite64:signal=STOP:when=2", *VICTIM]
    command += [str(scene.sources.path), str(scene.shelf.path), Mode.COPY]
    with anyio.fail_after(10):
        async with await anyio.open_process(command, cwd=TOP) as process:
            while not trace.exists() or "stopped by SIGSTOP" not in trace.read_text():
                await anyio.lowlevel.checkpoint()
            assert 0 < half.stat().st_size < len(scene.film())
            assert await clean(scene.shelf, TARGET, "victim")
            placed = await scene.place(Mode.COPY, attempt=second)
            os.kill(int(trace.read_text().split(maxsplit=1)[0]), signal.SIGCONT)
            assert await process.wait() == 1
    assert scene.on_shelf() == [TARGET]
    assert (scene.shelf.path / TARGET).stat().st_ino == placed.file.inode
    assert (scene.shelf.path / TARGET).read_bytes() == scene.film()
