"""What the metadata sources say of the work that is searched for; their silence ends no search."""

from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

import anyio

from capabilities.adapters.metadata.candidates import candidates_for
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.orders_needed import orders_needed
from capabilities.adapters.metadata.season_reading import with_latest_seasons, with_seasons
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import HaltError
from capabilities.release.asked import Asked
from capabilities.release.judging import Asking, Offer
from capabilities.rules.works import Work

LOOKING_UP_S: Final = 12.0
"""Seconds for all of it; the indexers may have used up most of the time of a search by then."""
MOST_SEASONS: Final = 6
"""That names say, whose episodes are asked for besides the latest."""
_AIRED: Final = "it is not known which episodes have aired"
_COUNTED: Final = "it is not known where episodes stand that names count otherwise"
_MEANT: Final = "other works of its title are not known, so only numbers of the sources are certain"


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Of what the offers are judged, and what is open because a source did not say."""

    asking: Asking
    open: tuple[str, ...] = ()


async def looked_up(
    asking: Asking,
    offers: Sequence[Offer],
    wanted: Asked,
    context: Context,
    *,
    seconds: float = LOOKING_UP_S,
) -> LookedUp:
    """The same with what the metadata sources say, where a work is wanted.

    Never fails: without the other works of its title only an id makes an offer certain, and what
    else a silent source leaves open is told.
    """
    if wanted.work is None:
        return LookedUp(asking)
    work, until = wanted.work, anyio.current_time() + seconds
    asking = replace(asking, candidates=[work], unsearched=True)
    try:
        catalogue = context.part(Catalogue, "metadata source")
    except HaltError as halted:
        return LookedUp(asking, (f"{_MEANT}: {halted.outcome.sentence.rstrip('.')}",))
    open_: list[str] = []
    async with _telling(_AIRED, open_, until):
        work = await with_latest_seasons(work, wanted.scope.season, catalogue)
        work = await with_seasons(work, _seasons_said(offers), catalogue)
    asking = replace(asking, by=replace(asking.by, work=work), candidates=[work])
    async with _telling(_COUNTED, open_, until):
        names = [offer.owned.name for offer in offers]
        orders = await orders_needed(names, work, asking.by.identity, catalogue)
        asking = replace(asking, orders=orders)
    async with _telling(_MEANT, open_, until):
        asking = await _with_candidates(asking, work, catalogue)
    return LookedUp(asking, tuple(open_))


def _seasons_said(offers: Sequence[Offer]) -> list[int]:
    """Those that most names say: a plan judges each by the episodes of the season that it says."""
    said = Counter(season for offer in offers for season in offer.owned.name.seasons)
    return [season for season, _ in said.most_common(MOST_SEASONS)]


async def _with_candidates(asking: Asking, work: Work, catalogue: Catalogue) -> Asking:
    found = await candidates_for(catalogue, [work.title], work.key.kind, [work], year=work.year)
    return replace(asking, candidates=found.works, crowded=found.crowded, unsearched=False)


@asynccontextmanager
async def _telling(what: str, open_: list[str], until: float) -> AsyncGenerator[None]:
    """Tell what stays open when a source does not say it by then."""
    try:
        with anyio.fail_after(until - anyio.current_time()):
            yield
    except TimeoutError:
        open_.append(f"{what}: the source did not answer in time")
    except WorldFaultError as fault:
        open_.append(f"{what}: {fault.system}: {fault.sentence.rstrip('.')}")
