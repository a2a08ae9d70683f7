"""A library folder as it is kept: its videos, and what tells that nothing in it has changed."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from capabilities.rules.file_kinds import FileKind
from capabilities.rules.shelf_files import Heading, read_folder


class KeptVideo(NamedTuple):
    """One video of a folder; sizes in bytes, `mtime_ns` since the epoch.

    Attributes:
        heading: which work its path speaks of.
        season: with ``episodes``, as plainly said; None where it takes a closer look.
    """

    path: str
    device: int
    size: int
    inode: int
    mtime_ns: int
    heading: Heading
    season: int | None
    episodes: tuple[int, ...]


def digest_of(device: int, files: Sequence[tuple[str, int, int, int]]) -> str:
    """What changes when a file of the folder comes, goes, grows or is written to.

    Args:
        device: of the folder.
        files: name, size, inode and mtime_ns of each, by name.
    """
    said = json.dumps([device, files], separators=(",", ":"))
    return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()


def kept(path: str, files: Sequence[tuple[str, int, int, int]]) -> dict[str, Any]:
    """What is kept of a folder: its videos, its NFO files, and how many of every other kind."""
    videos: list[list[Any]] = []
    nfos: list[str] = []
    others: dict[str, int] = {}
    read = read_folder(path, [(name, size) for name, size, _, _ in files])
    for facts, told in zip(files, read, strict=True):
        if told.heading is not None:
            videos.append([*facts, *told.heading, told.season, told.episodes])
        elif told.kind is FileKind.NFO:
            nfos.append(told.name)
        else:
            others[told.kind] = others.get(told.kind, 0) + 1
    return {"videos": videos, "nfos": nfos, "others": others}


def videos_of(path: str, device: int, held: Mapping[str, Any]) -> Iterator[KeptVideo]:
    """The videos of a kept folder; their paths are relative to the library."""
    for name, size, inode, mtime_ns, title, year, counted, season, episodes in held["videos"]:
        yield KeptVideo(
            f"{path}/{name}" if path else name,
            device,
            size,
            inode,
            mtime_ns,
            Heading(title, year, counted),
            season,
            tuple(episodes),
        )
