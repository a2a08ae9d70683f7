"""Placing one file of a plan, by its way or the next that was approved."""

from collections.abc import Sequence
from dataclasses import replace

from anyio import to_thread

from capabilities.adapters.shelf.placements import Entry, Mode
from capabilities.adapters.shelf.placing import place
from capabilities.adapters.shelf.probes import Standing, standing_of
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.endings import REFUSED, partly, refused, two_places
from capabilities.organize.ground import Ground
from capabilities.organize.logbook import INSTEAD


async def place_one(ground: Ground, number: int) -> None:
    """Bring a file to its free place, unless it stands there already.

    Raises:
        WorldFaultError: as `capabilities.adapters.shelf.placing.place`.
        HaltError: failed; its way is not possible, and no other one was approved.
    """
    plan = ground.plan
    wanted = ground.log.with_digest(number, plan.placement(number))
    standing = await to_thread.run_sync(standing_of, ground.library, wanted, ground.sources)
    if standing is Standing.PLACED:
        return

    async def write_down(entry: Entry) -> None:
        step = {"file": number, "step": entry.step.value, "digest": entry.digest}
        await ground.log.note(step)

    for way in ways_left(ground):
        try:
            await place(
                replace(wanted, mode=way),
                sources=ground.sources,
                origin=plan.files[number].source.path,
                shelf=ground.library,
                token=ground.token_of(number),
                journal=write_down,
            )
        except REFUSED as fault:
            await refuse_way(ground, number, fault, way)
        else:
            return


def ways_left(ground: Ground) -> Sequence[Mode]:
    """The ways that are worth trying: one that was impossible a moment ago still is."""
    ways = ground.ways
    return ways if ground.log.instead is None else ways[-1:]


async def refuse_way(
    ground: Ground, number: int, fault: WorldFaultError, way: Mode, standing: Sequence[str] = ()
) -> None:
    """Write down at which file and why the next way is taken; where there is none, end.

    Raises:
        HaltError: failed; it says both folders and what each lies on.
    """
    plan = ground.plan
    why = await off_loop(two_places, fault, way, ground.sources, ground.library)
    if way is ground.ways[-1]:
        if standing:
            told = type(fault)(fault.system, why)
            raise HaltError(partly(told, list(standing), len(plan.files)))
        raise HaltError(await off_loop(refused, why, ground.sources, ground.library))
    said = f"{why} It was copied instead."
    await ground.log.note({"file": number, "step": INSTEAD, "why": said, "digest": None})
