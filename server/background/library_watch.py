"""Hearing of changes in adopted libraries soon, where the file system tells of them.

Network mounts mostly do not, and a system may allow fewer watched folders than a library has: what
is not heard of is seen in the next turn of `server.background.libraries` all the same.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import anyio
import structlog
from watchfiles import awatch  # pyright: ignore[reportUnknownVariableType]  # of trio's event, which is not installed

from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import libraries
from server.background.libraries import see_libraries

QUIET_MS: Final = 5_000
"""How long changes that follow one another are gathered."""
LOOK_MS: Final = 1_000
"""How often it is looked whether there were any: each look wakes a thread."""
PAUSE_S: Final = 30.0
"""Between two looks at a library: a file that grows changes all the time."""
AGAIN_S: Final = 60.0

log = structlog.get_logger()


class LibraryWatch:
    """Sees libraries anew soon after something changed in them."""

    def __init__(
        self, ledger: Ledger, *, pause_s: float = PAUSE_S, again_s: float = AGAIN_S
    ) -> None:
        """Take the ledger that knows the libraries.

        Args:
            ledger: what was seen is written there.
            pause_s: least seconds between two looks.
            again_s: seconds after which it is asked anew which libraries there are.
        """
        self._ledger = ledger
        self._pause_s = pause_s
        self._again_s = again_s

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            try:
                watched = await self._watchable()
                if watched:
                    await self._until_others(watched)
                    continue
            except LedgerUnavailableError as fault:
                log.warning("libraries cannot be watched now", why=str(fault))
            except (OSError, RuntimeError) as fault:  # what the watching library raises
                log.warning("libraries are looked at now and then only", why=str(fault))
            except Exception:  # the house must not end because a library could not be seen
                log.exception("a look at the libraries failed")
            await anyio.sleep(self._again_s)

    async def _watchable(self) -> list[str]:
        """The adopted libraries that are there, none that lies within another one."""
        rows = await self._ledger.read(libraries.adopted)
        paths = [Path(row.path) for row in rows]
        there = await anyio.to_thread.run_sync(lambda: [one for one in paths if one.is_dir()])
        return [
            str(one)
            for one in there
            if not any(one != other and one.is_relative_to(other) for other in there)
        ]

    async def _until_others(self, watched: Sequence[str]) -> None:
        """Watch these libraries, until there are others."""
        async for changes in awatch(
            *watched,
            watch_filter=None,
            debounce=QUIET_MS,
            step=LOOK_MS,
            rust_timeout=int(self._again_s * 1000),
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            if changes:
                await see_libraries(self._ledger, _touched(watched, {path for _, path in changes}))
                await anyio.sleep(self._pause_s)
            if await self._watchable() != list(watched):
                return


def _touched(watched: Sequence[str], paths: set[str]) -> frozenset[str]:
    return frozenset(
        library
        for library in watched
        if any(path == library or path.startswith(f"{library}/") for path in paths)
    )
