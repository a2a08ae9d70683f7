"""Language and flags in the name of a subtitle file."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from capabilities.rules.names.tables.languages import CODES, SPELLINGS, SUBTITLES
from capabilities.rules.names.tables.rows import word_set
from capabilities.rules.names.tokens import words

_ISO_639_1: Final = word_set(
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy"
    " id is it ja ka kk km kn ko ku la lb lo lt lv mk ml mn mr ms mt my nb ne nl nn no pa pl ps"
    " pt ro ru si sk sl so sq sr sv sw ta te tg th tl tr uk ur uz vi yi zh zu"
)
_FLAGS: Final = {
    "forced": "forced",
    "foreign": "forced",
    "default": "default",
    "sdh": "sdh",
    "cc": "sdh",
    "hi": "sdh",
}
_FLAG_ORDER: Final = ("default", "forced", "sdh")
_REGIONAL: Final = re.compile(
    r"([a-z]{2})[-_](hans|hant|419|[a-z]{2})(?:(?<=han[st])[-_][a-z]{2})?"
)
_JOINT: Final = re.compile(r"[\s&+,]+")
"""Between two languages of one file, of which the first is told."""
_HAN: Final = {"简": "zh-Hans", "簡": "zh-Hans", "繁": "zh-Hant"}
_FANSUB: Final = {
    "sc": "zh-Hans",
    "gb": "zh-Hans",
    "jpsc": "zh-Hans",
    "tc": "zh-Hant",
    "big5": "zh-Hant",
    "jptc": "zh-Hant",
}
"""How groups in China write the two scripts."""
_SCRIPTS: Final = {"zh-cn": "zh-Hans", "zh-sg": "zh-Hans", "zh-tw": "zh-Hant", "zh-hk": "zh-Hant"}
_LATIN: Final = frozenset({"latin", "latino", "latam"})
"""Beside Spanish: that of America."""
_MOST_PIECES: Final = 4


@dataclass(frozen=True, slots=True)
class SubtitleTags:
    """A BCP 47 tag where the name says a language, and flags in the order servers read them."""

    language: str | None
    flags: tuple[str, ...] = ()

    @property
    def suffix(self) -> str:
        """What stands before the file's own suffix, e.g. ``.pt-BR.forced``."""
        return "".join(f".{one}" for one in (self.language, *self.flags) if one)


def subtitle_tags(stem: str, video_stem: str = "") -> SubtitleTags:
    """Read the tags of a subtitle.

    Args:
        stem: the subtitle's name without its suffix.
        video_stem: the name of its video; where the subtitle's begins with it, only the rest is
            read, so that no word of a title is taken for a language.
    """
    follows = bool(video_stem) and stem.casefold().startswith(video_stem.casefold())
    rest = stem[len(video_stem) :] if follows else stem
    pieces = [piece for piece in rest.split(".") if piece.strip()]
    read = pieces if follows else pieces[1:] or pieces
    return _tags(read[-_MOST_PIECES:])


def _tags(pieces: Sequence[str]) -> SubtitleTags:
    spoken = [(piece, tag) for piece in reversed(pieces) if (tag := _language(piece))]
    named = next((pair for pair in spoken if pair[0].lower() != "hi"), None)
    language = named or next(iter(spoken), None)
    flags = {_FLAGS[word] for word in _flagging(pieces, language) if word in _FLAGS}
    ordered = tuple(flag for flag in _FLAG_ORDER if flag in flags)
    return SubtitleTags(language[1] if language else None, ordered)


def _flagging(pieces: Sequence[str], language: tuple[str, str] | None) -> Iterator[str]:
    """The words that may be flags: all but the one that says the language, as ``hi`` may."""
    for piece in pieces:
        said = list(words(piece))
        if language is not None and piece is language[0]:
            spoken = next((word for word in said if word in _SPOKEN), None)
            said = [word for word in said if word != spoken]
        yield from said


def _language(piece: str) -> str | None:
    plain = piece.strip(" -_[]()").lower()
    for part in _JOINT.split(plain):
        if regional := _REGIONAL.fullmatch(part):
            return _regional(regional[1], regional[2])
    said = re.split(r"[\s_\-&+]+", plain)
    tag = next((_SPOKEN[word] for word in said if word in _SPOKEN), None) or _han(plain)
    return "es-419" if tag == "es" and not _LATIN.isdisjoint(said) else tag


def _han(plain: str) -> str | None:
    """Words such as ``简英`` and ``繁日``: simplified or traditional, and another language."""
    return next((tag for sign, tag in _HAN.items() if sign in plain), None)


def _regional(language: str, region: str) -> str | None:
    if language not in _ISO_639_1:
        return None
    tag = f"{language}-{region}"
    if region in {"hans", "hant"}:
        return f"{language}-{region.title()}"
    return _SCRIPTS.get(tag, f"{language}-{region.upper()}")


def _spoken() -> dict[str, str]:
    tables: Iterable[Mapping[str, str]] = (SPELLINGS, CODES, SUBTITLES)
    found = {word: tag for table in tables for tag, text in table.items() for word in text.split()}
    found |= {code: code for code in _ISO_639_1}
    return {word: _canonical(tag) for word, tag in found.items() if tag != "mul"} | _FANSUB


def _canonical(tag: str) -> str:
    language, _, region = tag.partition("-")
    if not region:
        return "zh" if language == "yue" else language  # media servers know the codes of ISO 639-1
    return f"{language}-{region.upper() if len(region) == len('BR') else region.title()}"


_SPOKEN: Final = _spoken()
