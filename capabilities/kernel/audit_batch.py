"""Audit rows of reads, gathered for at most a second and written together."""

import anyio

from capabilities.kernel.calls import Call
from capabilities.kernel.spec import Spec
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import audit

AT_MOST_S = 1.0
MOST_KEPT = 10_000


class AuditBatch:
    """Reads cost no commit of their own; their rows follow within a second.

    While the ledger cannot be written, at most `MOST_KEPT` rows are kept in memory. Those beyond
    are counted, and one row says afterwards how many are missing.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Start empty."""
        self._ledger = ledger
        self._rows: list[audit.Entry] = []
        self._lost = 0
        self._bell = anyio.Event()

    def note(self, call: Call, spec: Spec, outcome: str) -> None:
        """Remember a call that had no effect."""
        entry = audit.Entry(
            self._ledger.now(), str(call.actor), "invoked", spec.id, outcome, run=call.run
        )
        if len(self._rows) < MOST_KEPT:
            self._rows.append(entry)
        else:
            self._lost += 1
        self._bell.set()

    async def keep(self) -> None:
        """Write what gathers, until cancelled; what is left then is written by `flush`."""
        while True:
            await self._bell.wait()
            await anyio.sleep(AT_MOST_S)
            try:
                await self.flush()
            except LedgerUnavailableError:
                continue

    async def flush(self) -> None:
        """Write all rows now.

        Raises:
            LedgerUnavailableError: they could not be written, and are kept for the next time.
        """
        rows, self._rows = self._rows, []
        lost, self._lost = self._lost, 0
        if not rows:
            return
        self._bell = anyio.Event()
        missing = [self._missing(lost)] if lost else []
        try:
            await self._ledger.write(lambda tx: audit.write(tx, *rows, *missing))
        except LedgerUnavailableError:
            self._lost += lost
            self._keep([*rows, *self._rows])
            self._bell.set()
            raise

    def _keep(self, rows: list[audit.Entry]) -> None:
        self._rows = rows[:MOST_KEPT]
        self._lost += len(rows) - len(self._rows)

    def _missing(self, lost: int) -> audit.Entry:
        summary = {"lost": lost, "why": "the ledger could not be written for too long"}
        return audit.Entry(self._ledger.now(), "system:audit", "rows lost", summary=summary)
