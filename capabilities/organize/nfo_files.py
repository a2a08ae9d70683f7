"""Which NFO files of ours an import writes, each with its whole text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.spelling import Spelling
from capabilities.organize.import_plan import LeftFile, OldFile, PlannedFile, WrittenFile
from capabilities.rules.import_plan import Role
from capabilities.rules.media_nfo import SERIES_NFO, nfo_beside, nfo_of, series_nfo
from capabilities.rules.works import Work, WorkKind

THERE: Final = "the library has this NFO file already, and it stays as it is"


@dataclass(slots=True)
class NfoFiles:
    """What is written, and what stands there already."""

    written: list[WrittenFile] = field(default_factory=list[WrittenFile])
    left: list[LeftFile] = field(default_factory=list[LeftFile])


def nfo_files(
    work: Work, files: Sequence[PlannedFile], old: Sequence[OldFile], library: Root
) -> NfoFiles:
    """One beside each video that is placed, and that of a series where it has none; blocking.

    A disc has none: media servers read what it is from its folder. Nor has an extra.

    Args:
        work: that they tell of.
        files: what is placed.
        old: what goes into the recycle folder, whose names are free then.
        library: that it is placed in.

    Raises:
        WorldFaultError: the library cannot be looked at.
    """
    found, spelling = NfoFiles(), Spelling(library)
    free = {one.was.path for one in old if one.folder == str(library.path)}
    for target, text in _wanted(work, files):
        path = str(spelling.of(target))
        if any(path == one.target for one in found.written):
            continue  # a second file of the same name and another ending
        if path in free or not _stands(library, path):
            found.written.append(WrittenFile(target=path, text=text.decode()))
        elif target.name != SERIES_NFO:  # that of a series stands there after its first import
            found.left.append(LeftFile(path=path, why=THERE))
    return found


def _wanted(work: Work, files: Sequence[PlannedFile]) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Where each one belongs, and what it says."""
    videos = [one for one in files if one.role == Role.VIDEO]
    is_film = work.key.kind is WorkKind.FILM
    for one in videos:
        if is_film or one.episodes:
            video = PurePosixPath(one.target)
            yield nfo_beside(video), nfo_of(work, one.season, one.episodes)
    if not is_film:
        for folder in dict.fromkeys(PurePosixPath(one.target).parts[0] for one in videos):
            yield PurePosixPath(folder, SERIES_NFO), series_nfo(work)


def _stands(library: Root, path: str) -> bool:
    try:
        library.status(path)
    except NotFoundError:
        return False
    return True
