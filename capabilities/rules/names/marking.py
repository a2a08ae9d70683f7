"""The first pass: every run of tokens that some table, pattern or counter knows."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.counters import counter_at
from capabilities.rules.names.dating import date_at
from capabilities.rules.names.eastern_languages import tongues_at
from capabilities.rules.names.languages import codes_at
from capabilities.rules.names.numbering import number_at
from capabilities.rules.names.patterns import pattern_at
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables import (
    editions,
    languages,
    networks,
    others,
    pictures,
    sounds,
    sources,
)
from capabilities.rules.names.tables.rows import Entry, Strength, indexed
from capabilities.rules.names.tokens import Token, is_tight

_TABLE: Final = indexed(
    (
        *sources.ROWS,
        *pictures.ROWS,
        *sounds.ROWS,
        *editions.ROWS,
        *languages.ROWS,
        *networks.ROWS,
        *others.ROWS,
    )
)


def mark(tokens: Sequence[Token]) -> list[Span]:
    """Spans in order, none overlapping; the longest spelling wins where it begins."""
    spans: list[Span] = []
    at = 0
    while at < len(tokens):
        span = _at(tokens, at)
        if span is None:
            at += 1
        else:
            spans.append(span)
            at = span.end
    return spans


def _at(tokens: Sequence[Token], at: int) -> Span | None:
    return (
        date_at(tokens, at)
        or counter_at(tokens, at)
        or number_at(tokens, at)
        or codes_at(tokens, at)
        or tongues_at(tokens, at)
        or _listed(tokens, at)
        or pattern_at(tokens, at)
    )


def _listed(tokens: Sequence[Token], at: int) -> Span | None:
    token = tokens[at]
    for entry in _TABLE.get(token.low, ()):
        if _follows(tokens, at + 1, entry):
            if entry.strength is Strength.FAINT and not token.text.isupper():
                continue
            return Span(at, at + 1 + len(entry.rest), entry.facts, entry.strength)
    return None


def _follows(tokens: Sequence[Token], at: int, entry: Entry) -> bool:
    if at + len(entry.rest) > len(tokens):
        return False
    return all(
        tokens[at + step].low == word and is_tight(tokens[at + step].gap)
        for step, word in enumerate(entry.rest)
    )
