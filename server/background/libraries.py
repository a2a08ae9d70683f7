"""Keeping adopted libraries as they are: looked at again and again, and their streams read."""

from capabilities.inventory.looks import keep_seen
from capabilities.inventory.overview import bring_up_to_date
from capabilities.inventory.streams import read_streams
from ledger.ledger import Ledger
from ledger.stores import libraries
from ledger.writer import Transaction

READING_S = 200.0
"""Of one turn, for streams; the rest is for the next one."""


async def keep_libraries(ledger: Ledger) -> None:
    """See to it that every adopted library is looked at, and read streams that are still to be.

    Nothing is written about a library that did not change, or streams that were read.

    Raises:
        LedgerUnavailableError: what was found could not be written.
    """
    if adopted := await ledger.read(libraries.adopted):
        paths = [row.path for row in adopted]

        def write(tx: Transaction) -> None:
            for path in paths:
                keep_seen(tx, ledger, path)

        await ledger.write(write)
    await bring_up_to_date(ledger)
    clock = ledger.clock
    until = clock.monotonic() + READING_S
    await read_streams(ledger, is_late=lambda: clock.monotonic() >= until)
