"""The hard links of a plan, many in one transaction of the journal and one flush of a folder."""

from collections.abc import Sequence
from typing import Final

from anyio import CancelScope

from capabilities.adapters.shelf.leftovers import temporary_name
from capabilities.adapters.shelf.linking import Link, LinkBatch
from capabilities.adapters.shelf.placements import Mode, Step
from capabilities.adapters.shelf.threads import off_loop
from capabilities.organize.endings import REFUSED
from capabilities.organize.ground import Ground
from capabilities.organize.one_by_one import refuse_way

AT_ONCE: Final = 2500
"""Links in one batch: some tenths of a second, after which it can be stopped."""
_BEFORE: Final = (Step.PLANNED,)
_WRITTEN: Final = (Step.TEMPORARY_WRITTEN, Step.CHECKED)
_NAMED: Final = (Step.RENAMED, Step.FLUSHED)


async def link_all(ground: Ground, numbers: Sequence[int], standing: list[str]) -> list[int]:
    """Hard-link these files of the plan; `standing` grows by the targets of those that stand.

    Returns:
        what is still to be placed, by another way: none where hard links are possible.

    Raises:
        WorldFaultError: what stood in the way; the files before it are placed.
        HaltError: failed; hard links are not possible, and no copy was approved.
    """
    for first in range(0, len(numbers), AT_ONCE):
        some = numbers[first : first + AT_ONCE]
        batch = LinkBatch(ground.sources, ground.library, [_link(ground, one) for one in some])
        await _carry_out(batch, ground)
        reached = some if batch.stopped is None else some[: some.index(batch.stopped[0].number)]
        standing += [ground.plan.files[one].target for one in reached]
        if batch.stopped is None:
            continue
        link, fault = batch.stopped
        if not isinstance(fault, REFUSED):
            raise fault
        await refuse_way(ground, link.number, fault, Mode.HARDLINK, standing)
        return list(numbers[first + len(reached) :])
    return []


def _link(ground: Ground, number: int) -> Link:
    file = ground.plan.files[number]
    source = file.source
    return Link(
        number,
        source.device,
        source.inode,
        source.size,
        source.mtime_ns,
        *ground.sources.split(source.path),
        *ground.library.split(file.target),
        temporary_name(ground.token_of(number)),
    )


async def _carry_out(batch: LinkBatch, ground: Ground) -> None:
    """Nothing is written down as true before it is: `FLUSHED` when the folders are on the disk."""
    log = ground.log
    try:
        await log.note_many(_BEFORE, [link.number for link in batch.links])
        await off_loop(batch.write)
        await log.note_many(_WRITTEN, [link.number for link in batch.written])
        await off_loop(batch.name)
        await log.note_many(_NAMED, [link.number for link in batch.named])
    finally:
        with CancelScope(shield=True):
            await off_loop(batch.close)
