"""One look at a media server for all who wait for something there.

Many imports may wait for one server at once. It is asked once for all of their files, one look at
a time, less often the longer nothing comes; and one that is away is not asked anew by each.
"""

from collections.abc import Callable, Sequence
from typing import Final

import anyio

from capabilities.adapters.media_server.port import (
    MediaServer,
    Seen,
    ServerHealth,
    ServerKind,
    ServerLibrary,
    Sight,
)
from capabilities.kernel.faults import WorldFaultError

FIRST_S: Final = 4.0
LONGEST_S: Final = 60.0
"""An answer is never older than this."""
FORGOTTEN_S: Final = 3600.0
"""A file that nobody asked about for so long is asked about no more."""


class AskedTogether:
    """`MediaServer` whose `seen` asks for all that is waited for, and remembers for a while."""

    def __init__(
        self, server: MediaServer, *, now: Callable[[], float] = anyio.current_time
    ) -> None:
        """Take the server that is asked; ``now`` gives monotonic seconds."""
        self._server = server
        self._now = now
        self._lock = anyio.Lock()
        self._awaited: dict[str, float] = {}
        self._sights: dict[str, Sight] = {}
        self._fault: WorldFaultError | None = None
        self._pause_s = FIRST_S
        self._due = 0.0

    @property
    def name(self) -> str:
        """The owner's name for it."""
        return self._server.name

    @property
    def kind(self) -> ServerKind:
        """What it is."""
        return self._server.kind

    async def health(self) -> ServerHealth:
        """See `MediaServer.health`."""
        return await self._server.health()

    async def libraries(self) -> list[ServerLibrary]:
        """See `MediaServer.libraries`."""
        return await self._server.libraries()

    async def refresh(self, paths: Sequence[str]) -> None:
        """See `MediaServer.refresh`; a server that was away just now is not told."""
        if self._fault is not None and self._now() < self._due:
            raise self._fault
        await self._server.refresh(paths)

    async def seen(self, paths: Sequence[str]) -> dict[str, Sight]:
        """See `MediaServer.seen`; an answer, or a fault, may be up to `LONGEST_S` old."""
        now = self._now()
        self._awaited |= dict.fromkeys(paths, now)  # whoever has the turn asks for these, too
        async with self._lock:
            self._awaited |= dict.fromkeys(paths, now)  # another one may have seen it meanwhile
            if self._now() >= self._due:
                await self._ask(self._open())
            elif self._fault is not None:
                raise self._fault
            elif any(path not in self._sights for path in paths):
                await self._ask([path for path in self._awaited if path not in self._sights])
            return {path: self._told(path) for path in paths}

    def _open(self) -> list[str]:
        """All that is waited for; what was seen or given up is not."""
        horizon = self._now() - FORGOTTEN_S
        self._awaited = {path: at for path, at in self._awaited.items() if at > horizon}
        self._sights = {
            path: sight for path, sight in self._sights.items() if path in self._awaited
        }
        return list(self._awaited)

    async def _ask(self, paths: Sequence[str]) -> None:
        known = len(self._sights)
        try:
            found = await self._server.seen(paths)
        except WorldFaultError as fault:
            self._fault = fault
            self._put_off(longer=True)
            raise
        self._fault = None
        self._sights |= found
        news = len(self._sights) > known or any(isinstance(one, Seen) for one in found.values())
        self._put_off(longer=not news)

    def _put_off(self, *, longer: bool) -> None:
        self._pause_s = min(2 * self._pause_s, LONGEST_S) if longer else FIRST_S
        self._due = self._now() + self._pause_s

    def _told(self, path: str) -> Sight:
        """The answer for a path; what is seen is waited for no longer."""
        sight = self._sights[path]
        if isinstance(sight, Seen):
            self._awaited.pop(path, None)
            del self._sights[path]
        return sight
