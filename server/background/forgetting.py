"""Letting go of engine rows by age."""

from datetime import timedelta

from ledger.ledger import Ledger


async def forget_engine_rows(ledger: Ledger, days: float) -> int:
    """Delete engine rows that have been over for so many days; returns how many.

    0 days keeps them for good. A run or task keeps its segment for as long as its own row lasts.

    Raises:
        LedgerUnavailableError: the database could not be read or written; what is left is
            deleted the next time.
    """
    if days <= 0:
        return 0
    return await ledger.engine.forget(ledger.now() - timedelta(days=days))
