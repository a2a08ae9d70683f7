"""NFO files of ours, which tell a media server what a file is.

The forms are Kodi's (https://kodi.wiki/view/NFO_files), which Jellyfin and Emby read as well. Films
and episodes have ``<name of the video>.nfo``, a series has ``tvshow.nfo`` in its folder.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from capabilities.rules.works import Episode, TitleKind, Work, WorkKind

SERIES_NFO: Final = "tvshow.nfo"
_SOURCES: Final = ("tmdb", "imdb", "tvdb")
_NO_SIGN: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What an XML document cannot hold. Source: XML 1.0, production 2."""
_LONGEST: Final = 10_000
"""Characters of one text; longer ones are cut."""


def nfo_beside(video: PurePosixPath) -> PurePosixPath:
    """Where the NFO of a film's or an episode's file stands."""
    return video.with_suffix(".nfo")


def film_nfo(work: Work) -> bytes:
    """The NFO of a film, in UTF-8."""
    return _written(_work(work, "movie"))


def series_nfo(work: Work) -> bytes:
    """The NFO of a series, in UTF-8."""
    return _written(_work(work, "tvshow"))


def episode_nfo(work: Work, season: int, episodes: Iterable[int]) -> bytes:
    """The NFO of an episode's file, in UTF-8; one element for each episode in it.

    Kodi reads several elements in one file, though no XML document has more than one; a file with
    one episode is a document as any other.
    """
    known = {
        episode.number: episode
        for one in work.seasons
        if one.number == season
        for episode in one.episodes
    }
    numbers = sorted(set(episodes))
    if not numbers:
        raise ValueError("an episode's file holds at least one episode")
    first, *others = (
        _episode(work, season, known.get(number, Episode(number))) for number in numbers
    )
    return _written(first) + b"".join(map(_text, others))


def _work(work: Work, kind: str) -> Element:
    root = Element(kind)
    _put(root, "title", work.title)
    original = next((one.text for one in work.titles if one.kind is TitleKind.ORIGINAL), None)
    _put(root, "originaltitle", original)
    _put(root, "year", work.year)
    _put(root, "plot", work.overview)
    _put(root, "runtime", work.runtime_minutes)
    if work.collection is not None:
        _put(SubElement(root, "set"), "name", work.collection.title)
    _put_ids(root, work.ids, work.key.source)
    return root


def _episode(work: Work, season: int, episode: Episode) -> Element:
    root = Element("episodedetails")
    _put(root, "title", episode.title or f"Episode {episode.number}")
    _put(root, "showtitle", work.title)
    _put(root, "season", season)
    _put(root, "episode", episode.number)
    _put(root, "aired", episode.air_date.isoformat() if episode.air_date else None)
    _put(root, "runtime", episode.runtime_minutes)
    return root


def _put_ids(root: Element, ids: Mapping[str, str], own: str) -> None:
    """Every number that servers know, the work's own as the default one."""
    known = [source for source in _SOURCES if ids.get(source)]
    default = own if own in known else next(iter(known), None)
    for source in known:
        element = SubElement(root, "uniqueid", {"type": source})
        if source == default:
            element.set("default", "true")
        element.text = _clean(ids[source])


def _put(parent: Element, name: str, held: str | int | None) -> None:
    if held is not None and held != "":
        SubElement(parent, name).text = _clean(str(held))


def _clean(text: str) -> str:
    return _NO_SIGN.sub("", text[:_LONGEST])


def _written(root: Element) -> bytes:
    return b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + _text(root)


def _text(root: Element) -> bytes:
    indent(root)
    return tostring(root, encoding="unicode").encode() + b"\n"


def nfo_of(work: Work, season: int, episodes: Iterable[int]) -> bytes:
    """The NFO that belongs beside a video of a work; season and episodes are those in the file."""
    is_film = work.key.kind is WorkKind.FILM
    return film_nfo(work) if is_film else episode_nfo(work, season, episodes)
