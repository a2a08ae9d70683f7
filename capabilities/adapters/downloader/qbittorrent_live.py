"""One running qBittorrent as all parts of the adapter use it: what it has, and whose turn it is."""

from collections.abc import AsyncGenerator, Callable, Container
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from capabilities.adapters.downloader.changes import ChangeFeed
from capabilities.adapters.downloader.qbittorrent_answers import News, Row, read_news
from capabilities.adapters.downloader.qbittorrent_files import TorrentFiles
from capabilities.adapters.downloader.qbittorrent_mirror import Mirror
from capabilities.adapters.downloader.qbittorrent_notes import Notes
from capabilities.adapters.downloader.qbittorrent_session import WebSession
from capabilities.adapters.downloader.qbittorrent_states import STOPPED
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    UnreachableError,
    WorldFaultError,
)

_FIRST_LOOK_S = 0.02
_LAST_LOOK_S = 0.5


@dataclass(frozen=True, slots=True)
class Pace:
    """How often qBittorrent is asked, in seconds.

    Attributes:
        busy_s: between two looks while something of it is under way.
        idle_s: between two looks otherwise.
        longest_pause_s: between two looks while it does not answer.
        settle_s: how long it may take to show what it was told to do; its own picture is
            renewed every 1.5 s, if its settings do not say otherwise.
        stale_s: after which what contradicts our notes is the owner's doing, not ours.
        stall_after_s: without peers and progress, after which a download counts as stalled.
    """

    busy_s: float = 1.5
    idle_s: float = 10.0
    longest_pause_s: float = 30.0
    settle_s: float = 10.0
    stale_s: float = 30.0
    stall_after_s: float = 3600.0


class Live:
    """The session, a mirror of what qBittorrent has, and one turn for each torrent.

    Attributes:
        held: why a torrent of ours is not let go, by id.
        rechecking: ids whose recheck was asked for and is not shown yet.
    """

    def __init__(self, session: WebSession, pace: Pace) -> None:
        """Begin with an empty mirror."""
        self.system = session.system
        self.session = session
        self.pace = pace
        self.mirror = Mirror(self.system)
        self.files = TorrentFiles(session)
        self.feed = ChangeFeed()
        self.held: dict[str, str] = {}
        self.rechecking: set[str] = set()
        self._door = anyio.Lock()
        self._turns: dict[str, anyio.Lock] = {}
        self._closed = False

    @property
    def is_open(self) -> bool:
        """Whether it was not closed."""
        return not self._closed

    def close(self) -> None:
        """Ask nothing any more."""
        self._closed = True
        self.feed.close()

    def refuse_when_closed(self) -> None:
        """Raise UnreachableError once it was closed."""
        if self._closed:
            raise UnreachableError(self.system, "It was let go, so nothing was sent.")

    async def refresh(self) -> None:
        """Learn what changed, and tell it to the readers.

        Raises:
            WorldFaultError: as calls fail.
        """
        self.refuse_when_closed()
        async with self._door:
            query = {"rid": str(self.mirror.rid)}
            news = await self.session.read_as(self._news, "sync/maindata", query)
            for key in self.mirror.take(news):
                self.feed.publish(key)

    async def until(self, is_so: Callable[[], bool], sentence: str) -> None:
        """Wait until qBittorrent shows what it was told to do.

        Raises:
            LostAnswerError: it does not, or does not answer any more.
        """
        pause = _FIRST_LOOK_S
        with anyio.move_on_after(self.pace.settle_s):
            while True:
                try:
                    await self.refresh()
                except WorldFaultError as fault:
                    raise LostAnswerError(self.system, f"{sentence} {fault.sentence}") from fault
                if is_so():
                    return
                await anyio.sleep(pause)
                pause = min(2 * pause, _LAST_LOOK_S)
        raise LostAnswerError(self.system, f"{sentence} Look at it there.")

    def row(self, id_: str) -> Row | None:
        """See `Mirror.row`."""
        return self.mirror.row(id_)

    def notes(self, id_: str) -> Notes:
        """What we remember of a torrent; nothing of one that is gone."""
        row = self.row(id_)
        return Notes(frozenset()) if row is None else Notes.of(row.tags)

    def is_stopped(self, id_: str) -> bool:
        """Whether it stands still, as far as that is shown."""
        row = self.row(id_)
        return row is not None and row.state in STOPPED

    async def act(self, path: str, id_: str, **fields: str) -> None:
        """Have something done to one torrent.

        Raises:
            DeclinedError: qBittorrent answered that it does not.
            LostAnswerError: it was sent, and whether it was done is not known.
        """
        answer = await self.session.act(f"torrents/{path}", {"hashes": id_, **fields})
        if not answer.ok:
            raise DeclinedError(self.system, f"It refused that (HTTP {answer.status}).")

    async def stop(self, id_: str) -> None:
        """Have it stopped."""
        await self.act((await self.session.version()).stop, id_)

    async def start(self, id_: str) -> None:
        """Have it started, and wait until it shows that."""
        await self.act((await self.session.version()).start, id_)
        await self.until(
            lambda: not self.is_stopped(id_), "It was told to start and does not show it."
        )

    async def tag(self, id_: str, tag: str) -> None:
        """Write down something of a torrent."""
        await self.act("addTags", id_, tags=tag)

    async def untag(self, id_: str, *tags: str) -> None:
        """Strike out something of a torrent."""
        if tags:
            await self.act("removeTags", id_, tags=",".join(tags))

    def is_busy(self, id_: str) -> bool:
        """Whether somebody here has its turn."""
        turn = self._turns.get(id_)
        return turn is not None and turn.locked()

    @asynccontextmanager
    async def turn(self, info_hash: str) -> AsyncGenerator[tuple[str, Row]]:
        """A torrent for us alone, by its id, and what qBittorrent says of it now.

        Raises:
            DeclinedError: there is none of that hash.
        """
        await self.refresh()
        id_ = self.mirror.named(info_hash)
        if id_ is None:
            raise self._unknown()
        self.mirror.ask_for(id_)
        async with self._turns.setdefault(id_, anyio.Lock()):
            await self.refresh()
            row = self.row(id_)
            if row is None:
                raise self._unknown()
            yield id_, row

    def forget(self, id_: str) -> None:
        """It is gone."""
        self.held.pop(id_, None)

    def forget_all_but(self, ids: Container[str]) -> None:
        """All others are gone."""
        self.held = {id_: why for id_, why in self.held.items() if id_ in ids}
        self._turns = {
            id_: turn for id_, turn in self._turns.items() if id_ in ids or turn.locked()
        }

    def _news(self, answer: Answer) -> News:
        return read_news(self.system, answer.body)

    def _unknown(self) -> DeclinedError:
        return DeclinedError(self.system, "It has no such torrent (any more), so nothing was done.")
