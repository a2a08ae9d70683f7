"""What the ledger raises."""


class LedgerUnavailableError(Exception):
    """The database could not be read or written (full, locked, gone): nothing was recorded.

    No effect may follow, since it could not be written down. Only of a `LedgerUnclearError` it is
    not known whether it was recorded.

    Attributes:
        cure: what the owner can do about it, as a sentence; empty where nothing but waiting helps.
    """

    def __init__(self, sentence: str, cure: str = "") -> None:
        """Say what happened, without addresses and without the words of a driver."""
        super().__init__(sentence)
        self.cure = cure


class LedgerUnclearError(LedgerUnavailableError):
    """The connection was cut in the middle of a commit: it is not known whether it stands."""


class StaleWriterError(Exception):
    """A fenced write matched nothing: another epoch or token owns the row now."""
