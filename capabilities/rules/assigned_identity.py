"""What a download is by somebody's explicit word: its work, and where its files belong.

The word is kept apart from what was suggested or graded (`releases.judgement`, decisions), so that
no suggestion is ever taken for a choice. It is carried out as recognition words that hit exactly
the files it names, and so it counts before everything that a name says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from capabilities.rules.names.cleaning import cleaned
from capabilities.rules.recognition.finding import LONGEST_FIND, Find
from capabilities.rules.recognition.words import Force, Forced, Replace, Word
from capabilities.rules.works import WorkKey, WorkKind

ASSIGNED: Final = "assigned"
"""Under this key it stands in what a release was identified as."""
_EVERY: Final = Find(".", is_expression=True)
_END: Final = r"\Z"


@dataclass(frozen=True, slots=True)
class AssignedFile:
    """One file: its path below the download, and what it holds; no episodes for the film."""

    path: str
    season: int | None = None
    episodes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Assigned:
    """The word about one download.

    Attributes:
        season: of the files that are not named; None where they say it themselves.
        files: the named ones.
    """

    season: int | None = None
    files: tuple[AssignedFile, ...] = ()

    def words(self, work: WorkKey) -> tuple[Word, ...]:
        """The same as recognition words; the files' own come first, so they count first."""
        told = tuple(word for file in self.files for word in _file_words(file, work))
        if work.kind is WorkKind.FILM:
            return told
        return (*told, Force(_EVERY, Forced(work, self.season)))

    def stored(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)


def assigned_from(identity: Mapping[str, Any] | None) -> Assigned | None:
    """The word that a release's identity holds, if it was given one."""
    held = None if identity is None else identity.get(ASSIGNED)
    if held is None:
        return None
    files = tuple(
        AssignedFile(one["path"], one["season"], tuple(one["episodes"])) for one in held["files"]
    )
    return Assigned(held["season"], files)


def problem(assigned: Assigned, paths: Sequence[str], kind: WorkKind) -> str | None:
    """Why the word cannot be carried out on a download of these files; None where it can."""
    named = [file.path for file in assigned.files]
    if missing := [path for path in named if path not in paths]:
        return f"it has no file {missing[0]!r}"
    if len(set(named)) != len(named):
        return "a file is named twice"
    names = [PurePosixPath(path).name for path in paths]
    for path in named:
        if names.count(PurePosixPath(path).name) > 1:
            return f"more than one of its files is called {PurePosixPath(path).name!r}"
    if kind is WorkKind.FILM:
        counted = any(file.episodes or file.season is not None for file in assigned.files)
        return "a film has no episodes" if counted or assigned.season is not None else None
    if any(not file.episodes for file in assigned.files):
        return "a file of a series is named without its episodes"
    return None


def _file_words(file: AssignedFile, work: WorkKey) -> Iterator[Word]:
    name = PurePosixPath(file.path)
    find = _exactly(name.name)
    if not file.episodes[1:]:
        yield Force(find, Forced(work, file.season, *file.episodes))
        return
    season = "" if file.season is None else f"S{file.season:02}"
    spelt = f"{season}{''.join(f'E{episode:02}' for episode in file.episodes)}{name.suffix}"
    yield Replace(find, spelt.replace("\\", ""))
    yield Force(_exactly(spelt), Forced(work, file.season))


def _exactly(name: str) -> Find:
    """What finds this name and no other; of a very long one, its end."""
    plain = cleaned(name)
    whole = rf"\A{re.escape(plain)}{_END}"
    if len(whole) <= LONGEST_FIND:
        return Find(whole, is_expression=True)
    room = (LONGEST_FIND - len(_END)) // 2  # escaping at most doubles
    return Find(re.escape(plain[-room:]) + _END, is_expression=True)
