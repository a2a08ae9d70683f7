"""Death by SIGKILL at every system call that changes the disk, found by strace."""

import shutil
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from anyio import run_process

from capabilities.adapters.shelf.placements import Mode
from capabilities.adapters.shelf.roots import Root
from tests.capabilities.adapters.shelf.aftermath import TOP, Aftermath
from tests.capabilities.adapters.shelf.scene import FILM, Scene

pytestmark = [pytest.mark.anyio, pytest.mark.proof]
MODES = [Mode.HARDLINK, Mode.COPY, Mode.MOVE]
CALLS = ["mkdirat", "linkat", "fsync", "unlinkat"]
CASES = [*((mode, call) for mode in MODES for call in CALLS), (Mode.COPY, "pwrite64")]


@pytest.mark.parametrize(("mode", "call"), CASES)
async def test_a_death_at_any_system_call_leaves_the_target_absent_or_whole(
    tmp_path: Path, mode: Mode, call: str
) -> None:
    if not shutil.which("strace"):
        pytest.skip("strace is not installed (scripts/services proof)")
    deaths = 0
    while not await survived(
        tmp_path / str(deaths), mode, f"inject={call}:signal=KILL:when={deaths + 1}"
    ):
        deaths += 1
    assert deaths, f"no {call} was ever made, so nothing is proven"


async def survived(folder: Path, mode: Mode, injection: str) -> bool:
    downloads, library = folder / "downloads", folder / "library"
    (downloads / FILM).parent.mkdir(parents=True)
    library.mkdir()
    (downloads / FILM).write_bytes(bytes(range(256)) * 12_000)
    with Root(downloads, "the downloads") as sources, Root(library, "the library") as shelf:
        scene = Scene(sources, shelf)
        placement = replace(await scene.planned(mode), digest=scene.digest())
        after = Aftermath(scene, placement, scene.film())
        strace = ["strace", "-f", "-qq", "-o", str(folder / "trace"), "-e", injection]
        done = await run_process([*strace, *after.command()], cwd=TOP, check=False)
        assert done.returncode in {0, -signal.SIGKILL}, done.stderr
        after.nothing_is_half()
        await after.is_recovered()
    return done.returncode == 0
