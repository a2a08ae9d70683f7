"""What one look at a home found."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum


class Severity(IntEnum):
    """How bad, in rising order."""

    OK = 0
    NOTICE = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """As printed."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        id: never changes its meaning; scripts may build on it.
        sentence: what is, and what it means.
        fix: what the owner can do; empty where nothing need be done.
        repair: does the same, where that can break nothing.
    """

    id: str
    severity: Severity
    sentence: str
    fix: str = ""
    repair: Callable[[], object] | None = None

    @property
    def facts(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "id": self.id,
            "severity": self.severity.word,
            "sentence": self.sentence,
            "fix": self.fix,
            "can_fix": self.repair is not None,
        }


def ok(id_: str, sentence: str) -> Finding:
    """Nothing to do."""
    return Finding(id_, Severity.OK, sentence)
