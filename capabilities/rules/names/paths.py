"""Whole paths into facts: folders supply what the file does not say."""

import re
from dataclasses import replace
from typing import Final

from capabilities.rules.names.parsing import LONGEST_NAME, parse, split_container
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.tables.counting import SHELVES
from capabilities.rules.works import WorkKind

_NEAREST: Final = 3
"""Folders above a file that can speak about it."""
_NUMBERED: Final = re.compile(r"(\d{1,3})(?:v\d)?(?=[ ._-]|\Z)[ ._-]{0,5}")


def parse_path(path: str) -> ReleaseName:
    """Read a file with the folders above it, parted by ``/``.

    The file wins on what it says itself, episode numbers above all; a season folder, a numbered
    file or a file that says nothing at all takes its title from above.
    """
    *above, file = [part for part in path.split("/") if part] or [""]
    folders = [parse(part) for part in reversed(above[-_NEAREST:]) if _speaks(part)]
    name = _numbered(file, folders) or parse(file)
    for folder in folders:
        name = completed(name, folder)
    return name


def _speaks(folder: str) -> bool:
    return "".join(folder.lower().split()) not in SHELVES and not folder.endswith(":")


def _numbered(file: str, folders: list[ReleaseName]) -> ReleaseName | None:
    """A file named by a bare number in front, which counts inside its folder."""
    stem, container = split_container(file[:LONGEST_NAME])
    match = _NUMBERED.match(stem)
    if not match or not folders:
        return None
    rest = parse(stem[match.end() :] or " ")
    if rest.episodes or rest.year or rest.seasons or rest.air_date:
        return None
    number = int(match[1])
    return replace(
        rest,
        text=file,
        title="",
        alternative_titles=(),
        kind=WorkKind.SERIES,
        episodes=(number,),
        absolute_episodes=(),
        container=container,
    )


def completed(name: ReleaseName, folder: ReleaseName) -> ReleaseName:
    """The name with what only its folder, or its whole release, says."""
    title_from_above = _takes_title(name, folder)
    return replace(
        name,
        title=folder.title if title_from_above else name.title,
        alternative_titles=(
            folder.alternative_titles if title_from_above else name.alternative_titles
        ),
        kind=name.kind if name.kind is WorkKind.SERIES else folder.kind or name.kind,
        year=name.year or folder.year,
        seasons=name.seasons or folder.seasons,
        episodes=name.episodes or (() if name.absolute_episodes else folder.episodes),
        air_date=name.air_date or folder.air_date,
        resolution=name.resolution or folder.resolution,
        source=name.source or folder.source,
        video_codec=name.video_codec or folder.video_codec,
        bit_depth=name.bit_depth or folder.bit_depth,
        dynamic_ranges=name.dynamic_ranges or folder.dynamic_ranges,
        audio=name.audio or folder.audio,
        channels=name.channels or folder.channels,
        languages=name.languages or folder.languages,
        subtitle_languages=name.subtitle_languages or folder.subtitle_languages,
        editions=name.editions or folder.editions,
        group=name.group or folder.group,
        external_ids={**folder.external_ids, **name.external_ids},
        said={**folder.said, **name.said},
    )


def _takes_title(name: ReleaseName, folder: ReleaseName) -> bool:
    if not folder.title:
        return False
    return not name.title or _is_opaque(name, folder)


def _is_opaque(name: ReleaseName, folder: ReleaseName) -> bool:
    """Whether the file's words are no title: a hash or an abbreviation in a well-named folder."""
    if name.seasons or name.episodes or name.absolute_episodes or name.year:
        return False
    return bool(folder.resolution or folder.source or folder.video_codec or folder.seasons)
