"""Which identities an owner has taken without asking, and how names are read for them."""

from dataclasses import dataclass

from capabilities.rules.evidence import Grade
from capabilities.rules.identity_lines import WrittenOffsets, WrittenSeries, WrittenWords
from capabilities.rules.problems import refuse
from capabilities.rules.satisfiable import (
    grade_problems,
)


@dataclass(frozen=True, slots=True)
class IdentityPolicy:
    """Which grades of identity are taken without asking, and how the owner has names read.

    Attributes:
        accepted: A, B and C, or some of them; the others name no single work.
        words: recognition words, applied to every name in this order.
        offsets: where numbers that names count otherwise stand in a series' seasons.
        counted_through: series, by key, whose absolute numbers count through the seasons as listed.

    Raises:
        UnsatisfiableError: it accepts a grade at which there is nothing to accept.
    """

    accepted: tuple[Grade, ...] = (Grade.A, Grade.B)
    words: WrittenWords = ()
    offsets: WrittenOffsets = ()
    counted_through: WrittenSeries = ()

    def __post_init__(self) -> None:
        """Refuse grades that would be asked about all the same."""
        refuse(grade_problems(self.accepted))
