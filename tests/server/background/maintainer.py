"""A process that works at the maintenance of a home, to be run beside others like it."""

import sys
from dataclasses import replace

import anyio

from ledger.ledger import Ledger
from server.background.maintenance import Job, jobs_of, schedule
from server.background.recovery import keep_beating
from tests.ledger.opening import ledger_at
from tests.ledger.victim import at, say


def telling(job: Job) -> Job:
    """The same job, which says its word at the end of each turn."""

    async def turn() -> None:
        await job.turn()
        say(job.kind)

    return replace(job, turn=turn)


async def work(ledger: Ledger) -> None:
    """Schedule every job, and work at whichever turn is had here."""
    await ledger.engine.connect()
    await schedule(ledger, map(telling, jobs_of(ledger, 1)))
    await ledger.engine.launch()
    say("at work")
    await keep_beating(ledger)


async def _main(place: str) -> None:
    async with ledger_at(at(place)) as ledger:
        await work(ledger)


if __name__ == "__main__":
    anyio.run(_main, sys.argv[1])
