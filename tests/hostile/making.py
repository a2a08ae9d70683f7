"""Torrents whose names are as somebody hostile would write them, with bytes that can be fetched."""

import hashlib
from collections.abc import Sequence
from typing import cast

from tests.capabilities.adapters.downloader.rig import encode

DATA = b"ten bytes."
"""What every file of every vector holds."""
PIECE = 16384
Path = Sequence[bytes]


def single(name: bytes, **more: object) -> bytes:
    """The info dictionary of one file (BEP 3)."""
    return info(_v1_of([DATA], {b"name": name, b"length": len(DATA), **_keys(more)}))


def several(*paths: Path, name: bytes = b"Show", **more: object) -> bytes:
    """The info dictionary of a folder with these files, each with `more` besides."""
    files = [file(*path, **more) for path in paths]
    return info(_v1_of([DATA] * len(files), {b"name": name, b"files": files}))


def entries(*files: dict[bytes, object], **more: object) -> bytes:
    """A folder with files that are written out in full."""
    data = [b"\0" * cast("int", each[b"length"]) if _is_pad(each) else DATA for each in files]
    return info(_v1_of(data, {b"name": b"Show", b"files": list(files), **_keys(more)}))


def file(*path: bytes, **more: object) -> dict[bytes, object]:
    """One file of a folder."""
    return {b"length": len(DATA), b"path": list(path), **_keys(more)}


def tree(*paths: Path, name: bytes = b"Show", **more: object) -> bytes:
    """The same in version 2 (BEP 52)."""
    root: dict[bytes, object] = {}
    for path in paths:
        folder = root
        for part in path:
            folder = cast("dict[bytes, object]", folder.setdefault(part, {}))
        folder[b""] = leaf(**more)
    return info({b"name": name, b"file tree": root, b"meta version": 2, b"piece length": PIECE})


def hybrid(first: bytes, second: bytes, *, length: int = len(DATA)) -> bytes:
    """One file in both versions, which may name it differently."""
    v2 = {b"file tree": {second: {b"": leaf()}}, b"meta version": 2}
    return info(_v1_of([DATA], {b"name": first, b"length": length, **v2}))


def hybrid_pack(first: Sequence[Path], second: Sequence[Path], *, name: bytes = b"Show") -> bytes:
    """A folder in both versions, with the pads between that version 1 needs."""
    files: list[dict[bytes, object]] = []
    data: list[bytes] = []
    for path in first:
        if files:
            gap = PIECE - len(DATA)
            files.append({b"length": gap, b"path": [b".pad", b"%d" % gap], b"attr": b"p"})
            data.append(b"\0" * gap)
        files.append(file(*path))
        data.append(DATA)
    root: dict[bytes, object] = {}
    for path in second:
        folder = root
        for part in path:
            folder = cast("dict[bytes, object]", folder.setdefault(part, {}))
        folder[b""] = leaf()
    v2 = {b"file tree": root, b"meta version": 2}
    return info(_v1_of(data, {b"name": name, b"files": files, **v2}))


def leaf(**more: object) -> dict[bytes, object]:
    """What stands for one file in a tree; its root is the hash of its only block."""
    return {
        b"length": len(DATA),
        b"pieces root": hashlib.sha256(DATA).digest(),
        **_keys(more),
    }


def info(entry: dict[bytes, object]) -> bytes:
    """As it is hashed."""
    return encode(entry)


def torrent(info_dictionary: bytes) -> bytes:
    """The torrent file around it; no byte of it is encoded anew."""
    return b"d4:info" + info_dictionary + b"e"


def _v1_of(data: Sequence[bytes], entry: dict[bytes, object]) -> dict[bytes, object]:
    whole = b"".join(data)
    pieces = [whole[at : at + PIECE] for at in range(0, len(whole), PIECE)]
    sums = b"".join(hashlib.sha1(piece).digest() for piece in pieces)  # noqa: S324  # BEP 3
    return {**entry, b"piece length": PIECE, b"pieces": sums}


def _keys(more: dict[str, object]) -> dict[bytes, object]:
    return {key.replace("_", " ").encode(): value for key, value in more.items()}


def _is_pad(entry: dict[bytes, object]) -> bool:
    return b"p" in cast("bytes", entry.get(b"attr", b""))
