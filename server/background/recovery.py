"""Taking up what processes that are gone left behind, looking before acting."""

from contextlib import suppress
from dataclasses import dataclass

import anyio
import structlog

from capabilities.kernel.registry import Registry
from ledger.faults import LedgerUnavailableError
from ledger.feed import Feed
from ledger.ledger import Ledger
from ledger.stores import claims
from ledger.stores.claims import ClaimState

AGAIN_S = 60.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a start found left over.

    Attributes:
        disowned: claims of dead processes, made unknown.
        settled: unknown claims that a look at the world settled.
        resumed: segments that the engine took up again.
    """

    disowned: int
    settled: int
    resumed: int


NOTHING = Recovered(0, 0, 0)


async def recover(ledger: Ledger, registry: Registry, disowned: int) -> Recovered:
    """For a process that just started; ``disowned`` claims it has taken from dead ones already.

    Claims come first, work second: a segment that is resumed finds its effects already settled.
    Where the ledger is a file, whoever else was at work on it is dead, since the caller holds the
    home's lock; on a server others may well live, and only what has no live worker is taken.
    """
    settled = await look_at_unknown(ledger, registry)
    alone = ledger.database.location.dialect == "sqlite"
    taken = await (ledger.engine.recover() if alone else ledger.engine.take_over())
    return Recovered(disowned + len(taken.claims), settled, len(taken.workflows))


async def keep_watch(ledger: Ledger, registry: Registry) -> None:
    """Beat, take over from dead workers, and look at what is unknown, until cancelled.

    Returns when another process took this one for dead: its work is cut off by then.
    """
    found = Feed()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(keep_taking_over, ledger, found)
        tasks.start_soon(keep_looking, ledger, registry, found)
        await keep_beating(ledger)
        tasks.cancel_scope.cancel()


async def keep_beating(ledger: Ledger) -> None:
    """Show the other workers that this one lives, until they took it for dead.

    Nothing else is done in between: a beat that is late costs this process its work.
    """
    away = False
    while True:
        try:
            if not await ledger.engine.beat():
                log.error("this process was taken for dead by another one, and has stopped working")
                return
            away = False
        except LedgerUnavailableError as fault:
            if not away:
                log.warning("the beat could not be written", why=str(fault))
            away = True
        with anyio.move_on_after(ledger.engine.pace.beat_s):
            await ledger.engine.lost.wait()


async def keep_taking_over(ledger: Ledger, found: Feed) -> None:
    """Take over from dead workers, a beat apart; ``found`` is rung when claims were among it."""
    while True:
        await anyio.sleep(ledger.engine.pace.beat_s)
        try:
            taken = await ledger.engine.take_over()
        except LedgerUnavailableError:
            continue  # the beat has said so
        if taken.claims:
            found.ring()


async def keep_listening(ledger: Ledger) -> None:
    """Hear who else is at work, a beat apart, in a process that takes nothing over."""
    while True:
        with suppress(LedgerUnavailableError):  # the beat has said so
            await ledger.engine.listen()
        await anyio.sleep(ledger.engine.pace.beat_s)


async def look_at_unknown(ledger: Ledger, registry: Registry) -> int:
    """Probe every claim of unknown outcome; returns how many are known now."""
    await registry.give_up_unsettled()
    unknown = await ledger.read(lambda conn: claims.in_state(conn, ClaimState.UNKNOWN))
    for claim in unknown:
        await registry.reconcile(claim)
    left = await ledger.read(lambda conn: claims.in_state(conn, ClaimState.UNKNOWN))
    return len(unknown) - len(left)


async def keep_giving_up(registry: Registry, *, every_s: float = AGAIN_S) -> None:
    """Give up acts of ours whose end could not be written down, for workers to look at."""
    while True:
        await anyio.sleep(every_s)
        try:
            await registry.give_up_unsettled()
        except LedgerUnavailableError as fault:
            log.warning("acts of unknown end could not be given up", why=str(fault))


async def keep_looking(ledger: Ledger, registry: Registry, found: Feed) -> None:
    """Look again at what is unknown, a minute apart and whenever rung, until cancelled."""
    async with found.listening() as bell:
        while True:
            with anyio.move_on_after(AGAIN_S):
                await bell.receive()
            try:
                await look_at_unknown(ledger, registry)
            except LedgerUnavailableError as fault:
                log.warning("unknown claims could not be looked at", why=str(fault))
