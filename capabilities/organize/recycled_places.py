"""Where old files go, and the lines of the journal about them."""

from typing import Any

from capabilities.adapters.shelf import recycling
from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.organize.ground import Ground
from capabilities.organize.import_plan import OldFile
from capabilities.organize.logbook import RECYCLING


async def placed_for(ground: Ground, old: OldFile) -> str:
    """Where an old file is to go, written down before it goes."""
    key = (old.folder, old.was.path)
    if key not in ground.log.places:
        root = ground.root_of(old.folder)
        place = await off_loop(recycling.place_for, root, old.was.path)
        await ground.log.note(step_of(ground, old, RECYCLING, place))
    return ground.log.places[key]


def step_of(ground: Ground, old: OldFile, step: str, place: str) -> dict[str, Any]:
    """A line of the journal about an old file."""
    return {
        "file": old.file,
        "step": step,
        "digest": None,
        "folder": old.folder,
        "from": old.was.path,
        "to": place,
        "inode": old.was.inode,
        "size": old.was.size,
        "at": ground.log.ledger.now().isoformat(timespec="seconds"),
    }


def stands(root: Root, place: str, old: OldFile) -> bool:
    """Whether an attempt that died had it there already; blocking."""
    try:
        now = root.status(place)
    except NotFoundError:
        return False
    return (now.st_ino, now.st_size) == (old.was.inode, old.was.size)
