"""Whether there is room: free space less what running downloads are still owed."""

from dataclasses import dataclass

from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.space import space
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.under_way import ACTIVE
from ledger.stores import downloads

GB = 1e9


@dataclass(frozen=True, slots=True)
class Room:
    """Bytes on the downloads' disk."""

    free: int
    owed: int
    floor: int

    def after(self, size: int) -> int:
        """What would be free once everything planned and ``size`` more has arrived."""
        return self.free - self.owed - size


async def room(context: Context) -> Room:
    """Measure the disk now, and count what is still to come."""
    folders = context.part(Folders, "library")
    async with roots.opened(folders.downloads, "the download folder") as root:
        now = await space(root)
    rows = await context.ledger.read(lambda conn: downloads.listing(conn, states=ACTIVE))
    owed = sum(max(row.size - row.done, 0) for row in rows)
    return Room(now.free, owed, folders.floor_bytes)


async def refuse_without_room(context: Context, size: int) -> int:
    """The bytes that would be left after ``size`` more.

    Raises:
        HaltError: refused; less than the floor would be left.
    """
    now = await room(context)
    left = now.after(size)
    if left < now.floor:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"There is no room: {size / GB:.2f} GB wanted, {now.free / GB:.2f} GB free, "
                f"{now.owed / GB:.2f} GB owed to running downloads, and "
                f"{now.floor / GB:.2f} GB must stay free. Nothing was done.",
                {"space": "Free some space on the download disk, or choose a smaller release."},
            )
        )
    return left
