"""Recognition words, offsets and series as lines of text, which policy documents hold them in."""

import re
from collections.abc import Callable, Iterable
from typing import Annotated, Final, TypeGuard, TypeVar, cast

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, WithJsonSchema

from capabilities.rules.episode_offsets import EpisodeOffset, offsets_from
from capabilities.rules.problems import Problem, UnsatisfiableError, WrongLinesError
from capabilities.rules.recognition.lines import words_from, written
from capabilities.rules.recognition.words import Word

_Line = TypeVar("_Line")
MOST_SERIES: Final = 500
_SERIES: Final = re.compile(r"\w{2,20}:series:\w{1,18}", re.ASCII)
_LINES: Final = WithJsonSchema({"type": "array", "items": {"type": "string"}})


def _words(given: object) -> object:
    return _read(given, "words", words_from) if _is_lines(given) else given


def _offsets(given: object) -> object:
    return _read(given, "offsets", offsets_from) if _is_lines(given) else given


def _read(
    lines: Iterable[str], field: str, read: Callable[[Iterable[str]], tuple[_Line, ...]]
) -> tuple[_Line, ...]:
    """What the lines say, or one problem for each wrong one."""
    try:
        return read(lines)
    except WrongLinesError as wrong:
        cure = "correct it, or leave it out"
        problems = (Problem(field, sentence, cure) for sentence in wrong.sentences)
        raise UnsatisfiableError(problems) from wrong


def _is_lines(given: object) -> TypeGuard[Iterable[str]]:
    if not isinstance(given, list | tuple):
        return False
    return all(isinstance(one, str) for one in cast("Iterable[object]", given))


def _word_lines(words: Iterable[Word]) -> list[str]:
    return [written(word) for word in words]


def _offset_lines(offsets: Iterable[EpisodeOffset]) -> list[str]:
    return [str(offset) for offset in offsets]


def _series(keys: tuple[str, ...]) -> tuple[str, ...]:
    wrong = next((key for key in keys if not _SERIES.fullmatch(key)), None)
    if wrong is not None:
        raise ValueError(f'"{wrong[:60]}" is no series; write tmdb:series:37854')
    if len(keys) > MOST_SERIES:
        raise ValueError(f"there are more than {MOST_SERIES} series")
    return keys


WrittenWords = Annotated[
    tuple[Word, ...], BeforeValidator(_words), PlainSerializer(_word_lines), _LINES
]
WrittenOffsets = Annotated[
    tuple[EpisodeOffset, ...], BeforeValidator(_offsets), PlainSerializer(_offset_lines), _LINES
]
WrittenSeries = Annotated[tuple[str, ...], AfterValidator(_series)]
