"""A name cut into words, each with what stood before it and the brackets it stands in."""

import re
from dataclasses import dataclass
from typing import Final

from capabilities.rules.names import signs

_SEPARATORS: Final = r"\s._/\\" + re.escape(
    signs.DASHES + signs.TILDES + signs.BARS + signs.COMMAS + signs.ORNAMENTS + signs.BRACKETS
)
_EAST_ASIAN: Final = r"々〇぀-ヿ㐀-䶿一-鿿豈-﫿가-힯"
_WORD: Final = re.compile(
    rf"第[零一二三四五六七八九十百]*|[{_EAST_ASIAN}]+?(?=第|[^{_EAST_ASIAN}]|\Z)"
    rf"|(?:[^{_SEPARATORS}+{_EAST_ASIAN}]|\+(?![^\W\d_]))+"
)
_BRACKET: Final = re.compile(rf"[{re.escape(signs.BRACKETS)}]")
_EDGES: Final = "!?:;#*" + signs.QUOTES
_WIDE: Final = frozenset(signs.BRACKETS + signs.BARS + signs.COMMAS + "/\\=~")
_PLAIN: Final = frozenset(". -_")
"""The separators of almost all words, which hold no bracket."""
_LAST_ALPHABETIC: Final = 0x3000


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a name.

    Attributes:
        low: the word in lower case, without quotes and marks at its edges; what tables know.
        start: where it begins in the text, in characters.
        end: where it ends.
        gap: the text between the word before and this one; empty when only the script changes.
        bracket: number of the outermost bracket pair it stands in, counted from 1; 0 is none.
    """

    text: str
    low: str
    start: int
    end: int
    gap: str
    bracket: int


def tokenise(text: str) -> tuple[Token, ...]:
    """All words of the text in order; one pass, linear in its length."""
    tokens: list[Token] = []
    depth = opened = last = 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        gap = text[last:start]
        if gap and gap not in _PLAIN:
            depth, opened = _brackets(gap, depth, opened)
        word = match.group()
        low = word.lower().strip(_EDGES) or word
        tokens.append(Token(word, low, start, end, gap, opened if depth else 0))
        last = end
    return tuple(tokens)


def words(text: str) -> tuple[str, ...]:
    """The words of the text as tables compare them."""
    return tuple(token.low for token in tokenise(text))


def _brackets(gap: str, depth: int, opened: int) -> tuple[int, int]:
    for sign in _BRACKET.findall(gap):
        if sign in signs.OPENING:
            opened += depth == 0
            depth += 1
        elif depth:
            depth -= 1
    return depth, opened


def is_tight(gap: str) -> bool:
    """Whether two words with this between them may form one spelling."""
    return len(gap) <= 1 and gap not in _WIDE


def parts_fields(gap: str) -> bool:
    """Whether a dash with blanks of some kind around it parts two fields: `` - ``, ``_-_``."""
    return len(gap) >= len(" - ") and gap.strip(" ._") == "-"


def is_east_asian(word: str) -> bool:
    """Whether the word is written in Chinese, Japanese or Korean script."""
    return bool(word) and ord(word[0]) > _LAST_ALPHABETIC and bool(_WORD.match(word))
