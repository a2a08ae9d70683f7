"""What passes leave behind: runs of tokens and the facts they state."""

from collections.abc import Iterable
from dataclasses import dataclass

from capabilities.rules.names.tables.rows import Fact, Strength
from capabilities.rules.names.vocabulary import Field


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens ``start`` up to, not including, ``end`` and what they say."""

    start: int
    end: int
    facts: tuple[Fact, ...]
    strength: Strength = Strength.STRONG

    def speaks_of(self, *fields: Field) -> bool:
        """Whether one of the facts is about one of the fields."""
        for fact in self.facts:  # noqa: SIM110  # asked some forty times for every name
            if fact.field in fields:
                return True
        return False


def fact_span(start: int, end: int, field: Field, *values: str | int) -> Span:
    """A strong span with one fact per value."""
    return Span(start, end, tuple(Fact(field, str(value)) for value in values))


def covered_by(spans: Iterable[Span]) -> set[int]:
    """The numbers of all tokens that lie in a span."""
    return {at for one in spans for at in range(one.start, one.end)}
