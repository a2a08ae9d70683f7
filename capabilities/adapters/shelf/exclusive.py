"""Giving a file its final name without ever replacing another, in one folder."""

import ctypes
import errno
import os
from contextlib import suppress

from capabilities.adapters.shelf.faults import (
    NotFoundError,
    TargetExistsError,
    fault_of,
    translated,
)
from capabilities.adapters.shelf.spots import Spot
from capabilities.kernel import fault_points
from capabilities.kernel.faults import LostAnswerError, UnreachableError

_RENAME_NOREPLACE = 1
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
_TAKEN = "Something already has the target's name. It was left as it is."


def refuse_taken(folder: int, name: str, system: str) -> None:
    """Spare the work of a placement that is bound to fail; `take_name` is what makes sure."""
    with suppress(NotFoundError), translated(system):
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        raise TargetExistsError(system, _TAKEN)


def take_name(spot: Spot, handle: int, name: str) -> None:
    """Rename the open file `handle` from its spot to `name`; of two callers exactly one wins.

    link(2) makes the new name and fails if anything has it, in one act of the kernel; then the
    old name goes. A death in between leaves both names of one whole file. Where a file system
    has no hard links (exFAT, some network mounts), renameat2(2) promises the same.

    Raises:
        OvertakenError: the spot does not lead to that file any more; nothing was named.
        TargetExistsError: the name is taken, be it by a file, a folder or a dangling link.
        NotSupportedError: the file system can do neither.
        LostAnswerError: the file system failed in the middle; whether the name is ours is unknown.
    """
    try:
        fault_points.at("before_name")
        spot.confirm(handle)
        _link_then_unlink(spot, handle, name)
        fault_points.at("named")
    except FileExistsError as error:
        raise TargetExistsError(spot.system, _TAKEN) from error
    except OSError as error:
        fault = fault_of(spot.system, error)
        if type(fault) is UnreachableError:
            fault = LostAnswerError(spot.system, f"While a file was being named: {fault.sentence}")
        raise fault from error


def _link_then_unlink(spot: Spot, handle: int, name: str) -> None:
    folder = spot.folder
    try:
        os.link(spot.name, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _rename_without_replacing(folder, spot.name, name)
    else:
        fault_points.at("two_names")
        spot.remove(handle)


def _rename_without_replacing(folder: int, temporary: str, name: str) -> None:
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
    flags = ctypes.c_uint(_RENAME_NOREPLACE)
    if renameat2(folder, os.fsencode(temporary), folder, os.fsencode(name), flags):
        code = ctypes.get_errno()
        # a file system that does not know the flag calls it an invalid argument
        code = errno.EOPNOTSUPP if code in {errno.EINVAL, errno.ENOSYS} else code
        raise OSError(code, os.strerror(code))
