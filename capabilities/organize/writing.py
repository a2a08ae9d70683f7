"""Writing the files of ours that a plan names, once everything else of it stands."""

from capabilities.adapters.shelf.faults import TargetExistsError
from capabilities.adapters.shelf.placements import Entry
from capabilities.adapters.shelf.probes import Standing
from capabilities.adapters.shelf.texts import Text, text_standing, write_text
from capabilities.organize.ground import Ground
from capabilities.organize.logbook import LEFT


async def write_all(ground: Ground) -> None:
    """Bring each one to its place, unless it stands there already.

    A name that something else has by now, as the NFO that a media server wrote meanwhile, stays
    with it: that is written down, and no reason to call the placing failed. In the journal they
    are counted on behind the plan's other files.

    Raises:
        WorldFaultError: as `capabilities.adapters.shelf.texts.write_text`; it was not written.
    """
    for number, file in enumerate(ground.plan.written, len(ground.plan.files)):
        standing = await text_standing(ground.library, file.target, file.digest)
        if standing is not Standing.PLACED:
            await _write(ground, number, Text(file.target, file.content))


async def _write(ground: Ground, number: int, text: Text) -> None:
    async def write_down(entry: Entry) -> None:
        step = {"file": number, "step": entry.step.value, "digest": entry.digest}
        await ground.log.note(step)

    try:
        await write_text(
            text, shelf=ground.library, token=ground.token_of(number), journal=write_down
        )
    except TargetExistsError:
        await ground.log.note({"file": number, "step": LEFT, "digest": None})
