"""How segments survive the end of their process, orderly or not."""

import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from ledger.engine import Standing
from ledger.ledger import Ledger, opened
from tests.ledger.segments import KIND, Stage, workflow_has_ended, workflow_is


@contextmanager
def victim(home: Path) -> Generator[None]:
    """A process in the middle of its segments; it is killed at the end of the block."""
    with subprocess.Popen(  # our own interpreter, our own words
        [sys.executable, "-m", "tests.ledger.victim", str(home)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "in the middle\n"
        yield
        process.kill()
        assert process.wait(5) == -signal.SIGKILL


async def launched(ledger: Ledger) -> Stage:
    stage = Stage(ledger)
    ledger.engine.handle(KIND, "background", stage.handle)
    await ledger.engine.launch()
    return stage


async def nothing(_subject: str, _epoch: int) -> None:
    """A segment with nothing to do."""


@pytest.mark.anyio
async def test_after_a_kill_what_was_owed_is_taken_up_once_and_what_was_over_is_not(
    home: Path,
) -> None:
    with victim(home):
        pass
    async with opened(home) as ledger:
        stage = await launched(ledger)
        left = await stage.standing("victim")
        assert (left.state, left.epoch, left.tries) == (Standing.RUNNING, 1, 1)
        tries: list[int] = []

        async def go_on(subject: str, _epoch: int) -> None:
            tries.append((await stage.standing(subject)).tries)

        stage.acts |= {"victim": go_on, "over": go_on}
        taken_up = [f"{KIND}:over:1", f"{KIND}:victim:1"]
        assert sorted(await ledger.engine.recover()) == taken_up
        assert await stage.entered("victim", 1) == [2]
        await stage.comes_to("victim", Standing.ENDED)
        for id_ in taken_up:
            await workflow_has_ended(id_)
        assert (stage.epochs, tries) == ({"victim": [2]}, [2])
        assert await ledger.engine.recover() == []


@pytest.mark.anyio
async def test_closing_waits_for_a_segment_that_is_about_to_end(home: Path) -> None:
    async with opened(home) as ledger:
        stage = await launched(ledger)
        go_on = anyio.Event()

        async def short(_subject: str, _epoch: int) -> None:
            await go_on.wait()

        await stage.start("short", short)
        await stage.entered("short", 1)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ledger.engine.close)
            await anyio.wait_all_tasks_blocked()
            go_on.set()
        assert (await stage.standing("short")).state is Standing.ENDED


@pytest.mark.anyio
async def test_what_does_not_end_in_time_is_cut_off_and_goes_on_at_the_next_launch(
    home: Path,
) -> None:
    ends: list[str] = []

    async with opened(home) as ledger:
        stage = await launched(ledger)

        async def endless(_subject: str, _epoch: int) -> None:
            try:
                await anyio.sleep_forever()
            finally:
                with anyio.CancelScope(shield=True):
                    await ledger.write(lambda _: ends.append("written down"))

        await stage.start("endless", endless)
        await stage.entered("endless", 1)
        await ledger.engine.close(0)
        assert ends == ["written down"]
        assert (await stage.standing("endless")).tries == 0

        again = await launched(ledger)
        again.acts["endless"] = nothing
        await ledger.engine.recover()
        assert await again.entered("endless", 1) == [2]
        await again.comes_to("endless", Standing.ENDED)


@pytest.mark.anyio
async def test_what_is_dequeued_while_it_closes_is_not_begun_and_not_lost(home: Path) -> None:
    async with opened(home) as ledger:
        stage = await launched(ledger)
        go_on = anyio.Event()

        async def slow(_subject: str, _epoch: int) -> None:
            await go_on.wait()

        await stage.start("slow", slow)
        await stage.entered("slow", 1)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ledger.engine.close)
            await anyio.wait_all_tasks_blocked()
            await stage.start("late", nothing)
            await workflow_is(f"{KIND}:late:1", "PENDING")
            go_on.set()
        assert stage.epochs == {"slow": [1]}

    async with opened(home) as ledger:
        again = await launched(ledger)
        again.acts["late"] = nothing
        await ledger.engine.recover()
        assert await again.entered("late", 1) == [1]
        await again.comes_to("late", Standing.ENDED)
