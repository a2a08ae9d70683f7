"""Other orders of a series' episodes, asked for where names count by them."""

from collections.abc import Iterable

from anyio import to_thread

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.rules.episode_counting import Unsettled
from capabilities.rules.file_numbers import places_in
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.owned_names import NO_ORDERS, Orders, owned_counting
from capabilities.rules.works import Work, WorkKind


async def orders_needed(
    names: Iterable[ReleaseName], work: Work, policy: IdentityPolicy, catalogue: Catalogue
) -> Orders:
    """The orders of a work; its source is asked once, and not where every name is settled.

    Raises:
        WorldFaultError: the work's own source is not set up, or did not answer.
    """
    if work.key.kind is not WorkKind.SERIES:
        return NO_ORDERS
    if not await to_thread.run_sync(_some_unsettled, list(names), work, policy):
        return NO_ORDERS
    return {work.key: await catalogue.orders(work.key)}


def _some_unsettled(names: list[ReleaseName], work: Work, policy: IdentityPolicy) -> bool:
    counting = owned_counting(work, policy)
    return any(
        isinstance(places_in(name, work, counting), Unsettled)
        for name in names
        if name.episodes or name.absolute_episodes
    )
