"""Looking at Transmission again and again: who tells of changes sees to what came late as well."""

from dataclasses import dataclass

import anyio
import structlog

from capabilities.adapters.downloader.breaker import Breaker
from capabilities.adapters.downloader.changes import ChangeFeed
from capabilities.adapters.downloader.transmission_admission import Admission
from capabilities.adapters.downloader.transmission_daemon import TransmissionDaemon
from capabilities.adapters.downloader.transmission_labels import Labels
from capabilities.adapters.downloader.transmission_row import Row, Status
from capabilities.kernel.faults import DeclinedError, WorldFaultError

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds on the monotonic clock.

    Attributes:
        stall_after_s: without peers and without a byte, after which a torrent counts as stalled.
        look_every_s: between two looks at what changed.
        look_at_all_every: a look at everything after so many of those.
        given_up_after_s: after which what another process seems to have begun is seen to by us.
        checked_within_s: for which an add waits for data to be checked that is there already.
        seen_through_s: for which Transmission may take to do what it said it does.
        away_s: the longest pause between two tries to reach a Transmission that does not answer.
    """

    stall_after_s: float = 600
    look_every_s: float = 1.0
    look_at_all_every: int = 15
    given_up_after_s: float = 15
    checked_within_s: float = 2
    seen_through_s: float = 15
    away_s: float = 30


class Quiet:
    """For how long nothing happened in each torrent, as far as we saw it."""

    def __init__(self, stall_after_s: float) -> None:
        self._stall_after_s = stall_after_s
        self._since: dict[str, tuple[int, float]] = {}

    def observe(self, row: Row) -> bool:
        """Take in a look at one; whether it has been quiet for as long as makes a stall."""
        now = anyio.current_time()
        had, since = self._since.get(row.hash_string, (-1, now))
        waits = row.status is Status.FETCHES
        if row.peers_connected or row.have_valid != had or not waits:
            since = now
        self._since[row.hash_string] = row.have_valid, since
        return now - since >= self._stall_after_s

    def forget(self, key: str) -> None:
        """It is gone."""
        self._since.pop(key, None)


class Upkeep:
    """Keeps readers told of changes, and brings to its end what was left half done.

    Attributes:
        door: held by whoever changes something, so that no look sees half of it.
    """

    def __init__(
        self, daemon: TransmissionDaemon, admission: Admission, breaker: Breaker, timing: Timing
    ) -> None:
        self.feed = ChangeFeed()
        self.quiet = Quiet(timing.stall_after_s)
        self.door = anyio.Lock()
        self.rechecked: set[str] = set()
        self._daemon = daemon
        self._admission = admission
        self._breaker = breaker
        self._timing = timing
        self._told: dict[str, tuple[object, ...]] = {}
        self._numbers: dict[int, str] = {}
        self._halves: dict[str, tuple[Labels, float]] = {}
        self._given_up: dict[str, tuple[object, ...]] = {}
        self._session: str | None = None
        self._looks = 0
        self._running = anyio.CancelScope()

    async def run(self) -> None:
        """Look until it is closed; of a Transmission that is away, the log says so once."""
        with self._running:
            while True:
                pause = self._timing.look_every_s
                try:
                    await self._look()
                except WorldFaultError:
                    self._session = None
                    pause = max(pause, self._breaker.left_s)
                await anyio.sleep(pause)

    def close(self) -> None:
        """Look no more, and tell readers of changes that there are no more."""
        self._running.cancel()
        self.feed.close()

    def forget(self, key: str) -> None:
        """It was removed."""
        self.rechecked.discard(key)
        self.feed.publish(key)

    async def _look(self) -> None:
        daemon = self._daemon
        everything = self._session != daemon.session or self._looks == 0
        self._looks = (self._looks + 1) % self._timing.look_at_all_every
        if everything or self._session is None:
            rows = await daemon.rows()
            self._forget_all_but({row.hash_string for row in rows})
            # After a new start the numbers of torrents are others.
            self._numbers = {}
            self._session = daemon.session
        else:
            rows, removed = await daemon.recent_rows()
            for number in removed:
                self._gone(self._numbers.pop(number, None))
        for row in rows:
            self._tell(row)
        for row in rows:
            if self._given_up.get(row.hash_string) != row.mark:
                await self._try_to_see_to(row)

    def _tell(self, row: Row) -> None:
        self._numbers[row.id] = row.hash_string
        self.quiet.observe(row)
        if self._told.get(row.hash_string) != row.mark:
            self._told[row.hash_string] = row.mark
            self.feed.publish(row.hash_string)

    def _forget_all_but(self, there: set[str]) -> None:
        for key in self._told.keys() - there:
            self._gone(key)

    def _gone(self, key: str | None) -> None:
        if key is not None and self._told.pop(key, None) is not None:
            self.quiet.forget(key)
            self._halves.pop(key, None)
            self._given_up.pop(key, None)
            self.rechecked.discard(key)
            self.feed.publish(key)

    async def _try_to_see_to(self, row: Row) -> None:
        """Let one torrent that Transmission says no about stop none of the others."""
        try:
            await self._see_to(row)
        except DeclinedError as fault:
            self._given_up[row.hash_string] = row.mark
            log.warning("a torrent is left as it is", torrent=row.hash_string, why=fault.sentence)

    async def _see_to(self, seen: Row) -> None:
        if not self._wants_something(seen):
            return
        async with self.door:
            row = await self._daemon.glance(seen.hash_string)
            # By now somebody else may have seen to it.
            if row is None or not self._wants_something(row):
                return
            with anyio.CancelScope(shield=True):
                if _is_half_paused(row):
                    await self._daemon.label(row.hash_string, row.notes.running())
                elif self._is_checked(row):
                    self.rechecked.discard(row.hash_string)
                    await self._clear_error(row)
                else:
                    await self._admission.go_on(row)
        self.feed.publish(seen.hash_string)

    def _wants_something(self, row: Row) -> bool:
        key = row.hash_string
        begun = self._admission.is_forgotten(row)
        owed = key in self._admission.owed and not row.checking
        late = row.notes.unread and row.has_metadata
        return begun or owed or late or self._is_given_up(row) or self._is_checked(row)

    def _is_given_up(self, row: Row) -> bool:
        """Whether what somebody began with it has been half done for too long."""
        key, now = row.hash_string, anyio.current_time()
        if not (_is_half_added(row) or _is_half_paused(row)):
            self._halves.pop(key, None)
            return False
        notes, since = self._halves.get(key, (row.notes, now))
        if notes != row.notes:
            since = now
        self._halves[key] = row.notes, since
        return now - since >= self._timing.given_up_after_s

    def _is_checked(self, row: Row) -> bool:
        return row.hash_string in self.rechecked and not row.checking

    async def _clear_error(self, row: Row) -> None:
        """Have a paused torrent be what the recheck found: an error stays until it runs."""
        if row.missing and row.notes.paused_by is not None:
            await self._daemon.start(row.hash_string)
            await self._daemon.stop(row.hash_string)


def _is_half_added(row: Row) -> bool:
    """Whether it was not let run yet, though nothing is in the way."""
    return row.notes.adding and not row.checking


def _is_half_paused(row: Row) -> bool:
    """Whether it is noted as paused and runs: not stopped yet, or let run by hand."""
    return row.notes.paused_by is not None and not (row.stopped or row.checking)
