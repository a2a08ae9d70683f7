"""What can go wrong between us and an outside system, in the four ways that matter to a ledger.

Adapters raise exactly these; `capabilities.kernel.translate` turns them into outcomes, once.
"""


class WorldFaultError(Exception):
    """An outside system did not do what was asked.

    Attributes:
        system: the words a person knows it by, e.g. ``the indexer "loopback"``.
        sentence: what happened, without addresses, credentials or paths of ours.
    """

    def __init__(self, system: str, sentence: str) -> None:
        """Name the system and say what happened."""
        super().__init__(f"{system}: {sentence}")
        self.system = system
        self.sentence = sentence


class UnreachableError(WorldFaultError):
    """Nothing was sent, or nothing could have been acted on: no effect, safe to try again."""


class ElsewhereError(UnreachableError):
    """It can be reached from another process of this house only; that one will look."""


class ThrottledError(WorldFaultError):
    """The system asked us to slow down; nothing was done."""

    def __init__(self, system: str, sentence: str, *, retry_after_s: float | None = None) -> None:
        """Keep the pause the system asked for, in seconds, where it named one."""
        super().__init__(system, sentence)
        self.retry_after_s = retry_after_s


class DeclinedError(WorldFaultError):
    """The system answered in full and said no: nothing was done."""


class LostAnswerError(WorldFaultError):
    """The request was sent and no complete, readable answer came: whether it acted is unknown."""
