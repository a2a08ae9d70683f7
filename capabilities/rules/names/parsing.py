"""Release names into facts: tokens, marks, zones, numbers, group, titles, in this order."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from capabilities.rules.names.bare_numbers import with_bare_numbers
from capabilities.rules.names.cleaning import cleaned
from capabilities.rules.names.collecting import Words, collect
from capabilities.rules.names.disguises import righted
from capabilities.rules.names.episode_titles import episode_title_range
from capabilities.rules.names.groups import group_range
from capabilities.rules.names.languages import settle_languages
from capabilities.rules.names.layout import Layout, lay_out
from capabilities.rules.names.marking import mark
from capabilities.rules.names.parts import part_at
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.spans import Span
from capabilities.rules.names.suffixes import (
    container_of,
    split_suffix,
    without_tags,
    written_language,
)
from capabilities.rules.names.titles import titles_of, written
from capabilities.rules.names.tokens import Token, tokenise
from capabilities.rules.names.websites import website_range
from capabilities.rules.works import WorkKind

LONGEST_NAME: Final = 1000
"""Characters that are read; what lies behind them is not a name any more."""


def parse(text: str, *, expects: WorkKind | None = None) -> ReleaseName:
    """Read one release or file name (no path); any text gives an answer, in bounded time.

    Args:
        text: the name; what lies behind `LONGEST_NAME` characters is not read.
        expects: what the name is known to be, where that is known; it decides what the name
            leaves open, such as whether ``Title.103`` counts an episode.
    """
    text = text[:LONGEST_NAME]
    stem, suffix = split_suffix(cleaned(text))
    container, language = container_of(suffix), written_language(stem, suffix)
    words = _passed(text, stem, suffix, expects)
    if words is None:
        return ReleaseName(text, container=container)
    name = collect(words, container)
    return _as_subtitle(name, language) if language else name


def passed(text: str, *, expects: WorkKind | None = None) -> Words | None:
    """The name after all passes, with every run of words that says something, for showing it.

    Takes what `parse` takes; None for a name without any words.
    """
    text = text[:LONGEST_NAME]
    return _passed(text, *split_suffix(cleaned(text)), expects)


def _passed(text: str, stem: str, suffix: str, expects: WorkKind | None) -> Words | None:
    body = righted(without_tags(stem, suffix))
    tokens = tokenise(body)
    if not tokens:
        return None
    return _words(
        text, body, tokens, with_bare_numbers(tokens, lay_out(tokens, mark(tokens)), expects)
    )


def _words(text: str, body: str, tokens: Sequence[Token], layout: Layout) -> Words:
    group, site = group_range(tokens, layout), website_range(tokens)
    spans = [one for one in layout.spans if not (_inside(one, group) or _inside(one, site))]
    part = part_at(tokens[layout.title.start :])
    episode = _text_of(body, tokens, episode_title_range(tokens, layout, group)) or ""
    closing = ")" * (episode.count("(") - episode.count(")"))
    return Words(
        text=text,
        body=body,
        tokens=tokens,
        spans=settle_languages(tokens, spans),
        titles=titles_of(body, tokens, _without_group(layout, group)),
        episode_title=(written(episode + closing) or None) if episode else None,
        group=_text_of(body, tokens, group),
        website=_text_of(body, tokens, site),
        part=part[0] if part else None,
    )


def _inside(one: Span, words: range) -> bool:
    return words.start <= one.start and one.end <= words.stop


def _as_subtitle(name: ReleaseName, tag: str) -> ReleaseName:
    """The name of a subtitle file, which has the language before its suffix and is not spoken."""
    rest = (one for one in name.subtitle_languages if one != tag)
    return replace(name, languages=(), subtitle_languages=(tag, *rest))


def _without_group(layout: Layout, group: range) -> Layout:
    if not group or group.start not in layout.title:
        return layout
    title = range(layout.title.start, group.start)
    if group.start == layout.title.start:
        title = range(group.stop, layout.title.stop)
    return replace(layout, title=title)


def _text_of(body: str, tokens: Sequence[Token], words: range) -> str | None:
    if not words:
        return None
    return body[tokens[words.start].start : tokens[words.stop - 1].end]
