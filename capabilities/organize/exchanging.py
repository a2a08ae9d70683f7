"""A new file under the very name of the old one: proven beside it, then exchanged in one act."""

from contextlib import ExitStack, suppress
from dataclasses import replace

from anyio import CancelScope, to_thread

from capabilities.adapters.shelf import recycling
from capabilities.adapters.shelf.exchanging import Exchange
from capabilities.adapters.shelf.placements import Mode, Step
from capabilities.adapters.shelf.probes import Standing, standing_of
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import LostAnswerError, WorldFaultError
from capabilities.organize.endings import REFUSED
from capabilities.organize.ground import Ground
from capabilities.organize.import_plan import OldFile
from capabilities.organize.logbook import RECYCLED
from capabilities.organize.one_by_one import refuse_way, ways_left
from capabilities.organize.recycled_places import placed_for, step_of
from capabilities.organize.standing import streams_of


async def exchanged(ground: Ground, number: int, old: OldFile) -> None:
    """Let a file of the plan have the name of an old one, which goes into the recycle folder.

    Raises:
        WorldFaultError: the old file has its name still, and nothing else.
        HaltError: the same; the new one is no readable video, or its way is not possible.
    """
    wanted = ground.log.with_digest(number, ground.plan.placement(number))
    standing = await to_thread.run_sync(standing_of, ground.library, wanted, ground.sources)
    if standing is not Standing.PLACED:
        for way in ways_left(ground):
            try:
                await _by(way, ground, number, old)
            except REFUSED as fault:
                await refuse_way(ground, number, fault, way)
            else:
                break
    place = await placed_for(ground, old)
    if (old.folder, old.was.path) not in ground.log.away:
        await ground.log.note(step_of(ground, old, RECYCLED, place))


async def _by(way: Mode, ground: Ground, number: int, old: OldFile) -> None:
    """One way of it, with each step written down before the next."""
    file, log = ground.plan.files[number], ground.log
    await log.note({"file": number, "step": Step.PLANNED.value, "digest": None})
    held = ExitStack()
    exchange = Exchange(
        replace(ground.plan.placement(number), mode=way),
        ground.sources,
        file.source.path,
        ground.library,
        ground.token_of(number),
        held,
    )
    try:
        checked = await off_loop(exchange.write)
        await streams_of(ground, file, exchange.temporary, way)
        await log.note({"file": number, "step": Step.CHECKED.value, "digest": checked.digest})
        place = await placed_for(ground, old)
        was = old.was.frozen()
        try:
            await off_loop(recycling.keep, ground.library, old.was.path, was, place)
            await off_loop(exchange.exchange, was)
        except LostAnswerError:
            raise
        except WorldFaultError:
            with CancelScope(shield=True), suppress(WorldFaultError):
                await off_loop(recycling.unkeep, ground.library, old.was.path, was, place)
            raise
        await log.note({"file": number, "step": Step.FLUSHED.value, "digest": checked.digest})
    finally:
        with CancelScope(shield=True):
            await off_loop(held.close)
