"""A source under a temporary name in the target's folder, and the check that it is whole."""

import errno
import fcntl
import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from capabilities.adapters.shelf.digests import digest_of
from capabilities.adapters.shelf.faults import CheckFailedError, LeftoverError, translated
from capabilities.adapters.shelf.freezing import Frozen, frozen_from
from capabilities.adapters.shelf.origins import Origin
from capabilities.adapters.shelf.placements import Mode

_FICLONE = 0x40049409  # ioctl_ficlone(2)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_SEEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_LINK_HERE = {errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP, errno.ENOSYS}


@dataclass(frozen=True, slots=True)
class Spot:
    """A temporary name in an open folder of the library; `system` as in `Root`."""

    folder: int
    name: str
    system: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A temporary file that is whole; `digest` (SHA-256, hexadecimal) where bytes are new."""

    file: Frozen
    digest: str | None


def write(mode: Mode, origin: Origin, spot: Spot) -> str | None:
    """Bring the source to the spot by `mode`, where nothing may be yet, and flush it to the disk.

    Returns:
        SHA-256 in hexadecimal of what was read, where bytes were copied.

    Raises:
        LeftoverError: the temporary name is taken.
        CrossDeviceError: a hard link or clone would have to span two file systems.
        SourceChangedError: the source is not the planned one, or changed while it was read.
    """
    with translated(spot.system):
        try:
            digest = _WRITERS[mode](origin, spot)
            if mode is not Mode.SYMLINK:
                _flush(spot)
        except FileExistsError as error:
            raise LeftoverError(
                spot.system,
                "An earlier attempt left its temporary file. Clean it up, then try again.",
            ) from error
        except BaseException:
            remove(spot)
            raise
    return digest


def remove(spot: Spot) -> None:
    """Take the temporary name away, if it is there; one that stays is known by its token."""
    with suppress(OSError):
        os.unlink(spot.name, dir_fd=spot.folder)


def check(mode: Mode, origin: Origin, spot: Spot, copied: str | None) -> Checked:
    """Prove what stands at the spot, given the digest that `write` returned.

    A hard link must be the planned file itself, a symbolic link must lead to it, and a copy or
    clone must have its size, and a copy also the SHA-256 of what was read.

    Raises:
        SourceChangedError: the name led to another file, or the file changed.
        CheckFailedError: size or digest differ.
    """
    with translated(spot.system):
        if mode is Mode.SYMLINK:
            origin.confirm(frozen_from(os.stat(spot.name, dir_fd=spot.folder)))
            status = os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False)
            return Checked(frozen_from(status), None)
        handle = os.open(spot.name, _SEEN, dir_fd=spot.folder)
        try:
            now = frozen_from(os.fstat(handle))
            if copied is None and mode is not Mode.REFLINK:
                origin.confirm(now)
                return Checked(now, None)
            return Checked(now, _proven_digest(handle, now, origin, copied, spot.system))
        finally:
            os.close(handle)


def _proven_digest(
    handle: int, now: Frozen, origin: Origin, copied: str | None, system: str
) -> str:
    digest = digest_of(handle)
    if now.size != origin.frozen.size or digest != (copied or digest):
        raise CheckFailedError(
            system, "The copy is not what was read, so it was thrown away. Check the disk."
        )
    return digest


def _flush(spot: Spot) -> None:
    handle = os.open(spot.name, _SEEN, dir_fd=spot.folder)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _link(origin: Origin, spot: Spot) -> None:
    folder, name = origin.root.split(origin.relative)
    with origin.root.folder(folder) as source:
        os.link(name, spot.name, src_dir_fd=source, dst_dir_fd=spot.folder, follow_symlinks=False)


def _copy(origin: Origin, spot: Spot) -> str:
    digest = hashlib.sha256()
    handle = os.open(spot.name, _NEW, 0o666, dir_fd=spot.folder)
    with os.fdopen(handle, "wb") as target:
        for piece in origin.read():
            digest.update(piece)
            target.write(piece)
    return digest.hexdigest()


def _link_or_copy(origin: Origin, spot: Spot) -> str | None:
    try:
        _link(origin, spot)
    except OSError as error:
        if error.errno not in _NO_LINK_HERE:
            raise
        return _copy(origin, spot)
    return None


def _clone(origin: Origin, spot: Spot) -> None:
    target = os.open(spot.name, _NEW, 0o666, dir_fd=spot.folder)
    try:
        with origin.opened() as source:
            fcntl.ioctl(target, _FICLONE, source)
    finally:
        os.close(target)


def _point(origin: Origin, spot: Spot) -> None:
    os.symlink(origin.root.path_of(origin.relative), spot.name, dir_fd=spot.folder)


_WRITERS: Mapping[Mode, Callable[[Origin, Spot], str | None]] = {
    Mode.HARDLINK: _link,
    Mode.COPY: _copy,
    Mode.REFLINK: _clone,
    Mode.MOVE: _link_or_copy,
    Mode.SYMLINK: _point,
}
