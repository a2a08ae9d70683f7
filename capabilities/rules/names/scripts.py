"""Titles by the script they are written in."""

import re
from collections.abc import Sequence
from typing import Final

_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_LATIN: Final = re.compile(r"[A-Za-z]")


def in_scripts(titles: Sequence[str]) -> dict[str, str | None]:
    """The first Chinese, Japanese and Latin title of each.

    Chinese names keep Japanese signs of foreign titles, so a title with kana that stands alone
    counts as both.
    """
    eastern = [title for title in titles if _HAN.search(title) or _KANA.search(title)]
    latin = [title for title in titles if title not in eastern and _LATIN.search(title)]
    chinese = [title for title in eastern if not _KANA.search(title)] or eastern
    japanese = [title for title in eastern if _KANA.search(title)]
    return {
        "title_cn": chinese[0] if chinese else None,
        "title_en": latin[0] if latin else None,
        "title_jp": japanese[0] if japanese else None,
    }
