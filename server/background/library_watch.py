"""Hearing of changes in adopted libraries soon, where the file system tells of them.

Network mounts mostly do not, and a system may allow fewer watched folders than a library has: what
is not heard of is seen in the next look, which comes in any case. One process listens; where it
dies, another one does.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import anyio
import structlog
from watchfiles import awatch  # pyright: ignore[reportUnknownVariableType]  # of trio's event, which is not installed

from capabilities.kernel.owing import SURVEY
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import leases, libraries, surveys
from ledger.writer import Transaction

QUIET_MS: Final = 2_000
"""How long changes that follow one another are gathered."""
LOOK_MS: Final = 500
"""How often it is looked whether there were any: each look wakes a thread."""
PAUSE_S: Final = 5.0
"""Between two looks at a library, at the least: a file that grows changes all the time."""
MOST_OF_THE_TIME: Final = 10
"""A look that takes long is followed by a pause so many times its length."""
LONGEST_PAUSE_S: Final = 60.0
AGAIN_S: Final = 60.0
FLOOD: Final = 500
"""So many paths at once may be a part of what happened; systems hold some thousand."""
LEASE: Final = "library-watch"

log = structlog.get_logger()


class LibraryWatch:
    """Lets libraries be looked at soon after something changed in them."""

    def __init__(
        self, ledger: Ledger, *, pause_s: float = PAUSE_S, again_s: float = AGAIN_S
    ) -> None:
        """Take the ledger that knows the libraries.

        Args:
            ledger: what is heard is written there.
            pause_s: least seconds between two looks.
            again_s: seconds after which it is asked anew which libraries there are, and whether
                it is still this process that listens.
        """
        self._ledger = ledger
        self._pause_s = pause_s
        self._again_s = again_s

    async def run(self) -> None:
        """Watch whenever no other process does, until cancelled."""
        before: list[str] | None = None
        while True:
            try:
                fence = await self._acquired()
                watched = await self._watchable() if fence is not None else []
                if fence is not None and watched:
                    await self._until_others(watched, fence, missed=before != watched)
                    before = watched
                    continue
                before = None
            except LedgerUnavailableError as fault:
                log.warning("libraries cannot be watched now", why=str(fault))
            except (OSError, RuntimeError) as fault:  # what the watching library raises
                log.warning("libraries are looked at now and then only", why=str(fault))
                before = None
            except Exception:  # the house must not end because a library could not be watched
                log.exception("watching the libraries failed")
            await anyio.sleep(self._again_s)

    async def _acquired(self) -> int | None:
        me, at = self._ledger.worker, self._ledger.now()
        return await self._ledger.write(lambda tx: leases.acquire(tx, LEASE, me, at))

    async def _is_ours(self, fence: int) -> bool:
        me = self._ledger.worker
        return await self._ledger.read(lambda conn: leases.holds(conn, LEASE, me, fence))

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

    async def _until_others(self, watched: Sequence[str], fence: int, *, missed: bool) -> None:
        """Watch these libraries until there are others, or another process listens.

        Where nobody has listened so far, changes may have been missed: a look tells.
        """
        if missed:
            await self._hear(watched)
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
                touched = _touched(watched, {path for _, path in changes})
                await self._hear(touched)
                await anyio.sleep(await self._pause_after(touched))
            elif not await self._is_ours(fence):
                return
            if await self._watchable() != list(watched):
                return

    async def _hear(self, paths: Sequence[str]) -> None:
        def write(tx: Transaction) -> None:
            for path in paths:
                row = surveys.hear(tx, path)
                if not self._ledger.engine.schedule(tx, SURVEY, row.id):
                    self._ledger.engine.nudge(tx, SURVEY, row.id)

        if paths:
            await self._ledger.write(write)

    async def _pause_after(self, paths: Sequence[str]) -> float:
        """Long enough that looks are a small part of the time, by those that are on record."""
        took = 0.0
        for path in paths:
            row = await self._ledger.read(lambda conn, path=path: surveys.by_path(conn, path))
            if row is not None and row.begun_at is not None and row.ended_at is not None:
                took = max(took, (row.ended_at - row.begun_at).total_seconds())
        return max(self._pause_s, min(took * MOST_OF_THE_TIME, LONGEST_PAUSE_S))


def _touched(watched: Sequence[str], paths: set[str]) -> list[str]:
    """The libraries that these paths lie in.

    A system that has more to tell than it holds (inotify(7), IN_OVERFLOW) drops some, and the
    watching library does not say so: where much happened at once, all libraries count.
    """
    if len(paths) >= FLOOD:
        return list(watched)
    return [
        library
        for library in watched
        if any(path == library or path.startswith(f"{library}/") for path in paths)
    ]
