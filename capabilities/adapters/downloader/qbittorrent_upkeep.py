"""Looking at qBittorrent regularly: changes are told, and what dead processes left is done."""

import time
from collections.abc import Collection
from enum import Enum, auto

import anyio

from capabilities.adapters.downloader.port import ClientState
from capabilities.adapters.downloader.qbittorrent_answers import Row, UnreadableError
from capabilities.adapters.downloader.qbittorrent_letting_go import let_go
from capabilities.adapters.downloader.qbittorrent_live import Live
from capabilities.adapters.downloader.qbittorrent_notes import PAUSED, Notes
from capabilities.adapters.downloader.qbittorrent_states import STOPPED, UNTOLD, state_of
from capabilities.adapters.downloader.qbittorrent_view import Quiet
from capabilities.kernel.faults import DeclinedError, LostAnswerError, WorldFaultError

_UNDER_WAY = {
    ClientState.QUEUED,
    ClientState.METADATA,
    ClientState.DOWNLOADING,
    ClientState.CHECKING,
}


class Due(Enum):
    """What a torrent wants of us: nothing, to be let go, or a note struck out."""

    NOTHING = auto()
    LETTING_GO = auto()
    STRIKING_OUT = auto()


class Upkeep:
    """One look after the other, slower while nothing happens and while nobody answers."""

    def __init__(self, live: Live, quiet: Quiet) -> None:
        """Look with these."""
        self._live = live
        self._quiet = quiet
        self._stalled: set[str] = set()
        self._odd_since: dict[str, float] = {}

    async def run(self) -> None:
        """Look until cancelled."""
        live, pace = self._live, self._live.pace
        while live.is_open:
            try:
                await live.refresh()
                busy = await self._tend()
            except WorldFaultError:  # the breaker tells of it once
                busy = True
            pause = pace.busy_s if busy else pace.idle_s
            await anyio.sleep(max(pause, live.session.breaker.left_s))

    async def _tend(self) -> bool:
        """Do what is due; whether something is under way."""
        busy = False
        ids = self._live.mirror.ours()
        for id_ in ids:
            try:
                busy |= await self._see_to(id_)
            except (UnreadableError, DeclinedError, LostAnswerError):
                busy = True  # it is looked at again, and hides no other
        self._forget_all_but(ids)
        return busy

    async def _see_to(self, id_: str) -> bool:
        """Do what is due to one torrent; whether something is under way with it."""
        row = self._live.row(id_)
        if row is None:
            return False
        self._watch(id_, row)
        await self._straighten(id_, row)
        return state_of(row.state) in _UNDER_WAY

    def _watch(self, id_: str, row: Row) -> None:
        """Tell when a torrent begins or ceases to be stalled, of which nothing else tells."""
        stalled = self._quiet.is_stalled(id_, row)
        if stalled != (id_ in self._stalled):
            self._live.feed.publish(self._live.mirror.key(id_))
            self._stalled ^= {id_}

    async def _straighten(self, id_: str, row: Row) -> None:
        live = self._live
        if live.is_busy(id_) or self._due(id_, row) is Due.NOTHING:
            return
        async with live.turn(id_) as (_, now):
            # Until the turn came, somebody else may have done it, or paused it on purpose.
            due = self._due(id_, now)
            if due is Due.LETTING_GO:
                await let_go(live, id_)
            elif due is Due.STRIKING_OUT:
                # The owner let it run, so that the next pause is not ours.
                await live.untag(id_, PAUSED)
        if due is Due.LETTING_GO:
            live.feed.publish(live.mirror.key(id_))

    def _due(self, id_: str, row: Row) -> Due:
        """What is to be done about a torrent whose notes are not what it does."""
        notes, stopped = Notes.of(row.tags), row.state in STOPPED
        if row.state in UNTOLD or id_ in self._live.held:
            return Due.NOTHING
        open_ = notes.adding and row.has_metadata
        odd = not stopped and (open_ or notes.paused_by_us)
        if not odd:
            self._odd_since.pop(id_, None)
        if open_ and (stopped or self._is_old(id_)):
            return Due.LETTING_GO
        if odd and self._is_old(id_) and not notes.adding:
            return Due.STRIKING_OUT
        return Due.NOTHING

    def _is_old(self, id_: str) -> bool:
        now = time.monotonic()
        return now - self._odd_since.setdefault(id_, now) >= self._live.pace.stale_s

    def _forget_all_but(self, ids: Collection[str]) -> None:
        known = set(ids)
        self._stalled &= known
        for gone in set(self._odd_since) - known:
            del self._odd_since[gone]
        self._live.forget_all_but(known)
        self._quiet.keep(known)
