"""Spoken and written languages that one Chinese word names by a sign for each: ``国粤双语``."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.languages import SIGNS, SPOKEN_SIGNS, WRITTEN_SIGNS
from capabilities.rules.names.tables.rows import Fact, Strength
from capabilities.rules.names.tokens import Token, is_east_asian
from capabilities.rules.names.vocabulary import Field

_SPOKEN: Final = SIGNS | SPOKEN_SIGNS
_WRITTEN: Final = SIGNS | WRITTEN_SIGNS
_HEARD: Final = "(?:[双雙三多]?(?:音[轨軌]|配音|配)|[双雙三]语|[双雙三]語|原声|原聲|对白|對白)"
_KEPT: Final = "(?:内嵌|內嵌|内封|內封|外挂|外掛)"
_READ: Final = f"(?:(?:特效|官方)?(?:[双雙三]?字幕?|[双雙三][语語])|{_KEPT})"
_WORD: Final = re.compile(
    rf"(?P<spoken>(?:[{''.join(_SPOKEN)}][语語])+{_HEARD}?|[{''.join(_SPOKEN)}]+{_HEARD})?"
    rf"(?:{_KEPT}?(?P<written>(?:[{''.join(_WRITTEN)}][体體文语語]?)+)(?P<read>{_READ}+))?"
)
_SCRIPTS: Final = re.compile(rf"[{''.join(WRITTEN_SIGNS)}][{''.join(_WRITTEN)}]+")
_ANY_CHINESE: Final = "zh"
_LONGEST: Final = 24
"""Signs; a longer word is a sentence."""


def tongues_at(tokens: Sequence[Token], at: int) -> Span | None:
    """The word that says what is spoken (国英双语), what is written (简日双语), or both (国语中字).

    Two tongues (双语) are spoken, unless the first one says how Chinese is written.
    """
    low = tokens[at].low
    if not len("国语") <= len(low) <= _LONGEST or not is_east_asian(low):
        return None
    if found := _WORD.fullmatch(low):
        spoken, written = found["spoken"] or "", found["written"] or ""
    elif _SCRIPTS.fullmatch(low):
        spoken, written = "", low
    else:
        return None
    facts = [
        *(Fact(Field.LANGUAGE, tag) for tag in _tags(spoken, _SPOKEN)),
        *(Fact(Field.SUBTITLE, tag) for tag in _tags(written, _WRITTEN)),
    ]
    return Span(at, at + 1, tuple(facts), Strength.WEAK)


def _tags(word: str, signs: Mapping[str, str]) -> list[str]:
    """The tag of each sign once; a script says more than "Chinese" does."""
    tags = dict.fromkeys(signs[sign] for sign in word if sign in signs)
    scripted = any(tag.startswith(f"{_ANY_CHINESE}-") for tag in tags)
    return [tag for tag in tags if not (scripted and tag == _ANY_CHINESE)]
