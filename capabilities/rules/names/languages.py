"""Which named languages are spoken and which are only written under the picture."""

from collections.abc import Sequence

from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import SUBTITLE_WORDS
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field


def settle_languages(tokens: Sequence[Token], spans: Sequence[Span]) -> list[Span]:
    """Languages in a row right before "subs" become languages of subtitles."""
    settled = list(spans)
    for at, one in enumerate(settled):
        if tokens[one.end - 1].low in SUBTITLE_WORDS:
            _read(settled, at)
    return settled


def _read(spans: list[Span], at: int) -> None:
    end = spans[at].start
    for before in range(at - 1, -1, -1):
        one = spans[before]
        if one.end != end or not one.speaks_of(Field.LANGUAGE):
            break
        facts = tuple(Fact(Field.SUBTITLE, fact.value) for fact in one.facts)
        spans[before] = Span(one.start, one.end, facts, one.strength)
        end = one.start
