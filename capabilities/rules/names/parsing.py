"""Release names into facts: tokens, marks, zones, numbers, group, titles, in this order."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.absolutes import absolute_span
from capabilities.rules.names.facts import collect
from capabilities.rules.names.groups import group_range
from capabilities.rules.names.languages import settle_languages
from capabilities.rules.names.layout import Layout, lay_out
from capabilities.rules.names.marking import mark
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import OTHER_SUFFIXES
from capabilities.rules.names.titles import titles_of
from capabilities.rules.names.tokens import Token, tokenise
from capabilities.rules.names.vocabulary import Container

LONGEST_NAME: Final = 1000
"""Characters that are read; what lies behind them is not a name any more."""
_CONTAINERS: Final = {container.value: container for container in Container}
_LONGEST_SUFFIX: Final = 5


def parse(text: str) -> ReleaseName:
    """Read one release or file name (no path); any text gives an answer, in bounded time."""
    text = text[:LONGEST_NAME]
    body, container = split_container(text)
    tokens = tokenise(body)
    if not tokens:
        return ReleaseName(text, container=container)
    layout = _with_absolute(tokens, lay_out(tokens, mark(tokens)))
    group = group_range(tokens, layout)
    spans = settle_languages(
        tokens, [one for one in layout.spans if one.start not in group or one.end > group.stop]
    )
    return collect(
        text=text,
        tokens=tokens,
        spans=spans,
        titles=titles_of(body, tokens, _without_group(layout, group)),
        group=_text_of(body, tokens, group),
        container=container,
    )


def split_container(text: str) -> tuple[str, Container | None]:
    """The name without a file suffix, and the container where it is a video's."""
    stem, dot, suffix = text.rpartition(".")
    if not dot or len(suffix) > _LONGEST_SUFFIX or not stem:
        return text, None
    container = _CONTAINERS.get(suffix.lower())
    if container or suffix.lower() in OTHER_SUFFIXES:
        return stem, container
    return text, None


def _with_absolute(tokens: Sequence[Token], layout: Layout) -> Layout:
    number = absolute_span(tokens, layout)
    if number is None:
        return layout
    spans = [one for one in layout.spans if one.end <= number.start or one.start >= number.end]
    ordered: list[Span] = sorted([*spans, number], key=lambda one: one.start)
    title = range(layout.title.start, min(layout.title.stop, number.start))
    return Layout(layout.lead, title, tuple(ordered), layout.tail)


def _without_group(layout: Layout, group: range) -> Layout:
    if not group or group.start not in layout.title:
        return layout
    title = range(layout.title.start, group.start)
    return Layout(layout.lead, title, layout.spans, layout.tail)


def _text_of(body: str, tokens: Sequence[Token], group: range) -> str | None:
    if not group:
        return None
    return body[tokens[group.start].start : tokens[group.stop - 1].end]
