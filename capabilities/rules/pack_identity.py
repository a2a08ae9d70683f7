"""An identity for each file of a pack: none is given what is only known of another one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

from capabilities.rules.episode_counting import Counting
from capabilities.rules.evidence import Clue, Evidence, Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile, FileKind, kind_of, sorted_kinds
from capabilities.rules.identity import as_forced, forced_identity, grade
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.paths import completed, parse_path
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.recognition.applying import reworded_path
from capabilities.rules.recognition.words import Word
from capabilities.rules.sequels import (
    numbered_key,
    numeral_at_end,
    part_of,
    strong_keys,
    without_collection,
)
from capabilities.rules.time_budget import Budget
from capabilities.rules.wording import quoted
from capabilities.rules.works import Work, WorkKey, WorkKind

MOST_FILES: Final = 500
_NO_IDS: Final[Mapping[str, str]] = MappingProxyType({})
_NO_FOLDER: Final = "_"
"""Stands for a folder that says nothing, so that a bare number counts as in any folder."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A release, and what is known from which its files can be told.

    Attributes:
        name: of the release, as read.
        claimed_ids: what the indexer says that the release is.
        candidates: every work that the release or one of the files may mean.
        own: fewer of them, for a file that says a title of its own, by its path.
        countings: how episodes of the works are counted besides their seasons.
        words: the owner's recognition words, which have been applied to the release's name.
        crowded: whether there may be more works of the titles than the candidates.
    """

    name: ReleaseName
    claimed_ids: Mapping[str, str]
    candidates: Sequence[Work]
    countings: Mapping[WorkKey, Counting] = field(default_factory=dict[WorkKey, Counting])
    words: Sequence[Word] = ()
    crowded: bool = False
    own: Mapping[str, Sequence[Work]] = field(default_factory=dict[str, Sequence[Work]])


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """What one file is.

    Attributes:
        name: what the file says, with what its folders and its release supply.
    """

    path: str
    name: ReleaseName
    identity: Identity


def videos_among(files: Sequence[DownloadedFile]) -> list[str]:
    """The paths of what is a video to be identified: no sample, no extra, no part of a disc."""
    kinds = sorted_kinds(files, None)
    return [file.path for file, kind in kinds.items() if kind is FileKind.VIDEO]


def identify_files(
    videos: Sequence[str], pack: Pack, within: Budget | None = None
) -> list[FileIdentity]:
    """Which work each video of a pack is; the last ones are left out where the time is used up.

    Ids that are claimed for the release count for its only video, and for the episodes of a
    series; they say nothing of one film among several.

    Args:
        videos: paths inside the release, samples and extras left out.
        pack: the release.
        within: the time for all of them.
    """
    alone, found = len(videos) == 1, list[FileIdentity]()
    for path in videos[:MOST_FILES]:
        if within is not None and not within.left:
            break
        mine = replace(pack, candidates=pack.own[path]) if path in pack.own else pack
        found.append(_identified(path, mine, alone=alone))
    return found


def own_name(path: str) -> ReleaseName:
    """What a file's own name says, its folders left aside; a bare number counts an episode."""
    return parse_path(f"{_NO_FOLDER}/{PurePosixPath(path).name}")


def file_name(path: str, release: ReleaseName, *, alone: bool) -> ReleaseName:
    """What a file says, completed by its folders and its release.

    Only a lone file takes the episodes of its release. One film among several takes neither year
    nor ids from above, which are those of the whole or of another one.
    """
    own = parse_path(path if "/" in path else f"{_NO_FOLDER}/{path}")
    if alone:
        return completed(own, release)
    if counts(own):
        return completed(own, replace(release, episodes=(), absolute_episodes=()))
    file = parse(PurePosixPath(path).name)
    return file if file.title else replace(own, year=file.year, external_ids=file.external_ids)


def counts_through(
    files: Sequence[DownloadedFile], release: ReleaseName, words: Sequence[Word] = ()
) -> bool:
    """Whether some video says numbers whose season neither it nor its release says."""
    return any(
        not name.seasons and bool(name.episodes or name.absolute_episodes)
        for name in (
            file_name(reworded_path(file.path, words).text, release, alone=len(files) == 1)
            for file in files
            if kind_of(file) is FileKind.VIDEO
        )
    )


def counts(name: ReleaseName) -> bool:
    """Whether a name says seasons, episodes or a date."""
    return bool(name.seasons or name.episodes or name.absolute_episodes or name.air_date)


def _identified(path: str, pack: Pack, *, alone: bool) -> FileIdentity:
    read = reworded_path(path, pack.words)
    name = file_name(read.text, pack.name, alone=alone)
    if read.forced is not None:
        work = next((one for one in pack.candidates if one.key == read.forced.work), None)
        forced = forced_identity(read.forced, read.forced_by, work)
        return FileIdentity(path, as_forced(name, read.forced), forced)
    one_of_films = not alone and name.kind is not WorkKind.SERIES
    ids = _NO_IDS if one_of_films else pack.claimed_ids
    identity = grade(name, ids, pack.candidates, pack.countings, crowded=pack.crowded)
    if identity.work is None and not alone:
        identity = _as_part(read.text, name, pack) or identity
    return FileIdentity(path, name, identity)


def _as_part(path: str, name: ReleaseName, pack: Pack) -> Identity | None:
    """The one film whose title is the pack's with the numeral of the file or of its folder."""
    for base, number in _parts(path, name, pack):
        films = [
            work
            for work in pack.candidates
            if work.key.kind is WorkKind.FILM and _is_part(work, base, number)
        ]
        if len(films) == 1:
            said = f"{quoted(base)}, part {number}, is a title of {quoted(films[0].title)}"
            evidence = (Evidence(Clue.TITLE, films[0].key, said),)
            return Identity(Grade.C, films[0], evidence, (), tuple(films))
    return None


def _parts(path: str, name: ReleaseName, pack: Pack) -> Iterator[tuple[str, int]]:
    for title in name.titles:
        found = numeral_at_end(title)
        if found:
            yield found
    pieces = PurePosixPath(path).with_suffix("").parts
    number = next((n for piece in reversed(pieces) if (n := part_of(piece))), None)
    if number is not None:
        for title in pack.name.titles:
            yield without_collection(title), number


def _is_part(work: Work, base: str, number: int) -> bool:
    """Whether a title of the work is the base with the number, and perhaps with words behind it."""
    whole = numbered_key(base)
    numbered = f"{whole}{number}"
    keys = {*strong_keys(work), *(numbered_key(title.text) for title in work.titles)}
    return any(
        (number == 1 and key == whole)
        or (key.startswith(numbered) and not key[len(numbered) :][:1].isdecimal())
        for key in keys
    )
