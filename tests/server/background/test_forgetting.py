from datetime import timedelta
from pathlib import Path

import pytest

from ledger.ledger import Ledger, opened
from ledger.stores import workers
from ledger.writer import Transaction
from server.background.forgetting import forget_engine_rows


async def ended(ledger: Ledger, days_ago: float) -> None:
    """A worker that ended so long ago."""
    at = ledger.now() - timedelta(days=days_ago)

    def write(tx: Transaction) -> None:
        workers.register(tx, f"ended {days_ago}", role="all", host="here", at=at)
        workers.end(tx, f"ended {days_ago}", at)

    await ledger.write(write)


@pytest.mark.anyio
async def test_what_is_over_for_so_many_days_goes_and_zero_days_keep_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        await ledger.engine.connect()
        await ended(ledger, 3)
        await ended(ledger, 1)
        assert await forget_engine_rows(ledger, 0) == 0
        assert await forget_engine_rows(ledger, 2) == 1
        assert await forget_engine_rows(ledger, 2) == 0
        assert await ledger.read(lambda conn: workers.by_id(conn, "ended 1")) is not None
