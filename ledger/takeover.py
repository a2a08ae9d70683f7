"""Taking over what dead workers left: found by their silence, taken by compare-and-set."""

from dataclasses import dataclass
from functools import partial

import sqlalchemy as sa
import structlog

from ledger.clock import Clock
from ledger.database import Database
from ledger.heartbeat import Watch
from ledger.pace import Pace
from ledger.stores import claims, workers
from ledger.stores.claims import ClaimState
from ledger.stores.workers import Worker
from ledger.tables.effects import invocation
from ledger.transact import Transact
from ledger.writer import Transaction

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken from dead workers.

    Attributes:
        workers: that were buried just now.
        claims: that were running and are of unknown outcome now.
        workflows: names of the segments that were queued again.
    """

    workers: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    workflows: tuple[str, ...] = ()


class TakeOver:
    """Looks after the other workers of a ledger on behalf of one of them."""

    def __init__(
        self, database: Database, clock: Clock, pace: Pace, transact: Transact, me: str
    ) -> None:
        """Begin without having heard of anybody: nobody is buried before the lease's time."""
        self._database = database
        self._clock = clock
        self._transact = transact
        self._me = me
        self._watch = Watch(pace)

    async def look(self) -> Taken:
        """Bury who has been silent for too long, and take what dead workers left.

        What was left is looked for each time anew, so that a process that dies in the middle of
        this leaves nothing behind for good.

        Raises:
            LedgerUnavailableError: the database could not be read or written.
        """
        buried = [each for each in await self._silent() if await self._bury(each)]
        taken = await self._orphans()
        return Taken(tuple(each.id for each in buried), *taken)

    async def listen(self) -> frozenset[str]:
        """The ids of other live workers that have been silent for the lease's time.

        Nothing is taken from them and nobody is buried: for a process that works at nothing, and
        so has no use for what they left. One of them that beats again is told no more.

        Raises:
            LedgerUnavailableError: the database could not be read.
        """
        return frozenset(each.id for each in await self._silent())

    async def all(self) -> Taken:
        """Take everything of everybody else, at once.

        For the process that holds the home's lock: whoever else is written down is dead.
        """
        buried = await self._database.write(self._bury_others)
        taken = await self._orphans()
        return Taken(tuple(buried), *taken)

    async def _silent(self) -> list[Worker]:
        present = await self._database.read(workers.alive)
        others = [each for each in present if each.id != self._me]
        return self._watch.silent(others, self._clock.monotonic())

    async def _bury(self, silent: Worker) -> bool:
        def write(tx: Transaction) -> bool:
            if not workers.is_alive(tx.conn, self._me):
                return False
            return workers.bury(tx, silent.id, silent.beat, self._clock.now())

        buried = await self._database.write(write)
        if buried:
            log.warning("a worker is silent and taken for dead", worker=silent.id, host=silent.host)
        return buried

    def _bury_others(self, tx: Transaction) -> list[str]:
        at = self._clock.now()
        others = [each for each in workers.alive(tx.conn) if each.id != self._me]
        return [each.id for each in others if workers.bury(tx, each.id, each.beat, at)]

    async def _orphans(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Claims and segments of workers that are not alive.

        What is running is read before who is alive: a worker is written down before it begins
        anything, so that a new one is never taken for an orphan's.
        """
        at_work = await self._database.read(_whose_claims_run)
        executors = await self._transact.executors()
        present = {each.id for each in await self._database.read(workers.alive)} | {self._me}
        left: list[str] = []
        for gone in sorted(at_work - present):
            left += await self._database.write(partial(claims.disown_worker, worker=gone))
        queued = await self._transact.take(executors - present)
        if left or queued:
            log.info("work of dead workers is taken over", claims=len(left), segments=len(queued))
        return tuple(left), tuple(queued)


def _whose_claims_run(conn: sa.Connection) -> set[str]:
    rows = conn.execute(
        sa.select(invocation.c.worker).where(invocation.c.state == ClaimState.RUNNING).distinct()
    )
    return set(rows.scalars())
