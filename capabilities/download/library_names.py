"""What the library has of the files of a download: the same bytes, a copy, or the file itself."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from capabilities.adapters.shelf.deleting import Listed
from capabilities.adapters.shelf.links_into import Identity
from capabilities.adapters.shelf.threads import off_loop
from capabilities.rules.wording import counted
from ledger.database import Snapshot
from ledger.stores import shelf
from ledger.stores.downloads import DownloadRow

GB: Final = 1e9
PLACED: Final = "succeeded"


@dataclass(frozen=True, slots=True)
class LibraryName:
    """A file of the library, as our tables have it.

    Attributes:
        path: absolute.
        source: the file of the download that it was placed from, where that is known.
    """

    path: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Holdings:
    """What of some listed files the library has.

    Attributes:
        linked: paths of files that have another name in the library.
        copied: paths of files of which a copy stands there.
        itself: names in the library that are the only ones of a listed file.
    """

    linked: frozenset[str]
    copied: frozenset[str]
    itself: tuple[str, ...]

    def loses(self, files: Sequence[Listed], *, imported: bool) -> str:
        """What is lost when these files are deleted, as sentences."""
        if not files:
            return "There is nothing of it on the disk to delete."
        rest = [file for file in files if file.path not in self.linked | self.copied]
        named = Counter(file.identity for file in files)
        gone = [file for file in rest if file.links <= named[file.identity]]
        elsewhere, size = len(rest) - len(gone), sum(file.size for file in gone) / GB
        told: list[str] = []
        if self.linked:
            many = counted(len(self.linked), "file")
            told.append(f"The library has the bytes of {many} under another name: nothing is lost")
        if self.copied:
            told.append(f"The library has copies of {counted(len(self.copied), 'file')}")
        if elsewhere:
            many = counted(elsewhere, "file")
            told.append(f"The bytes of {many} stay under other names, outside the library")
        if gone:
            where = "" if imported else ": it is not in the library"
            told.append(
                f"The bytes of {counted(len(gone), 'file')} ({size:.2f} GB) are lost for good"
                f"{where}"
            )
        return ". ".join(told) + "."


def library_names(conn: Snapshot, row: DownloadRow, files: Sequence[Listed]) -> list[LibraryName]:
    """What may be one of these files, or a copy: the inventory, and what was placed of them."""
    inodes = {file.inode for file in files}
    assets = [LibraryName(one.path) for one in shelf.assets(conn) if one.inode in inodes]
    placed = [
        LibraryName(f"{one['folder']}/{one['target']}", str(one["source"]))
        for record in shelf.records_of(conn, row.id)
        if record.state == PLACED
        for one in record.placements
    ]
    return [*assets, *placed]


async def holdings(
    files: Sequence[Listed], downloads: Path, names: Sequence[LibraryName]
) -> Holdings:
    """Look on the disk which of these names are there, and what they are."""
    return await off_loop(_holdings, tuple(files), downloads, tuple(names))


def _holdings(
    files: tuple[Listed, ...], downloads: Path, names: tuple[LibraryName, ...]
) -> Holdings:
    own = {str(base / file.path) for base in (downloads, downloads.resolve()) for file in files}
    listed: dict[Identity, list[Listed]] = {}
    for file in files:
        listed.setdefault(file.identity, []).append(file)
    sizes = {file.path: file.size for file in files}
    linked, copied, itself = set[str](), set[str](), set[str]()
    for name in names:
        now = _status(name.path)
        if now is None:
            continue
        same = listed.get((now.st_dev, now.st_ino), [])
        # A name that the count of links does not hold is a listed one, seen through a mount.
        if name.path in own or (same and now.st_nlink <= len(same)):
            itself.add(name.path)
        elif same:
            linked.update(file.path for file in same)
        elif name.source is not None and sizes.get(name.source) == now.st_size:
            copied.add(name.source)
    return Holdings(frozenset(linked), frozenset(copied - linked), tuple(sorted(itself)))


def _status(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None


def shared(files: Sequence[Listed]) -> bool:
    """Whether any of these files has a name that is not listed, so that others see what changes."""
    names = Counter(file.identity for file in files)
    return any(file.links > names[file.identity] for file in files)


def fewer_elsewhere(before: Sequence[Listed], left: Sequence[Listed]) -> bool:
    """Whether a file that is left has fewer names outside the list than when it was listed."""
    then, now = Counter(one.identity for one in before), Counter(one.identity for one in left)
    outside = {one.identity: one.links - then[one.identity] for one in before}
    return any(one.links - now[one.identity] < outside.get(one.identity, 0) for one in left)
