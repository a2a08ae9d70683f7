"""What the ledger raises."""


class LedgerUnavailableError(Exception):
    """The database could not be read or written (full, locked, gone): nothing was recorded.

    No effect may follow, since it could not be written down.
    """


class StaleWriterError(Exception):
    """A fenced write matched nothing: another epoch or token owns the row now."""
