"""How long a download may give nothing before somebody is asked, or another one is tried."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from capabilities.rules.problems import Problem, refuse
from capabilities.rules.satisfiable_numbers import within

MOST_MINUTES: Final = 60 * 24 * 365


@dataclass(frozen=True, slots=True)
class Patience:
    """Minutes without anything coming, after which a download is stalled.

    Attributes:
        stalled_minutes: without a byte, where another release could be taken instead.
        last_candidate_minutes: without a byte, where there is no other; at least as long.
        metadata_minutes: from the magnet to its list of files.

    Raises:
        UnsatisfiableError: no time at all, or less for the only release than for one of many.
    """

    stalled_minutes: int = 6 * 60
    last_candidate_minutes: int = 24 * 60
    metadata_minutes: int = 60

    def __post_init__(self) -> None:
        """Refuse times in which nothing can come."""
        refuse(self._problems())

    def _problems(self) -> Iterator[Problem]:
        for field in ("stalled_minutes", "last_candidate_minutes", "metadata_minutes"):
            yield from within(f"patience.{field}", getattr(self, field), 1, MOST_MINUTES)
        if self.last_candidate_minutes < self.stalled_minutes:
            why = "the only release would be given up before one of many"
            cure = f"write {self.stalled_minutes} or more"
            yield Problem("patience.last_candidate_minutes", why, cure)
