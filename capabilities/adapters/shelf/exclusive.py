"""Giving a file its final name without ever replacing another, in one folder."""

import errno
import os
from contextlib import suppress

from capabilities.adapters.shelf.faults import (
    NotFoundError,
    TargetExistsError,
    fault_of,
    translated,
)
from capabilities.adapters.shelf.renames import Renames
from capabilities.adapters.shelf.spots import Spot
from capabilities.kernel import fault_points
from capabilities.kernel.faults import LostAnswerError, UnreachableError, WorldFaultError

_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
TAKEN = "Something already has the target's name. It was left as it is."


def refuse_taken(folder: int, name: str, system: str) -> None:
    """Spare the work of a placement that is bound to fail; `take_name` is what makes sure."""
    with suppress(NotFoundError), translated(system):
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        raise TargetExistsError(system, TAKEN)


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
        raise TargetExistsError(spot.system, TAKEN) from error
    except OSError as error:
        raise fault_in_naming(spot.system, error) from error


def fault_in_naming(system: str, error: OSError) -> WorldFaultError:
    """What an error while a name was given means: of one that nobody planned for, nobody knows."""
    fault = fault_of(system, error)
    if type(fault) is UnreachableError:
        return LostAnswerError(system, f"While a file was being named: {fault.sentence}")
    return fault


def _link_then_unlink(spot: Spot, handle: int, name: str) -> None:
    folder = spot.folder
    try:
        os.link(spot.name, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        Renames.found().to_free_name(folder, spot.name, folder, name)
    else:
        fault_points.at("two_names")
        spot.remove(handle)
