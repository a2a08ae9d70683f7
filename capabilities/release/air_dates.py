"""The episodes that a release is judged by: works are kept without them."""

from dataclasses import dataclass, replace
from typing import Final

import anyio

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.season_reading import with_latest_seasons
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import HaltError
from capabilities.release.standard import Standard
from capabilities.rules.owned_names import owned_name
from capabilities.rules.works import WorkKind

AIRING_S: Final = 4.0
"""Seconds for the source of the work."""


@dataclass(frozen=True, slots=True)
class Aired:
    """A standard, and why it lacks air dates that are wanted, if it does."""

    by: Standard
    open: str | None = None


async def with_air_dates(
    by: Standard, title: str, context: Context, *, seconds: float = AIRING_S
) -> Aired:
    """The standard with the same episodes that a search judges a release of this title by.

    Never fails: what a silent source leaves open is told.
    """
    if by.work is None or by.work.key.kind is not WorkKind.SERIES:
        return Aired(by)
    name = owned_name(title, by.identity.words).name
    try:
        catalogue = context.part(Catalogue, "metadata source")
        with anyio.fail_after(seconds):
            work = await with_latest_seasons(by.work, max(name.seasons, default=None), catalogue)
    except TimeoutError:
        return Aired(by, _unknown(f"their source did not answer within {seconds:g} s"))
    except WorldFaultError as fault:
        return Aired(by, _unknown(f"{fault.system}: {fault.sentence}"))
    except HaltError as halted:
        return Aired(by, _unknown(halted.outcome.sentence))
    return Aired(replace(by, work=work))


def _unknown(why: str) -> str:
    return f"it is not known when its episodes are aired: {why}"
