"""Letting a download go on that we stopped for what is in it."""

from typing import Any, Final

from capabilities.kernel.owing import TRACK, owe
from capabilities.rules.holding import HELD
from capabilities.rules.under_way import ACTIVE
from ledger.ledger import Ledger
from ledger.stores import blocklist, downloads, tasks
from ledger.stores.expected import take_back
from ledger.writer import Transaction

ACCEPTED: Final = "accepted"
BLOCK: Final = "block"
"""Names among the facts of a download: by whom it was let go on, and the block it had."""
_STANDS_STILL = "paused_by_us"


def let_go_on(tx: Transaction, ledger: Ledger, download: str, *, by: str) -> None:
    """Take back what stopping it came to; who follows it lets it run then.

    Slots that nothing has taken its place in are its own again. Durable with the caller's
    transaction.
    """
    row = downloads.by_id(tx.conn, download)
    if row is None:
        return
    at = ledger.now()
    facts: dict[str, Any] = {
        key: held for key, held in row.facts.items() if key not in {HELD, BLOCK}
    }
    facts[ACCEPTED] = by
    downloads.change(tx, row.id, state=_STANDS_STILL, facts=facts, last_error=None, updated_at=at)
    if BLOCK in row.facts:
        blocklist.remove(tx, str(row.facts[BLOCK]), at, by=by)
    take_back(tx, row, ACTIVE)
    owe(tx, ledger, TRACK, row.id)
    for task in tasks.of_subject(tx.conn, row.id):
        ledger.engine.wake(tx, "task", task.id)
