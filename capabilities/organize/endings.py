"""How an attempt at a plan ends where it does not succeed, for a person."""

import os
from typing import Final

from capabilities.adapters.shelf.faults import CrossDeviceError, NotSupportedError, translated
from capabilities.adapters.shelf.placements import Mode
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.codes import Code
from capabilities.kernel.faults import UnreachableError, WorldFaultError
from capabilities.kernel.outcomes import Failed
from capabilities.organize.import_plan import PlannedFile
from capabilities.rules.wording import counted

REFUSED: Final = (CrossDeviceError, NotSupportedError)
"""What makes another way of placing worth trying."""
_WORDS: Final = {Mode.HARDLINK: "a hard link", Mode.REFLINK: "a clone"}
_CURE: Final = (
    "Put both folders on one file system, below one mount where they are in a container, or publish"
    " an organise policy with the mode copy or with copy_across_devices."
)


def partly(fault: WorldFaultError, standing: list[str], total: int) -> Failed:
    """Some files stand, so it must not be said that nothing was changed."""
    again, many = isinstance(fault, UnreachableError), len(standing)
    plan = "The same plan" if again else "A new plan"
    return Failed(
        Code.UNAVAILABLE if again else Code.CONFLICT,
        f"{fault.sentence} {many} of {counted(total, 'file')} {'is' if many == 1 else 'are'} in "
        "the library already, "
        f"{standing[0]} first.",
        f"They stay, and the sources are untouched. {plan} goes on from here.",
        retry=again,
        details={"placed": standing},
        partly=True,
    )


def not_as_planned(file: PlannedFile, why: str) -> Failed:
    """What stands there is not to be called placed."""
    return Failed(
        Code.PRECONDITION,
        f"{file.target} was placed but {why}.",
        "It was left where it is; the source is untouched. Look at the file, then plan again.",
        details={"placed": file.target},
        partly=True,
    )


def two_places(fault: WorldFaultError, mode: Mode, sources: Root, library: Root) -> str:
    """Why a link or clone was not possible between two folders, with what each lies on."""
    what = _WORDS.get(mode, "a link")
    one, other = device_of(sources), device_of(library)
    here, there = f"{sources.path} is on device {one}", f"{library.path} on device {other}"
    if isinstance(fault, NotSupportedError):
        return f"The file system cannot make {what}: {here} and {there}."
    if one == other:
        return (
            f"Separate mounts of one file system cannot share {what}: {here}, and so is"
            f" {library.path}."
        )
    return f"Two file systems cannot share {what}: {here}, and {there}."


def refused(sentence: str, sources: Root, library: Root) -> Failed:
    """The plan's way is not possible, and no other one was approved."""
    details = {
        "downloads": {"folder": str(sources.path), "device": device_of(sources)},
        "library": {"folder": str(library.path), "device": device_of(library)},
    }
    said = f"{sentence} Nothing was copied instead."
    return Failed(Code.PRECONDITION, said, _CURE, details=details)


def device_of(root: Root) -> str:
    """The device that a folder lies on, as ``major:minor`` (stat(2)); blocking, but at once."""
    with root.folder() as handle, translated(root.system):
        device = os.fstat(handle).st_dev
    return f"{os.major(device)}:{os.minor(device)}"
