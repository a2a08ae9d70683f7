"""Looking at libraries: one look at a time of each, whoever asked for it, on whatever process.

A look is a segment of the engine's recurring kind `SURVEY`: it goes on after a restart, and in
another process when this one dies. One that was asked for by a plan only sees; the inventory of an
adopted library follows from the next one, which comes soon.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import structlog

from capabilities.inventory.looks import AGAIN_S
from capabilities.inventory.overview import bring_up_to_date
from capabilities.inventory.surveying import Survey, survey
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.owing import SURVEY
from ledger.faults import StaleWriterError
from ledger.ledger import Ledger
from ledger.segments import owns
from ledger.stores import libraries, surveys
from ledger.stores.libraries import LibraryRow
from ledger.stores.surveys import SurveyRow
from ledger.transact import Lane
from ledger.writer import Transaction
from server.background.new_videos import ask_about_new

LANE: Lane = "background"
SOON_S = 5.0
"""After a look that only sees, until the one from which the inventory follows."""
AT_ONCE = 2
"""Looks of one process; whoever downloads and imports needs slots and disks as well."""
TURN_S = 5.0

log = structlog.get_logger()


@dataclass(slots=True)
class Surveyor:
    """Gives the looks at libraries that are asked for, or due."""

    ledger: Ledger
    soon_s: float = SOON_S
    at_once: int = AT_ONCE
    _at_work: set[str] = field(default_factory=set[str])

    def attend(self) -> None:
        """Tell the engine who looks, also in a process that only asks for looks."""
        self.ledger.engine.handle(SURVEY, LANE, self.segment, every_s=AGAIN_S)

    async def segment(self, subject: str, epoch: int) -> None:
        """Give one look, unless it is neither owed nor due, or enough others are under way."""
        row = await self.ledger.read(lambda conn: surveys.by_id(conn, subject))
        library = row and await self.ledger.read(lambda conn: libraries.by_path(conn, row.path))
        if row is None or (library is None and not row.is_owed):
            await self._write(subject, epoch, self._over)
        elif len(self._at_work) >= self.at_once:
            await self._write(subject, epoch, partial(self._again, after_s=TURN_S))
        else:
            self._at_work.add(subject)
            try:
                await self._look(row, library, epoch)
            finally:
                self._at_work.discard(subject)

    async def _look(self, row: SurveyRow, library: LibraryRow | None, epoch: int) -> None:
        begun = self.ledger.now()
        fault: str | None = None
        found = Survey()

        async def tell(seen: Survey) -> None:
            if row.is_owed:
                facts = _facts(seen)
                await self.ledger.write(lambda tx: surveys.tell(tx, row.id, facts, begun))

        await tell(found)
        settles = library is not None and not row.is_owed
        try:
            found = await survey(Path(row.path), self.ledger, tell, settles=settles)
        except WorldFaultError as refused:
            fault = refused.sentence
            log.warning("a library cannot be seen", library=row.path, why=fault)
        if library is not None and settles and fault is None:
            await ask_about_new(self.ledger, library, changed=found.is_changed)
            if found.is_changed:
                await bring_up_to_date(self.ledger)

        def end(tx: Transaction, _: str) -> None:
            if row.is_owed:
                surveys.answer(
                    tx,
                    row.id,
                    row.asked,
                    _facts(found),
                    fault=fault,
                    begun_at=begun,
                    ended_at=self.ledger.now(),
                )
            now = surveys.by_id(tx.conn, row.id) or row
            if now.is_owed or now.heard > row.heard:
                self._again(tx, row.id, after_s=0)
            elif library is not None and not settles and found.is_changed:
                self._again(tx, row.id, after_s=self.soon_s)

        await self._write(row.id, epoch, end)

    def _over(self, tx: Transaction, subject: str) -> None:
        self.ledger.engine.end(tx, SURVEY, subject)

    def _again(self, tx: Transaction, subject: str, *, after_s: float) -> None:
        self.ledger.engine.suspend(tx, SURVEY, subject, timeout_s=after_s)

    async def _write(
        self, subject: str, epoch: int, work: Callable[[Transaction, str], None]
    ) -> None:
        def fenced(tx: Transaction) -> None:
            if not owns(tx, SURVEY, subject, epoch):
                raise StaleWriterError(subject)
            work(tx, subject)

        await self.ledger.write(fenced)


def _facts(seen: Survey) -> dict[str, object]:
    return {
        "files": seen.files,
        "folders": seen.folders,
        "names": seen.names,
        "faults": dict(seen.faults),
    }
