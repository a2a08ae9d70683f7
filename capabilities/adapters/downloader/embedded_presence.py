"""Whether the files that resume data speaks of are still there."""

import stat
from collections.abc import Iterator
from pathlib import Path

import libtorrent as lt

_DONT_DOWNLOAD = 0
_DEFAULT_PRIORITY = 4


def lost_files(params: lt.add_torrent_params) -> list[int]:
    """Indexes of wanted files that should hold data and do not; blocking.

    A file all of whose pieces are there must have exactly its size. One of whose pieces only
    some are there must exist and reach to the end of the last of them. Pieces that a file shares
    with a neighbour are left out of the second rule, for an unwanted neighbour's part of them lies
    elsewhere.
    """
    info = params.ti
    have = params.have_pieces
    if info is None or not any(have):
        return []
    layout = info.layout()
    priorities = params.file_priorities
    lost: list[int] = []
    for index in range(layout.num_files()):
        priority = priorities[index] if index < len(priorities) else _DEFAULT_PRIORITY
        is_pad = layout.file_flags(index) & lt.file_storage.flag_pad_file
        if is_pad or priority == _DONT_DOWNLOAD or not layout.file_size(index):
            continue
        path = Path(params.save_path, layout.file_path(index))
        if not _holds(path, layout, index, have):
            lost.append(index)
    return lost


def link_in_the_way(save_path: Path, paths: Iterator[str]) -> bool:
    """Whether a symbolic link stands where a torrent would write below its save path; blocking."""
    seen: set[str] = set()
    for path in paths:
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            place = "/".join(parts[:depth])
            if place not in seen:
                seen.add(place)
                if Path(save_path, place).is_symlink():
                    return True
    return False


def _holds(path: Path, layout: lt.file_storage, index: int, have: list[bool]) -> bool:
    length, offset, size = layout.piece_length(), layout.file_offset(index), layout.file_size(index)
    first, last = offset // length, (offset + size - 1) // length
    actual = _size_of(path)
    if all(have[first : last + 1]):
        return actual == size
    own = [
        piece
        for piece in range(first, last + 1)
        if have[piece] and piece * length >= offset and (piece + 1) * length <= offset + size
    ]
    return not own or (actual is not None and actual >= (own[-1] + 1) * length - offset)


def _size_of(path: Path) -> int | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None
