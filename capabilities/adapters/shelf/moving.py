"""The last step of a move whose process died before the source's name was gone."""

from capabilities.adapters.shelf.faults import CheckFailedError, NotFoundError
from capabilities.adapters.shelf.origins import Origin
from capabilities.adapters.shelf.placements import Placement
from capabilities.adapters.shelf.probes import Standing, standing_of
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop


async def finish_move(placement: Placement, *, sources: Root, origin: str, shelf: Root) -> bool:
    """Remove the source of a move whose target is proven to be on the shelf.

    Returns:
        False when the source was gone already.

    Raises:
        CheckFailedError: the target is not proven; the source was left.
        SourceChangedError: another file has the source's name; it was left.
    """
    return await off_loop(_finish, placement, Origin(sources, origin, placement.source), shelf)


def _finish(placement: Placement, origin: Origin, shelf: Root) -> bool:
    if standing_of(shelf, placement) is not Standing.PLACED:
        raise CheckFailedError(
            shelf.system, "The moved file is not proven to be there, so its source was kept."
        )
    try:
        origin.remove()
    except NotFoundError:
        return False
    return True
