"""What a file system can refuse, as faults that a person can act on."""

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager

from capabilities.kernel.faults import DeclinedError, UnreachableError, WorldFaultError


class PathRefusedError(DeclinedError):
    """The relative path could lead outside its folder, or no file system can hold it."""


class ObstructedError(DeclinedError):
    """A link stands in the way, which is never followed, or a file where a folder should be."""


class NotFoundError(DeclinedError):
    """Nothing has that name."""


class NotAFileError(DeclinedError):
    """The name belongs to a folder, a link or a device, not to a regular file."""


class SourceChangedError(DeclinedError):
    """The source is no longer the file that the plan was made for."""


class TargetExistsError(DeclinedError):
    """Something already has the target's name; it was left as it is."""


class LeftoverError(DeclinedError):
    """An earlier attempt with the same token left its temporary file."""


class OvertakenError(DeclinedError):
    """The temporary file of an attempt is not there any more, or is another attempt's by now."""


class CheckFailedError(DeclinedError):
    """What was written is not what was read."""


class CrossDeviceError(DeclinedError):
    """The two names lie on different file systems, which a hard link or clone cannot span."""


class NotSupportedError(DeclinedError):
    """The file system cannot do it at all."""


class NotPermittedError(DeclinedError):
    """The account that runs us may not do it."""


class ReadOnlyError(DeclinedError):
    """The file system is mounted for reading only."""


class NoSpaceError(UnreachableError):
    """The file system or the account's quota is full; nothing was kept."""


_NO_SPACE = (NoSpaceError, "There is no space left, so nothing was kept. Free some and try again.")
_NOT_PERMITTED = (
    NotPermittedError,
    "The account that runs this program may not do that here. Check owner and mode of the folder.",
)
_OBSTRUCTED = (
    ObstructedError,
    "A link is in the way (links are not followed), or a file where a folder should be. Remove it.",
)
_NOT_SUPPORTED = (NotSupportedError, "The file system cannot do that. Choose another mode.")
_CROSS_DEVICE = (
    "Source and target lie on different file systems (or separate mounts of one), and neither a"
    " hard link nor a clone can span them. Put both on one, or let the policy say copy."
)
_FAULTS: dict[int, tuple[type[WorldFaultError], str]] = {
    errno.ENOSPC: _NO_SPACE,
    errno.EDQUOT: _NO_SPACE,
    errno.EACCES: _NOT_PERMITTED,
    errno.EPERM: _NOT_PERMITTED,
    errno.EROFS: (
        ReadOnlyError,
        "The file system is mounted for reading only. Mount it for writing, or check the disk.",
    ),
    errno.ELOOP: _OBSTRUCTED,
    errno.ENOTDIR: _OBSTRUCTED,
    errno.ENOENT: (NotFoundError, "It is not there (any more). Look again at what the folder has."),
    errno.ENAMETOOLONG: (PathRefusedError, "The file system holds no name that long. Shorten it."),
    errno.EXDEV: (
        CrossDeviceError,
        _CROSS_DEVICE,
    ),
    errno.EMLINK: (
        NotSupportedError,
        "The source has all the hard links it can have. Remove one, or let the policy say copy.",
    ),
    errno.EFBIG: (
        NotSupportedError,
        "The file is larger than this file system or account may hold. Choose another place.",
    ),
    errno.EOPNOTSUPP: _NOT_SUPPORTED,
    errno.ENOTTY: _NOT_SUPPORTED,
}


def fault_of(system: str, error: OSError) -> WorldFaultError:
    """The fault for an error number; one that nobody planned for counts as unreachable."""
    fault, sentence = _FAULTS.get(
        error.errno or 0,
        (
            UnreachableError,
            f"The file system failed ({os.strerror(error.errno or 0)}). Check the disk or mount.",
        ),
    )
    return fault(system, sentence)


@contextmanager
def translated(system: str) -> Generator[None]:
    """Turn an ``OSError`` of the block into the fault it stands for, charged to `system`."""
    try:
        yield
    except OSError as error:
        raise fault_of(system, error) from error
