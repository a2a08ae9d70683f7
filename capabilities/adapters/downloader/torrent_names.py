"""The rule for file names in torrents, applied to the bytes that came from outside.

A library that reads torrents repairs bad names in silence, so that what it shows is not what was
sent. A torrent that needs repair is refused instead, before anything of it is written, and by the
same rule whether its names came with a torrent file or later from a peer (BEP 9).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import cast

from capabilities.adapters.downloader import bencoding
from capabilities.kernel.faults import DeclinedError

MAX_FILES = 100_000
MAX_PART_BYTES = 255
MAX_PATH_BYTES = 4_000
"""Of a path below the folder; Linux opens none of 4,096 bytes or more, the folder included."""
_UNSEEN = {"Cc", "Cf"}
_DRIVE = re.compile(r"[A-Za-z]:")
# Blanks before the suffix do not count, and \u00b9 to \u00b3 count as digits (Win32 naming rules).
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\..*)?",
    re.IGNORECASE | re.DOTALL,
)

Parts = tuple[bytes, ...]
"""One file's path in the torrent, the torrent's own name first."""


class BadTorrentError(DeclinedError):
    """Not a torrent or magnet link, or one that is refused; nothing was done with it."""

    def __init__(self, sentence: str) -> None:
        super().__init__("the torrent", sentence)


def check_info(info: bytes) -> None:
    """Judge the raw info dictionary of a torrent (BEP 3, BEP 47, BEP 52).

    Raises:
        BadTorrentError: a name is empty, leads elsewhere, holds a separator or a NUL, starts like
            a drive, is a device's or longer than 255 bytes, or than 4,000 with its folders; two
            names are one to some file system; a file is a symbolic link; there are more than
            100 000 files; or the dictionary is unreadable or says something twice.
    """
    root = _decoded(info)
    for spelling in (b"name", b"name.utf-8"):
        if spelling in root:
            check_part(_text_bytes(root[spelling]))
    check_paths(_v1_paths(root))
    check_paths(_v2_paths(root))


def check_part(part: bytes) -> None:
    """Judge one part of a path.

    Raises:
        BadTorrentError: see `check_info`.
    """
    text = part.decode("utf-8", "surrogateescape")
    if _says_nothing(text):
        raise _unsafe("is empty or leads to another folder")
    if "/" in text or "\\" in text:
        raise _unsafe("holds a path separator")
    if "\0" in text:
        raise _unsafe("holds a NUL byte")
    if _DRIVE.match(text):
        raise _unsafe("starts like a drive letter")
    if _DEVICE.fullmatch(text):
        raise _unsafe("is reserved for a device on some systems")
    if len(part) > MAX_PART_BYTES:
        raise _unsafe(f"is longer than {MAX_PART_BYTES} bytes, which no file system holds")


def check_paths(paths: Iterable[Parts]) -> None:
    """Judge every part of every path, and that no two paths meet on any file system.

    Raises:
        BadTorrentError: see `check_info`.
    """
    files: set[str] = set()
    folders: set[str] = set()
    for count, path in enumerate(paths, start=1):
        if count > MAX_FILES:
            raise BadTorrentError(f"It has more than {MAX_FILES} files, which is refused.")
        if not path:
            raise _unsafe("is missing")
        for part in path:
            check_part(part)
        if sum(map(len, path)) + len(path) > MAX_PATH_BYTES:
            raise _unsafe(
                f"has more than {MAX_PATH_BYTES} bytes with its folders, too many to open"
            )
        folded = _folded(path)
        if folded in files:
            raise _unsafe("occurs twice, or differs from another only in case, accents or last dot")
        files.add(folded)
        folder = folded.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    if not files.isdisjoint(folders):
        raise _unsafe("is used for a file and for a folder")


def _says_nothing(text: str) -> bool:
    """Whether it is only dots and spaces, look-alikes and characters without a glyph included."""
    if any(map(str.isalnum, text)):
        return False
    seen = (
        character
        for character in unicodedata.normalize("NFKC", text)
        if unicodedata.category(character) not in _UNSEEN
    )
    return not "".join(seen).strip(". ")


def _decoded(info: bytes) -> dict[bytes, object]:
    try:
        root = _dictionary(bencoding.decode(info))
    except RuntimeError as error:
        raise _malformed() from error
    # A key that occurs twice is read as its first value by one program and its last by another.
    if len(bencoding.encode(root)) != len(info):
        raise _malformed()
    return root


def _unsafe(what: str) -> BadTorrentError:
    return BadTorrentError(
        f"A file name in it {what}, so nothing of it is downloaded. Look for another release."
    )


def _folded(path: Parts) -> str:
    """One spelling for all that a file system may take for the same.

    Letters of either case, either spelling of an accent, and dots and blanks at the end of a part,
    which Windows drops.
    """
    parts = (part.decode("utf-8", "surrogateescape").rstrip(". ") for part in path)
    text = "/".join(parts)
    return unicodedata.normalize("NFC", text).casefold()


def _v1_paths(info: dict[bytes, object]) -> Iterator[Parts]:
    for entry in _list(info.get(b"files", [])):
        file = _dictionary(entry)
        spellings = [
            tuple(_text_bytes(part) for part in _list(file[spelling]))
            for spelling in (b"path", b"path.utf-8")
            if spelling in file
        ]
        for path in spellings[:-1]:
            check_paths([path])
        path = spellings[-1] if spellings else ()
        if _is_pad(file):
            # Pads are never written, and honest programs give many of them one name.
            check_paths([path])
        else:
            yield path


def _v2_paths(info: dict[bytes, object]) -> Iterator[Parts]:
    folders: list[tuple[Parts, dict[bytes, object]]] = [
        ((), _dictionary(info.get(b"file tree", {})))
    ]
    while folders:
        above, folder = folders.pop()
        for part, entry in folder.items():
            if part:
                check_part(part)
                folders.append(((*above, part), _dictionary(entry)))
            elif not _is_pad(_dictionary(entry)):
                yield above


def _is_pad(file: dict[bytes, object]) -> bool:
    attributes = _text_bytes(file.get(b"attr", b""))
    if b"l" in attributes:
        raise BadTorrentError("It holds a symbolic link, which is refused.")
    return b"p" in attributes


def _text_bytes(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    raise _malformed()


def _list(value: object) -> list[object]:
    if isinstance(value, list):
        return cast("list[object]", value)
    raise _malformed()


def _dictionary(value: object) -> dict[bytes, object]:
    if isinstance(value, dict):
        return cast("dict[bytes, object]", value)
    raise _malformed()


def _malformed() -> BadTorrentError:
    return BadTorrentError("Its info dictionary is malformed. Look for another release.")
