"""A source under a temporary name in the target's folder, and the check that it is whole."""

import errno
import fcntl
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from capabilities.adapters.shelf.copying import DiffersError, copy
from capabilities.adapters.shelf.digests import digest_of
from capabilities.adapters.shelf.faults import CheckFailedError, LeftoverError, translated
from capabilities.adapters.shelf.freezing import Frozen, frozen_from
from capabilities.adapters.shelf.origins import Origin
from capabilities.adapters.shelf.placements import Mode
from capabilities.adapters.shelf.spots import Spot

_FICLONE = 0x40049409  # ioctl_ficlone(2)
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever
_SEEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LINK = (os.O_PATH | os.O_NOFOLLOW if sys.platform == "linux" else os.O_SYMLINK) | os.O_CLOEXEC
_DIFFERS = "The copy is not what was read, so it was thrown away. Check the disk."
_NO_LINK_HERE = {errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP, errno.ENOSYS}


@dataclass(frozen=True, slots=True)
class Written:
    """A temporary file, open as `handle`.

    Attributes:
        digest: SHA-256 in hexadecimal of what stands there, where bytes were copied.
        mtime_ns: of that, by which anything that is written later is seen.
    """

    handle: int
    digest: str | None
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True)
class Checked:
    """A temporary file that is whole; `digest` (SHA-256, hexadecimal) where bytes are new."""

    file: Frozen
    digest: str | None


def write(mode: Mode, origin: Origin, spot: Spot, held: ExitStack) -> Written:
    """Bring the source to the spot by `mode`, where nothing may be yet, and flush it to the disk.

    The temporary file stays open until `held` is closed, whether this ends well or not; what is
    left under its name goes then.

    Raises:
        LeftoverError: the temporary name is taken.
        CrossDeviceError: a hard link or clone would have to span two file systems.
        SourceChangedError: the source is not the planned one, or changed while it was read.
    """
    with translated(spot.system):
        try:
            written = _WRITERS[mode](origin, spot, held)
            if mode is not Mode.SYMLINK:
                os.fsync(written.handle)
        except FileExistsError as error:
            raise LeftoverError(
                spot.system,
                "An earlier attempt left its temporary file. Clean it up, then try again.",
            ) from error
    return written


def check(mode: Mode, origin: Origin, spot: Spot, written: Written) -> Checked:
    """Prove what `write` left open.

    A hard link must be the planned file itself, a symbolic link must be the planned path and lead
    to it, and a copy or clone must have its size; a copy's bytes were compared while it was made.

    Raises:
        OvertakenError: the spot does not lead to it any more.
        SourceChangedError: the name led to another file, or the file changed.
        CheckFailedError: size or digest differ.
    """
    spot.confirm(written.handle)
    with translated(spot.system):
        now = frozen_from(os.fstat(written.handle))
        if mode is Mode.SYMLINK:
            pointed = os.readlink(spot.name, dir_fd=spot.folder)
            if pointed != str(origin.root.path_of(origin.relative)):
                raise CheckFailedError(
                    spot.system, "The link leads elsewhere. Look who changed it."
                )
            origin.confirm(frozen_from(os.stat(spot.name, dir_fd=spot.folder)))
            return Checked(now, None)
        if written.digest is None and mode is not Mode.REFLINK:
            origin.confirm(now)
            return Checked(now, None)
        return Checked(now, _proven_digest(written, now, origin, spot.system))


def _proven_digest(written: Written, now: Frozen, origin: Origin, system: str) -> str:
    """The digest of what stands there: `copy` compared its bytes, a clone's are read now."""
    changed = written.digest is not None and now.mtime_ns != written.mtime_ns
    if now.size != origin.frozen.size or changed:
        raise CheckFailedError(system, _DIFFERS)
    return written.digest or digest_of(written.handle)


def _hold(spot: Spot, handle: int, held: ExitStack) -> int:
    held.callback(os.close, handle)
    held.callback(spot.remove, handle)
    return handle


def _create(spot: Spot, held: ExitStack) -> int:
    return _hold(spot, os.open(spot.name, _NEW, 0o666, dir_fd=spot.folder), held)


def _open(spot: Spot, flags: int, held: ExitStack) -> int:
    """Open the name that was made a moment ago; where that fails, it goes again."""
    try:
        handle = os.open(spot.name, flags, dir_fd=spot.folder)
    except OSError:
        os.unlink(spot.name, dir_fd=spot.folder)
        raise
    return _hold(spot, handle, held)


def _link(origin: Origin, spot: Spot, held: ExitStack) -> Written:
    folder, name = origin.root.split(origin.relative)
    with origin.root.folder(folder) as source:
        os.link(name, spot.name, src_dir_fd=source, dst_dir_fd=spot.folder, follow_symlinks=False)
    return Written(_open(spot, _SEEN, held), None)


def _copy(origin: Origin, spot: Spot, held: ExitStack) -> Written:
    handle = _create(spot, held)
    try:
        with origin.opened() as source:
            digest = copy(source, handle)
        # as a link has it; and whatever is written after this shows
        os.utime(handle, ns=(origin.frozen.mtime_ns, origin.frozen.mtime_ns))
        return Written(handle, digest, os.fstat(handle).st_mtime_ns)
    except DiffersError as error:
        raise CheckFailedError(spot.system, _DIFFERS) from error


def _link_or_copy(origin: Origin, spot: Spot, held: ExitStack) -> Written:
    try:
        return _link(origin, spot, held)
    except OSError as error:
        if error.errno not in _NO_LINK_HERE:
            raise
        return _copy(origin, spot, held)


def _clone(origin: Origin, spot: Spot, held: ExitStack) -> Written:
    target = _create(spot, held)
    with origin.opened() as source:
        fcntl.ioctl(target, _FICLONE, source)
    return Written(target, None)


def _point(origin: Origin, spot: Spot, held: ExitStack) -> Written:
    os.symlink(origin.root.path_of(origin.relative), spot.name, dir_fd=spot.folder)
    return Written(_open(spot, _LINK, held), None)


_WRITERS: Mapping[Mode, Callable[[Origin, Spot, ExitStack], Written]] = {
    Mode.HARDLINK: _link,
    Mode.COPY: _copy,
    Mode.REFLINK: _clone,
    Mode.MOVE: _link_or_copy,
    Mode.SYMLINK: _point,
}
