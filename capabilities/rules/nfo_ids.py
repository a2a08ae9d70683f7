"""The numbers of a work in an NFO file, as media servers and library programs write them.

The forms are Kodi's (https://kodi.wiki/view/NFO_files): ``<uniqueid type="tmdb">1</uniqueid>``, the
older ``<tmdbid>1</tmdbid>``, and a bare address of a source's page.
"""

import re
from typing import Final

MOST_BYTES: Final = 64 * 1024
"""Of a file that is read; the numbers stand in its first lines."""
_UNIQUE: Final = re.compile(
    r"<uniqueid\b[^<>]{0,80}\btype=[\"'](tmdb|imdb|tvdb)[\"'][^<>]{0,80}>\s*([A-Za-z0-9]{1,15})\s*<",
    re.IGNORECASE,
)
_OLDER: Final = re.compile(r"<(tmdb|imdb|tvdb)_?id>\s*([A-Za-z0-9]{1,15})\s*<", re.IGNORECASE)
_ADDRESS: Final = re.compile(
    r"https?://(?:www\.)?(?:(themoviedb)\.org/(?:movie|tv)/(\d{1,10})|(imdb)\.com/title/(tt\d{6,10}))"
)
_FORMS: Final = {
    "tmdb": re.compile(r"\d{1,10}"),
    "tvdb": re.compile(r"\d{1,10}"),
    "imdb": re.compile(r"tt\d{6,10}"),
}
_EPISODE: Final = re.compile(r"<episodedetails\b", re.IGNORECASE)


def nfo_ids(text: str) -> dict[str, str]:
    """The first number of each source, e.g. ``{"tmdb": "45745"}``.

    The file of an episode has numbers of its own, which say nothing of the series: none are taken.
    """
    if _EPISODE.search(text):
        return {}
    found: dict[str, str] = {}
    for source, number in [*_UNIQUE.findall(text), *_OLDER.findall(text)]:
        name = source.lower()
        if _FORMS[name].fullmatch(number):
            found.setdefault(name, number)
    for tmdb, page, imdb, title in _ADDRESS.findall(text):
        found.setdefault("tmdb" if tmdb else "imdb", page if tmdb else title)
        del imdb
    return found
