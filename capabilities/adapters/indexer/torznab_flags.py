"""What an indexer calls an offer, and how much of it it counts.

``downloadvolumefactor`` and ``uploadvolumefactor`` are Torznab's own. ``tag`` repeats and holds a
word each, as Prowlarr and Jackett send it (``freeleech``, ``internal``, ``scene``, and others of a
site's own). Some indexers have attributes for one word, and Newznab's say ``prematch`` or
``haspretime`` of what the scene has released.
"""

import math
from dataclasses import dataclass
from typing import Final

from capabilities.adapters.indexer.torznab_attributes import Attributes, first
from capabilities.rules.formats import IndexerFlag
from capabilities.rules.promotions import DOUBLE, DOWNLOAD_FACTORS, promotion_flags
from capabilities.rules.wording import quoted

MOST_FLAGS: Final = 20
LONGEST_FLAG: Final = 40
MOST_FACTOR: Final = 10.0
"""Above it a factor is a mistake: no indexer counts a byte that often."""

NEUTRAL: Final = "neutralleech"
"""Neither download nor upload is counted."""
_SPELLINGS: Final = {
    **{flag.value.replace("_", ""): flag.value for flag in IndexerFlag},
    NEUTRAL: NEUTRAL,
}
_OWN_ATTRIBUTES: Final = {
    "internal": IndexerFlag.INTERNAL,
    "scene": IndexerFlag.SCENE,
    "prematch": IndexerFlag.SCENE,
    "haspretime": IndexerFlag.SCENE,
    "nuked": IndexerFlag.NUKED,
    "freeleech": IndexerFlag.FREE_LEECH,
    NEUTRAL: NEUTRAL,
}
_YES: Final = frozenset({"1", "true", "yes"})
_DOWNLOADS: Final = {
    **{flag.value: factor for flag, factor in DOWNLOAD_FACTORS.items()},
    NEUTRAL: 0.0,
}
_UPLOADS: Final = {IndexerFlag.DOUBLE_UPLOAD.value: DOUBLE, NEUTRAL: 0.0}


@dataclass(frozen=True, slots=True)
class Promotion:
    """Factors and flags of an offer; a factor that nothing is said of is None."""

    download_factor: float | None
    upload_factor: float | None
    flags: tuple[str, ...]


def promotion(attributes: Attributes, doubts: list[str]) -> Promotion:
    """What the attributes say; ``doubts`` gets what cannot be, or contradicts itself.

    A word stands for a factor that is not given. Against one that is given it counts nothing.
    """
    words = _words(attributes)
    download = _factor(attributes, "downloadvolumefactor", doubts)
    upload = _factor(attributes, "uploadvolumefactor", doubts)
    download, words = _agreed("download", download, words, _DOWNLOADS, doubts)
    upload, words = _agreed("upload", upload, words, _UPLOADS, doubts)
    flags = dict.fromkeys([*(flag.value for flag in promotion_flags(download, upload)), *words])
    return Promotion(download, upload, tuple(flags)[:MOST_FLAGS])


def _words(attributes: Attributes) -> list[str]:
    tags = [part for text in attributes.get("tag", ()) for part in text.split(",")]
    words = [_spelt(tag) for tag in tags if tag.strip()]
    for name, flag in _OWN_ATTRIBUTES.items():
        if (first(attributes, name) or "").casefold() in _YES:
            words.append(str(flag))
    return list(dict.fromkeys(words))


def _spelt(tag: str) -> str:
    word = " ".join(tag.casefold().split())
    plain = "".join(sign for sign in word if sign not in " _-")
    return _SPELLINGS.get(plain, word[:LONGEST_FLAG])


def _factor(attributes: Attributes, name: str, doubts: list[str]) -> float | None:
    text = first(attributes, name)
    if text is None:
        return None
    try:
        factor = float(text)
    except ValueError:
        factor = math.nan
    if 0 <= factor <= MOST_FACTOR:
        return factor
    doubts.append(f"its {name} {quoted(text)} is no share")
    return None


def _agreed(
    way: str, factor: float | None, words: list[str], meanings: dict[str, float], doubts: list[str]
) -> tuple[float | None, list[str]]:
    """The factor and the words that go with it."""
    said = {word: meanings[word] for word in words if word in meanings}
    if factor is None and len(set(said.values())) == 1:
        return next(iter(said.values())), words
    wrong = [word for word, meant in said.items() if meant != factor]
    if not wrong:
        return factor, words
    names = " and ".join(wrong)
    other = "which contradict each other" if factor is None else f"its {way} factor {factor:g}"
    counts = "neither counts" if factor is None else "the factor counts"
    doubts.append(f"its tags say {names}, {other}; {counts}")
    return factor, [word for word in words if word not in wrong]
