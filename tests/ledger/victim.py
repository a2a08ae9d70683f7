"""A process at work on a ledger, to be killed or stopped: ``victim PLACE ACT``."""

import sys
import time
from pathlib import Path

import anyio
import anyio.to_thread

from ledger.ledger import Ledger
from ledger.location import Location, SqliteFile, located
from ledger.segments import Standing, owns
from ledger.stores import claims, tasks
from ledger.stores.claims import ClaimState, Settlement
from ledger.writer import Transaction
from server.background.recovery import keep_beating
from tests.ledger.acts import Endless
from tests.ledger.claimed import a_claim
from tests.ledger.processes import QUICK
from tests.ledger.segments import KIND, launched, ledger_at

STEPS = 3
WORK_S = 0.05
RECURRING = "round"
EVERY_S = 0.2


def say(line: str) -> None:
    """Tell whoever started this process."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def hear() -> None:
    """Wait for a line of whoever started this process."""
    await anyio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)


async def hang(ledger: Ledger) -> None:
    """Stand in the middle of one segment, and behind the end of another one, without a beat."""
    stage = await launched(ledger)

    async def behind_the_end(subject: str, _epoch: int) -> None:
        await ledger.write(lambda tx: ledger.engine.end(tx, KIND, subject))
        await anyio.sleep_forever()

    await stage.start("over", behind_the_end)
    await stage.begun("victim", Endless())
    await stage.comes_to("over", Standing.ENDED)
    say("in the middle")
    await anyio.sleep_forever()


async def zombie(ledger: Ledger) -> None:
    """Beat, hold a segment and a claim; once told to go on, write late, and say what came of it."""
    stage = await launched(ledger)
    async with anyio.create_task_group() as group:
        group.start_soon(keep_beating, ledger)
        epoch = await stage.begun("victim", Endless())
        claim = await ledger.write(lambda tx: a_claim(tx, ledger.worker, ledger.now()))
        say(claim.id)
        say("in the middle")
        await hear()

        def late(tx: Transaction) -> tuple[bool, bool]:
            end = Settlement(ClaimState.SUCCEEDED)
            settled = claims.settle(tx, claim.id, claim.token, end, ledger.now())
            return settled, owns(tx, KIND, "victim", epoch)

        settled, owning = await ledger.write(late)
        say(f"settled {settled}, owns {owning}")
        await ledger.engine.lost.wait()
        say("lost")


async def work(ledger: Ledger) -> None:
    """Work on tasks of `STEPS` steps, a segment each, and take over from whoever dies."""

    async def step(task: str, epoch: int) -> None:
        row = await ledger.read(lambda conn: tasks.by_id(conn, task))
        assert row is not None
        await anyio.sleep(WORK_S)

        def write(tx: Transaction) -> None:
            if not owns(tx, KIND, task, epoch):
                return
            n = len(row.steps) + 1
            tasks.add_step(tx, task, {"n": n, "worker": ledger.worker})
            if n < STEPS:
                ledger.engine.suspend(tx, KIND, task, timeout_s=0)
            else:
                ledger.engine.end(tx, KIND, task)

        await ledger.write(write)

    ledger.engine.handle(KIND, "background", step)
    await ledger.engine.launch()
    say(ledger.worker)
    async with anyio.create_task_group() as group:
        group.start_soon(keep_beating, ledger)
        while True:
            await anyio.sleep(QUICK.beat_s)
            for worker in (await ledger.engine.take_over()).workers:
                say(f"buried {worker}")


async def older(ledger: Ledger) -> None:
    """Older code: one task is half way when its process ends, and another one waits by then."""
    in_flight, suspended = await ledger.write(
        lambda tx: [
            tasks.add(tx, "step", each, ledger.now()) for each in ("in flight", "suspended")
        ]
    )
    assert in_flight is not None
    assert suspended is not None

    async def half(task: str, epoch: int) -> None:
        def write(tx: Transaction) -> None:
            assert owns(tx, KIND, task, epoch)
            tasks.add_step(tx, task, {"by": "older code"})
            if task == suspended:
                ledger.engine.suspend(tx, KIND, task, timeout_s=3600)

        await ledger.write(write)
        if task == in_flight:
            say("in the middle")
            await anyio.sleep_forever()

    stage = await launched(ledger)
    await stage.start(suspended, half)
    await stage.comes_to(suspended, Standing.WAITING)
    await stage.start(in_flight, half)
    await hear()


async def rounds(ledger: Ledger) -> None:
    """Schedule the same recurring subject as every other process that plays this."""

    async def fire(task: str, epoch: int) -> None:
        fired = {"epoch": epoch, "at": time.monotonic(), "worker": ledger.worker}
        await ledger.write(lambda tx: tasks.add_step(tx, task, fired))

    ledger.engine.handle(RECURRING, "background", fire, every_s=EVERY_S)
    await ledger.engine.launch()

    def schedule(tx: Transaction) -> None:
        tasks.add(tx, "step", RECURRING, ledger.now())
        (row,) = tasks.of_subject(tx.conn, RECURRING)
        ledger.engine.schedule(tx, RECURRING, row.id)

    await ledger.write(schedule)
    say("in the middle")
    await keep_beating(ledger)


ACTS = {"hang": hang, "zombie": zombie, "work": work, "older": older, "rounds": rounds}


def at(place: str) -> Location:
    """The ledger that an argument names."""
    return located(Path(), place) if "://" in place else SqliteFile(Path(place))


async def _main(place: str, act: str) -> None:
    async with ledger_at(at(place), pace=QUICK) as ledger:
        await ACTS[act](ledger)


if __name__ == "__main__":
    anyio.run(_main, sys.argv[1], sys.argv[2])
