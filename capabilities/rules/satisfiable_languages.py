"""Whether the languages of a policy are ones that a name can say, in the tags that we read."""

from collections.abc import Iterator, Sequence
from typing import Final

from capabilities.rules.names.tables.languages import CODES, SPELLINGS, SUBTITLES
from capabilities.rules.problems import Problem

TAGS: Final = (SPELLINGS.keys() | SUBTITLES.keys()) - {"mul"}
"""BCP 47 tags in lower case; several languages at once (``mul``) are no language to ask for."""
_MEANT: Final = {
    word: tag
    for table in (CODES, SUBTITLES, SPELLINGS)
    for tag, words in table.items()
    for word in words.split()
    if tag in TAGS
}
_COMMON: Final = "en, zh, yue, ja, ko, fr, de, es, it, pt-br, ru"


def language_problems(required: Sequence[str], refused: Sequence[str]) -> Iterator[Problem]:
    """Languages that no name would ever be read to say, each with the tag that was meant."""
    for field, tags in (("required_languages", required), ("refused_languages", refused)):
        for tag in tags:
            if tag not in TAGS:
                yield Problem(field, f'"{tag}" is no tag of a language that names say', _cure(tag))


def _cure(word: str) -> str:
    low = word.strip().lower()
    meant = low if low in TAGS else _MEANT.get(low)
    return f'write "{meant}"' if meant else f"write a BCP 47 tag such as {_COMMON}"
