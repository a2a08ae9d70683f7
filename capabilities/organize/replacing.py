"""Letting an old file go once a new one stands for it: into the recycle folder, never away.

The new file is proven before the old one is touched. Where both have one name, the old file gets a
second name in the recycle folder first, and the two change names in one act. So there is a whole
file under the old name or the new one at every moment, and the journal tells where the other is.
"""

from anyio import CancelScope

from capabilities.adapters.shelf import recycling
from capabilities.adapters.shelf.faults import NotFoundError, TargetExistsError
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.codes import Code
from capabilities.kernel.faults import LostAnswerError, WorldFaultError
from capabilities.kernel.outcomes import Failed, HaltError
from capabilities.organize.exchanging import exchanged
from capabilities.organize.ground import Ground, OnShelf
from capabilities.organize.import_plan import OldFile
from capabilities.organize.logbook import RECYCLED, RESTORED, TAKEN_BACK
from capabilities.organize.recycled_places import placed_for, stands, step_of
from capabilities.organize.standing import proven

TRIES = 3
"""Of finding a free place in the recycle folder, while others put things there too."""


async def replace_by(ground: Ground, number: int, standing: OnShelf | None) -> OnShelf:
    """Let everything go that a file of the plan stands for; it has its name after that.

    Args:
        ground: of the attempt.
        number: of the file.
        standing: the file, proven; None where an old one has its name still.

    Raises:
        HaltError: failed; the old files have their names, and the new one was taken away again.
        WorldFaultError: the same, where nothing was done about this file.
    """
    same = ground.same.get(number)
    if standing is None and same is not None:
        await exchanged(ground, number, same)
        (standing,) = await proven(ground, [number])
    if standing is None:
        raise RuntimeError("a file that no old one has the name of was not proven")
    gone: list[OldFile] = []
    try:
        for old in ground.old[number]:
            if old is not same and await _recycled(ground, old):
                gone.append(old)  # noqa: PERF401  # what went before a fault is given back
    except LostAnswerError:
        raise
    except WorldFaultError as fault:
        ended = True
        with CancelScope(shield=True):
            ended = await _rolled_back(ground, standing, gone, same=same is not None)
        raise HaltError(_not_replaced(fault, standing, kept=ended)) from fault
    return standing


async def _recycled(ground: Ground, old: OldFile) -> bool:
    """Move one old file, or find that an earlier attempt did; False when somebody took it away."""
    log, root, path = ground.log, ground.root_of(old.folder), old.was.path
    if (old.folder, path) in log.away:
        return True
    for _ in range(TRIES):
        place = await placed_for(ground, old)
        try:
            if not await off_loop(stands, root, place, old):
                await off_loop(recycling.recycle, root, path, old.was.frozen(), place)
        except TargetExistsError:
            del log.places[old.folder, path]
            continue
        except NotFoundError:
            return False
        await log.note(step_of(ground, old, RECYCLED, place))
        return True
    raise TargetExistsError(root.system, "Its recycle folder is in use. Try again in a moment.")


async def _rolled_back(
    ground: Ground, standing: OnShelf, gone: list[OldFile], *, same: bool
) -> bool:
    """Give old files their names back and take the new one away; whether the new one stays."""
    for old in gone:
        root, place = ground.root_of(old.folder), ground.log.places[old.folder, old.was.path]
        try:
            await off_loop(recycling.restore, root, place, old.was.frozen(), old.was.path)
        except WorldFaultError:
            return True  # what stands for it must stay, then
        await ground.log.note(step_of(ground, old, RESTORED, place))
    number = ground.plan.files.index(standing.file)
    if same or number not in ground.log.named:
        return True  # it stood there before this plan, too
    try:
        target = standing.file.target
        await off_loop(recycling.take_back, ground.library, target, standing.inode)
    except WorldFaultError:
        return True
    await ground.log.note({"file": number, "step": TAKEN_BACK, "digest": None})
    return False


def _not_replaced(fault: WorldFaultError, standing: OnShelf, *, kept: bool) -> Failed:
    target = standing.file.target
    said = (
        f"{target} stands, and what it replaces could not be taken away."
        if kept
        else f"What {target} was to replace stays as it was, and it was taken away again."
    )
    return Failed(
        Code.CONFLICT,
        f"{fault.sentence} {said}",
        "The sources are untouched. Look at the files, then plan again.",
        details={"placed": [target] if kept else []},
        partly=True,
    )
