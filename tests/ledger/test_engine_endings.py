"""How segments survive the end of their process, orderly or not."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from ledger.engine import Standing
from ledger.ledger import Ledger, opened
from tests.ledger.segments import KIND, Stage


@contextmanager
def victim(home: Path, act: str) -> Iterator[None]:
    """A process that is in the middle of a segment inside the block, and is killed at its end."""
    with subprocess.Popen(  # noqa: S603  # our own interpreter, our own words
        [sys.executable, "-m", "tests.ledger.victim", str(home), act],
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
async def test_a_segment_whose_process_was_killed_is_taken_up_under_a_new_epoch(
    home: Path,
) -> None:
    with victim(home, "hang"):
        pass
    async with opened(home) as ledger:
        stage = await launched(ledger)
        left = await stage.standing("victim")
        assert (left.state, left.epoch, left.tries) == (Standing.RUNNING, 1, 1)
        tries: list[int] = []

        async def go_on(subject: str, _epoch: int) -> None:
            tries.append((await stage.standing(subject)).tries)

        stage.acts["victim"] = go_on
        assert await ledger.engine.recover() == [f"{KIND}:victim:1"]
        assert await stage.entered("victim", 1) == [2]
        await stage.comes_to("victim", Standing.ENDED)
        assert tries == [2]
        assert await ledger.engine.recover() == []


@pytest.mark.anyio
async def test_a_segment_that_had_said_it_was_over_is_not_entered_again_after_a_kill(
    home: Path,
) -> None:
    with victim(home, "end"):
        pass
    async with opened(home) as ledger:
        stage = await launched(ledger)
        stage.acts["victim"] = nothing
        assert await ledger.engine.recover() == [f"{KIND}:victim:1"]
        await stage.start("after it", nothing)
        await stage.entered("after it", 1)
        assert "victim" not in stage.epochs


@pytest.mark.anyio
async def test_nothing_is_recovered_unless_somebody_asks(home: Path) -> None:
    with victim(home, "hang"):
        pass
    async with opened(home) as ledger:
        stage = await launched(ledger)
        await stage.start("another", nothing)
        await stage.entered("another", 1)
        assert "victim" not in stage.epochs


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
async def test_what_does_not_end_in_time_is_cut_off_and_goes_on_in_the_next_launch(
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
        assert await ledger.engine.recover() == []
        assert again.epochs == {}

    async with opened(home) as ledger:
        third = await launched(ledger)
        third.acts["endless"] = nothing
        assert await ledger.engine.recover() == [f"{KIND}:endless:1"]
        assert await third.entered("endless", 1) == [2]
        await third.comes_to("endless", Standing.ENDED)
