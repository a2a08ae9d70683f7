"""What is due again and again, whoever works: recurring kinds of the engine, a subject each.

However many processes share a ledger, each turn happens in one of them; one that was due while
none worked happens soon after the next start.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial

from capabilities.kernel.deciding import lapse_overdue
from ledger.ledger import Ledger
from ledger.transact import Lane
from ledger.writer import Transaction
from server.background.libraries import keep_libraries
from server.background.retention import forget_old

LANE: Lane = "maintenance"
HOME = "home"
"""The subject of every job: what it is done to."""
MINUTE_S = 60.0
LIBRARIES_S = 300.0
DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Job:
    """Work that is due ``every_s`` seconds after it was done last.

    Attributes:
        kind: what the engine knows it by, and what the owner reads when it fails.
        turn: does what is due. Its writes carry no epoch: one that was overtaken in the middle
            and still writes does no more than the turn that overtook it.
    """

    kind: str
    every_s: float
    turn: Callable[[], Awaitable[object]]

    async def segment(self, subject: str, epoch: int) -> None:
        """What the engine calls."""
        del subject, epoch
        await self.turn()


def jobs_of(ledger: Ledger, retention_days: int) -> tuple[Job, ...]:
    """All the maintenance of a home.

    An approval that is late to lapse allows nothing meanwhile: whoever acts looks at its time.
    """
    return (
        Job("lapsing", MINUTE_S, partial(lapse_overdue, ledger)),
        Job("libraries", LIBRARIES_S, partial(keep_libraries, ledger)),
        Job("retention", DAY_S, partial(forget_old, ledger, retention_days)),
    )


async def schedule(ledger: Ledger, jobs: Iterable[Job]) -> None:
    """Let each job begin, at once where it never did; call it before the engine is launched.

    Also in a process that only connects: the owner may ask there for a job to be tried again. A
    job whose pause is another one than before keeps the pause that it is in, and goes by the new
    one from its next turn on.

    Raises:
        LedgerUnavailableError: the ledger could not be written.
    """
    jobs = tuple(jobs)
    for job in jobs:
        ledger.engine.handle(job.kind, LANE, job.segment, every_s=job.every_s)

    def write(tx: Transaction) -> None:
        for job in jobs:
            ledger.engine.schedule(tx, job.kind, HOME)

    await ledger.write(write)
