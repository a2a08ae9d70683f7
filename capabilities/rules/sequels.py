"""Numerals at the end of titles: parts of a film series, or the season of a series."""

import re
import unicodedata
from dataclasses import replace
from functools import lru_cache
from typing import Final

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.title_keys import LONGEST_TITLE, title_key
from capabilities.rules.works import TitleKind, Work, WorkKind

_ROMAN: Final = {
    name: number
    for number, name in enumerate(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"), 1)
}
_CHINESE: Final = {name: number for number, name in enumerate("一二三四五六七八九十", 1)}
_WORDS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_PLAIN_ROMAN: Final = re.compile(
    r"(?<![a-z])(ii|iii|iv|vi|vii|viii|ix)(?![a-z])(?![-\u2010](?![ivx]+\b)[^\W\d_])"
)
"""Inside titles, as whole words: ``Iii-chan`` is a name; I, V and X alone are words too often."""
_LAST: Final = re.compile(
    r"(.*?\S)[\s._:-]*?(?<![A-Za-z0-9])(ii|iii|iv|v|vi|vii|viii|ix|x|[2-9])\s*\Z", re.IGNORECASE
)
_FIRST_PART: Final = re.compile(r"(.*?\S)[\s,.:-]+part\s+(?:i|1|one)\s*\Z", re.IGNORECASE)
_PART: Final = re.compile(
    r"(?:part|pt|cd|vol(?:ume)?|film|movie|第)?[\s._-]*(\d{1,2}|[ivx]{1,4}|[一二三四五六七八九十]|one|two"
    r"|three|four|five)[\s._-]*[部集]?",
)
_COLLECTION: Final = re.compile(
    r"[\s._-]+(?:the[\s._-]+)?(?:trilogy|collection|duology|quadrilogy|saga|anthology|box[\s._-]?set"
    r"|complete|pack)\b.*\Z",
    re.IGNORECASE,
)


@lru_cache(maxsize=10_000)
def numbered_key(title: str) -> str:
    """The title's key, in which "II", "Ⅱ" and "2" are one."""
    folded = unicodedata.normalize("NFKC", title[:LONGEST_TITLE]).lower()
    return title_key(_PLAIN_ROMAN.sub(lambda found: str(_ROMAN[found[1]]), folded))


def without_first_part(title: str) -> str | None:
    """The title without its "Part I" at the end, which the first film of a series lacks."""
    found = _FIRST_PART.fullmatch(title[:LONGEST_TITLE])
    return found[1] if found else None


def without_collection(title: str) -> str:
    """The title that the parts of a collection share."""
    return _COLLECTION.sub("", title[:LONGEST_TITLE]) or title


def part_of(text: str) -> int | None:
    """The number where the text is nothing but one: ``II``, ``2``, ``Part 2``, ``第二部``."""
    found = _PART.fullmatch(unicodedata.normalize("NFKC", text).strip().lower())
    if not found:
        return None
    word = found[1]
    if word.isdecimal():
        return int(word) or None
    return _ROMAN.get(word) or _CHINESE.get(word) or _WORDS.get(word)


def numeral_at_end(title: str) -> tuple[str, int] | None:
    """The title without the numeral at its end, from 2 on, and that number."""
    plain = unicodedata.normalize("NFKC", title[:LONGEST_TITLE])
    found = _LAST.fullmatch(plain)
    if not found:
        return None
    return found[1], _ROMAN.get(found[2].lower()) or int(found[2])


def as_season(name: ReleaseName, work: Work) -> ReleaseName:
    """The name, with the numeral at the end of its title as the season that it counts.

    Only where the rest is a title of the work, the work has that season, and the name counts
    episodes without saying a season.
    """
    counts = bool(name.episodes or name.absolute_episodes)
    if work.key.kind is not WorkKind.SERIES or name.seasons or not counts:
        return name
    known = strong_keys(work)
    seasons = {season.number for season in work.seasons}
    for title in name.titles:
        found = numeral_at_end(title)
        if found and found[1] in seasons and numbered_key(found[0]) in known:
            return replace(
                name,
                title=found[0],
                alternative_titles=(),
                seasons=(found[1],),
                episodes=name.episodes or _whole(name),
                absolute_episodes=() if _whole(name) else name.absolute_episodes,
            )
    return name


def _whole(name: ReleaseName) -> tuple[int, ...]:
    numbers = name.absolute_episodes
    return tuple(map(int, numbers)) if all(float(one).is_integer() for one in numbers) else ()


def strong_keys(work: Work) -> set[str]:
    """The keys of all titles of a work but the alternative ones."""
    strong = (title.text for title in work.titles if title.kind is not TitleKind.ALTERNATIVE)
    return {numbered_key(title) for title in (work.title, *strong)}
