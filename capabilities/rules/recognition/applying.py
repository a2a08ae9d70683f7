"""Recognition words at work on a name, in their order, each with what it did."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from capabilities.rules.names.cleaning import cleaned
from capabilities.rules.names.parsing import LONGEST_NAME
from capabilities.rules.recognition.finding import Find
from capabilities.rules.recognition.lines import written
from capabilities.rules.recognition.words import Block, Force, Forced, Offset, Replace, Word
from capabilities.rules.wording import quoted

MOST_PLACES: Final = 20
"""Of one name that one word changes."""
MOST_SLOW: Final = 5
"""Words that are given up on one name before the expressions of the rest are not tried."""
SLOW: Final = "takes too long on this name and was left out"
_EPISODE: Final = re.compile(
    r"((?:(?<![^\W_])|(?<=\d)(?=E))(?:S\d{1,3}[ ._]?)?(?:EP?|第|#)?[ ._]?)(\d{1,4})"
    r"(?!\.\d(?!\d))(?=(?:v\d)?(?![^\W_])|EP?\d|[集話话期])",
    re.IGNORECASE,
)
"""A number that stands alone between the anchors, or behind an episode's sign."""


@dataclass(frozen=True, slots=True)
class WordHit:
    """What one word did to a name.

    Attributes:
        word: in its written form.
        did: for a person.
    """

    word: str
    did: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Reworded:
    """A name after the owner's words.

    Attributes:
        text: what is read; the name as it was where no word changed it.
        forced: which work it is by the owner's word.
        forced_by: that word, in its written form.
        hits: the words that did something, or were given up, in order.
    """

    text: str
    forced: Forced | None = None
    forced_by: str = ""
    hits: tuple[WordHit, ...] = ()


def reworded(text: str, words: Sequence[Word]) -> Reworded:
    """Apply the words to a name, each to what the one before left; in bounded time."""
    done = Reworded(cleaned(text[:LONGEST_NAME]))
    slow = 0
    for word in words:
        if slow >= MOST_SLOW and _has_expression(word):
            continue
        try:
            applied = _applied(word, done.text)
        except TimeoutError:
            slow += 1
            done = _with_hit(done, word, done.text, SLOW)
            continue
        if applied is None:
            continue
        forces = isinstance(word, Force)
        done = _forced(done, word) if forces else _with_hit(done, word, *applied)
    return done if done.hits else Reworded(text)


def reworded_path(path: str, words: Sequence[Word]) -> Reworded:
    """The same for each part of a path by itself; the word on the file's own name counts first."""
    parts = [reworded(part, words) for part in path.split("/")]
    own = next((part for part in reversed(parts) if part.forced), parts[-1])
    hits = tuple(hit for part in parts for hit in part.hits)
    return Reworded("/".join(part.text for part in parts), own.forced, own.forced_by, hits)


def _with_hit(done: Reworded, word: Word, after: str, did: str) -> Reworded:
    hit = WordHit(written(word), did, done.text, after)
    return replace(done, text=after, hits=(*done.hits, hit))


def _forced(done: Reworded, word: Force) -> Reworded:
    wanted, before = word.forced, done.forced
    if before is not None and before != wanted:
        did = f"says {wanted}, and a word before it says {before}, which counts"
        return _with_hit(done, word, done.text, did)
    forced = replace(done, forced=wanted, forced_by=done.forced_by or written(word))
    return _with_hit(forced, word, done.text, f"says that it is {wanted}")


def _applied(word: Word, text: str) -> tuple[str, str] | None:
    """The text afterwards and what was done; None where the word does not hit."""
    match word:
        case Block(find):
            return _replaced(find, "", text)
        case Replace(find, by, then):
            return _replaced_and_counted(find, by, then, text)
        case Offset():
            return _counted(word, text)
        case Force(find):
            return (text, "") if find.first(text) else None


def _replaced(find: Find, by: str, text: str) -> tuple[str, str] | None:
    pieces: list[str] = []
    taken: list[str] = []
    at = 0
    while len(taken) < MOST_PLACES and (found := find.first(text, at)):
        put = found.expand(by) if find.is_expression else by
        pieces += [text[at : found.start()], put]
        was = quoted(text[found.start() : found.end()])
        taken.append(f"{was} by {quoted(put)}" if put else was)
        at = found.end()
    if not taken:
        return None
    done = " ".join("".join([*pieces, text[at:]])[:LONGEST_NAME].split())
    said = ", ".join(dict.fromkeys(taken))
    return done, f"replaced {said}" if by else f"took out {said}"


def _replaced_and_counted(
    find: Find, by: str, then: Offset | None, text: str
) -> tuple[str, str] | None:
    replaced = _replaced(find, by, text)
    if replaced is None or then is None:
        return replaced
    counted = _counted(then, replaced[0])
    if counted is None:
        return replaced[0], f"{replaced[1]}; its offset found no number"
    return counted[0], f"{replaced[1]}; {counted[1]}"


def _counted(word: Offset, text: str) -> tuple[str, str] | None:
    front = word.front.first(text, whole=False)
    back = front and word.back.first(text, front.end(), whole=False)
    if not front or not back:
        return None
    said: list[str] = []

    def count(found: re.Match[str]) -> str:
        made = word.sum.of(int(found[2]))
        if made is None:
            said.append(f"{found[2]} would become no number of an episode and stays")
            return found[0]
        new = str(made).zfill(len(found[2]))
        said.append(f"{found[2]} counts as {new}")
        return f"{found[1]}{new}"

    between = _EPISODE.sub(count, text[front.end() : back.start()])
    if not said:
        return None
    done = f"{text[: front.end()]}{between}{text[back.start() :]}"[:LONGEST_NAME]
    return done, ", ".join(said)


def _has_expression(word: Word) -> bool:
    match word:
        case Offset(front, back):
            return front.is_expression or back.is_expression
        case Replace(find, _, then):
            return find.is_expression or (then is not None and _has_expression(then))
        case Block(find) | Force(find):
            return find.is_expression
