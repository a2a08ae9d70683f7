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
    """Reads cost no commit of their own; their rows follow within a second."""

    def __init__(self, ledger: Ledger) -> None:
        """Start empty."""
        self._ledger = ledger
        self._rows: list[audit.Entry] = []
        self._bell = anyio.Event()

    def note(self, call: Call, spec: Spec, outcome: str) -> None:
        """Remember a call that had no effect."""
        if len(self._rows) < MOST_KEPT:
            entry = audit.Entry(
                self._ledger.now(), str(call.actor), "invoked", spec.id, outcome, run=call.run
            )
            self._rows.append(entry)
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
        if not rows:
            return
        self._bell = anyio.Event()
        try:
            await self._ledger.write(lambda tx: audit.write(tx, *rows))
        except LedgerUnavailableError:
            self._rows = [*rows, *self._rows][:MOST_KEPT]
            self._bell.set()
            raise
