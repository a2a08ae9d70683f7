"""Recognition words as lines of text: our own form, and the four that MoviePilot's users know.

Ours begins with the kind::

    block: Some Words
    replace: A => B
    replace: A => B && front <> back >> EP+12
    offset: front <> back >> EP-1
    force: A => tmdb:series:83097 season 1 episode 3

Theirs (https://wiki.movie-pilot.org, recognition words) have no kind in front, and what they look
for is always an expression; ``{[tmdbid=83097;type=tv;s=1;e=3]}`` in a replacement forces a work.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from capabilities.rules.problems import WrongLinesError
from capabilities.rules.recognition.finding import Find, find_from
from capabilities.rules.recognition.sums import EpisodeSum
from capabilities.rules.recognition.words import (
    MOST_WORDS,
    Block,
    Force,
    Forced,
    Offset,
    Replace,
    Word,
)
from capabilities.rules.works import WorkKey, WorkKind

LONGEST_LINE: Final = 800
COMMENT: Final = "#"
_KIND: Final = re.compile(r"(block|replace|offset|force)\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_ARROW: Final = re.compile(r"\s+=>(?:\s+|\Z)")
_THEN: Final = re.compile(r"\s+&&\s+")
_BETWEEN: Final = re.compile(r"(.*?)\s+<>\s+(.*?)\s+>>\s+(.*)", re.DOTALL)
_TAG: Final = re.compile(r"\{\[([^\]]*)\]\}")
_FORCED: Final = re.compile(
    r"(\w{2,20}):(film|series):(\w{1,18})(?:\s+season\s+(\d{1,3}))?(?:\s+episode\s+(\d{1,4}))?"
)
_THEIR_SOURCES: Final = {"tmdbid": "tmdb", "tvdbid": "tvdb", "doubanid": "douban"}
_MOST_DIGITS: Final = 4
_THEIR_KINDS: Final = {"movie": WorkKind.FILM, "tv": WorkKind.SERIES}


def word_from(line: str) -> Word:
    """The word of a line in our form.

    Raises:
        ValueError: a sentence that says what is wrong, and what a right line looks like.
    """
    kind, rest = _parted(line)
    match kind:
        case "block":
            return Block(find_from(rest))
        case "replace":
            return _replace(rest)
        case "offset":
            return _offset(rest, find_from)
        case "force":
            return _force(rest)
        case _:
            raise ValueError(
                f'"{line[:60]}" does not say what it does; begin it with block:, replace:, offset: '
                "or force:"
            )


def words_from(lines: Iterable[str]) -> tuple[Word, ...]:
    """The words of all lines, in ours or in MoviePilot's form; a ``#`` begins a remark.

    Raises:
        WrongLinesError: names every wrong line by its number, from 1.
        ValueError: they are too many.
    """
    found: list[Word] = []
    bad: dict[int, str] = {}
    for number, line in enumerate(lines, start=1):
        try:
            found.extend(_words(line.strip()))
        except ValueError as wrong:
            bad[number] = str(wrong)
    if bad:
        raise WrongLinesError(bad)
    if len(found) > MOST_WORDS:
        raise ValueError(f"there are more than {MOST_WORDS} words")
    return tuple(found)


def written(word: Word) -> str:
    """The one line of a word, in our form."""
    match word:
        case Block(find):
            return f"block: {find}"
        case Replace(find, by, then):
            return f"replace: {find} => {by}".rstrip() + (f" && {_span(then)}" if then else "")
        case Offset():
            return f"offset: {_span(word)}"
        case Force(find, forced):
            return f"force: {find} => {forced}"


def _words(line: str) -> Iterator[Word]:
    if not line or line.startswith(COMMENT):
        return
    if len(line) > LONGEST_LINE:
        raise ValueError(f"it is longer than {LONGEST_LINE} characters")
    if _KIND.match(line):
        yield word_from(line)
    else:
        yield from _theirs(line)


def _parted(line: str) -> tuple[str, str]:
    found = _KIND.fullmatch(line.strip())
    return (found[1].lower(), found[2]) if found else ("", line)


def _replace(rest: str) -> Replace:
    head, *tail = _THEN.split(rest, maxsplit=1)
    find, by = _sides(head, "replace: A => B")
    return Replace(find_from(find), by, _offset(tail[0], find_from) if tail else None)


def _force(rest: str) -> Force:
    example = "force: A => tmdb:series:83097 season 1"
    find, said = _sides(rest, example)
    forced = _FORCED.fullmatch(said.strip())
    if not forced:
        raise ValueError(f'"{said[:60]}" names no work; write {example}')
    source, kind, number, season, episode = forced.groups()
    key = WorkKey(source, WorkKind(kind), number)
    return Force(find_from(find), Forced(key, _number(season), _number(episode)))


def _offset(rest: str, find: Callable[[str], Find]) -> Offset:
    found = _BETWEEN.fullmatch(rest.strip())
    if not found:
        raise ValueError(f'"{rest[:60]}" is no offset; write front <> back >> EP+12')
    return Offset(find(found[1]), find(found[2]), EpisodeSum(found[3].strip()))


def _theirs(line: str) -> Iterator[Word]:
    """A line without a kind in front: block, replace, offset, or replace with an offset."""
    head, *tail = _THEN.split(line, maxsplit=1)
    if not _ARROW.search(head):
        yield _offset(line, _expression) if _BETWEEN.fullmatch(line) else Block(_expression(line))
        return
    text, by = _sides(head, "A => B")
    find = _expression(text)
    if tag := _TAG.search(by):
        yield Force(find, _their_forced(tag[1]))
    put = _TAG.sub("", by).strip()
    if put or not tag:
        yield Replace(find, put, _offset(tail[0], _expression) if tail else None)
    elif tail:
        yield _offset(tail[0], _expression)


def _expression(text: str) -> Find:
    return Find(text.strip(), is_expression=True)


def _their_forced(tag: str) -> Forced:
    said = dict(part.split("=", 1) for part in tag.split(";") if "=" in part)
    said = {name.strip().lower(): value.strip() for name, value in said.items()}
    source = next((name for name in _THEIR_SOURCES if name in said), None)
    kind = _THEIR_KINDS.get(said.get("type", ""))
    if source is None or kind is None or not said[source].isalnum():
        raise ValueError(f'"{tag[:60]}" names no work; write {{[tmdbid=83097;type=tv]}}')
    if said.get("g"):
        raise ValueError(
            "an episode group (g=) is not taken; say where episodes are with an offset"
        )
    for name in ("s", "e"):
        if name in said and not (said[name].isdecimal() and len(said[name]) <= _MOST_DIGITS):
            raise ValueError(f'"{name}={said[name][:20]}" is no number')
    key = WorkKey(_THEIR_SOURCES[source], kind, said[source])
    return Forced(key, _number(said.get("s")), _number(said.get("e")))


def _sides(text: str, example: str) -> tuple[str, str]:
    parts = _ARROW.split(text, maxsplit=1)
    if len(parts) == 1:
        raise ValueError(f'"{text[:60]}" has no arrow; write {example}')
    return parts[0], parts[1]


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _span(word: Offset) -> str:
    return f"{word.front} <> {word.back} >> {word.sum.text}"
