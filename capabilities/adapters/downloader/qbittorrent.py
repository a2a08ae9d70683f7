"""qBittorrent 4.5 or later as a download client, by its Web API.

https://github.com/qbittorrent/qBittorrent/wiki/WebUI-API-(qBittorrent-4.1)
"""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio

from capabilities.adapters.downloader.breaker import Breaker
from capabilities.adapters.downloader.client_health import ClientHealth
from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import (
    AddRequest,
    ClientState,
    FileProgress,
    Pauser,
    Transfer,
)
from capabilities.adapters.downloader.qbittorrent_adding import Adding
from capabilities.adapters.downloader.qbittorrent_answers import (
    Row,
    ServerState,
    UnreadableError,
    read_preferences,
)
from capabilities.adapters.downloader.qbittorrent_letting_go import forget, let_go
from capabilities.adapters.downloader.qbittorrent_live import Live, Pace
from capabilities.adapters.downloader.qbittorrent_notes import PAUSED
from capabilities.adapters.downloader.qbittorrent_others import Others
from capabilities.adapters.downloader.qbittorrent_session import Account, WebSession
from capabilities.adapters.downloader.qbittorrent_showing import (
    let_check_begin,
    until_checking,
    until_paused,
    until_told,
)
from capabilities.adapters.downloader.qbittorrent_states import STOPPED, state_of
from capabilities.adapters.downloader.qbittorrent_upkeep import Upkeep
from capabilities.adapters.downloader.qbittorrent_view import Quiet, described
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError, WorldFaultError

_DEFAULT_PACE = Pace()
# The list of all torrents is some two to three thousand bytes for each of maybe 20 000.
_MOST_BYTES = 64 << 20


class QbittorrentDownloader:
    """`Downloader` by a qBittorrent that somebody else runs.

    What must be remembered of a torrent is kept there, as tags: who paused it, and what is open
    of its being added. Made by `open_qbittorrent`.
    """

    kind = "qbittorrent"

    def __init__(self, name: str, live: Live, quiet: Quiet) -> None:
        self.name = name
        self._live = live
        self._quiet = quiet
        self._adding = Adding(live)
        self._others = Others(live.mirror)
        self._looked_at: dict[str, tuple[object, tuple[FileProgress, ...]]] = {}

    async def add(self, request: AddRequest) -> InfoHashes:
        """See `Downloader.add`."""
        return await self._adding.add(request)

    async def transfer(self, info_hash: str) -> Transfer | None:
        """See `Downloader.transfer`."""
        await self._live.refresh()
        id_ = self._live.mirror.named(info_hash)
        if id_ is None:
            return None
        self._live.mirror.ask_for(id_)
        self._looked_at.pop(id_, None)
        return await self._described(id_)

    async def transfers(self) -> Sequence[Transfer]:
        """See `Downloader.transfers`; one of which nothing readable is told is left out."""
        await self._live.refresh()
        mirror = self._live.mirror
        found: list[Transfer] = []
        ids = mirror.ids()
        for id_ in ids:
            try:
                ours = mirror.is_ours(id_)
                transfer = await self._described(id_) if ours else self._others.described(id_)
            except UnreadableError:
                continue
            if transfer is not None:
                found.append(transfer)
        self._others.forget_all_but(set(ids))
        return found

    async def pause(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.pause`."""
        live = self._live
        async with live.turn(info_hash) as (id_, before):
            row = await until_told(live, id_) or before
            notes, stopped = live.notes(id_), row.state in STOPPED
            if notes.adding and row.has_metadata and stopped:
                # A stop that only waits for us is nobody's pause.
                await let_go(live, id_, start=False)
            elif stopped and by is Pauser.US and not notes.paused_by_us:
                return
            if by is Pauser.US:
                await live.tag(id_, PAUSED)
            elif notes.paused_by_us:
                await live.untag(id_, PAUSED)
            if not stopped:
                await live.stop(id_)
            await until_paused(live, id_, ours=by is Pauser.US)

    async def resume(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.resume`."""
        live = self._live
        async with live.turn(info_hash) as (id_, before):
            row = await until_told(live, id_) or before
            notes = live.notes(id_)
            await self._refuse_held(id_, row)
            if state_of(row.state) is ClientState.MISSING_FILES:
                raise self._declined(
                    "Files of it are missing, so it stays held. Put them back or not, and have it"
                    " rechecked; what is not there is then fetched again."
                )
            ours = notes.paused_by_us or (notes.adding and row.has_metadata)
            if row.state in STOPPED and not ours and by is not Pauser.OWNER:
                raise self._declined("The owner paused it, so only the owner lets it run again.")
            if notes.adding and row.has_metadata:
                trouble = await let_go(live, id_, start=False)
                if trouble is not None:
                    raise self._declined(trouble)
            self._quiet.forget(id_)
            await live.start(id_)
            if notes.paused_by_us:
                # In this order, a death in between does not make it the owner's pause.
                await live.untag(id_, PAUSED)
                await live.refresh()

    async def recheck(self, info_hash: str) -> None:
        """See `Downloader.recheck`."""
        live = self._live
        async with live.turn(info_hash) as (id_, row):
            await self._refuse_held(id_, row)
            if not row.has_metadata:
                raise self._declined("Its metadata is not there yet, so there is nothing to check.")
            live.rechecking.add(id_)
            try:
                await live.act("recheck", id_)
                await until_checking(live, id_)
                if state_of(row.state) is ClientState.MISSING_FILES:
                    await let_check_begin(live, id_)
            finally:
                live.rechecking.discard(id_)

    async def remove(self, info_hash: str, *, delete_data: bool) -> None:
        """See `Downloader.remove`; qBittorrent does not say whether all files went."""
        live = self._live
        await live.refresh()
        if live.mirror.named(info_hash) is None:
            return
        async with live.turn(info_hash) as (id_, _):
            await forget(live, id_, delete_data=delete_data)

    def changes(self) -> AbstractAsyncContextManager[AsyncIterator[str]]:
        """See `Downloader.changes`."""
        return self._live.feed.reading()

    async def health(self) -> ClientHealth:
        """See `Downloader.health`; free bytes are those of its own default folder."""
        try:
            await self._live.refresh()
            version = await self._live.session.version()
            server = self._live.mirror.server_state()
            note = await self._note(server)
        except WorldFaultError as fault:
            return ClientHealth("", reachable=False, note=fault.sentence)
        free = server.free_space_on_disk
        return ClientHealth(
            f"qBittorrent {version.name}",
            reachable=True,
            free_bytes=None if free is None or free < 0 else free,
            note=note,
        )

    async def _note(self, server: ServerState) -> str | None:
        if server.connection_status == "disconnected":
            return "It has no connection to any peers. Look at its network settings."
        session = self._live.session
        answer = await session.read("app/preferences")
        if answer.ok and read_preferences(session.system, answer.body).removes_by_itself:
            return (
                "It removes torrents by itself when they reach its seeding limit, so one may be"
                " gone before it is imported. Have it stop them instead (in its settings, under"
                " BitTorrent, seeding limits)."
            )
        return None

    async def aclose(self) -> None:
        """Ask it nothing any more; what it does goes on."""
        self._live.close()

    async def _described(self, id_: str) -> Transfer | None:
        live = self._live
        row = live.row(id_)
        if row is None:
            return None
        hashes = live.mirror.hashes(id_)
        if hashes is None:
            raise UnreadableError(live.system)
        files, refused = (), live.held.get(id_)
        if row.has_metadata:
            found = await self._files(id_, row)
            if found is None:
                return None
            files, judged = found
            refused = judged or refused
        return described(
            row,
            hashes,
            files,
            refused=refused,
            stalled=self._quiet.is_stalled(id_, row),
            rechecking=id_ in live.rechecking,
        )

    async def _files(
        self, id_: str, row: Row
    ) -> tuple[tuple[FileProgress, ...], str | None] | None:
        """How far its files are, or why they are not told of; None if it is gone by now."""
        mark = (row.state, row.completed, row.amount_left, row.size)
        if id_ in self._looked_at and self._looked_at[id_][0] == mark:
            return self._looked_at[id_][1], None
        layout = await self._live.files.layout(id_)
        if layout is None or layout.refused is not None:
            return None if layout is None else ((), layout.refused)
        try:
            files = await self._live.files.progress(id_, layout)
        except BadTorrentError as error:
            return (), error.sentence
        if files is None:
            return None
        self._looked_at[id_] = mark, files
        return files, None

    async def _refuse_held(self, id_: str, row: Row) -> None:
        sentence = self._live.held.get(id_)
        if sentence is None and row.has_metadata:
            layout = await self._live.files.layout(id_)
            sentence = None if layout is None else layout.refused
        if sentence is not None:
            raise self._declined(sentence)

    def _declined(self, sentence: str) -> DeclinedError:
        return DeclinedError(self._live.system, sentence)


@asynccontextmanager
async def open_qbittorrent(
    name: str, account: Account, outbound: Outbound, *, pace: Pace = _DEFAULT_PACE
) -> AsyncGenerator[QbittorrentDownloader]:
    """A qBittorrent for the time of the block; it need not be reachable.

    Args:
        name: what the owner calls it.
        account: where it is and as whom it is entered.
        outbound: what carries the requests.
        pace: how often it is asked.

    Raises:
        DeclinedError: the address cannot be one.

    An exception of the block leaves it as it was raised, not in a group.
    """
    upstream = outbound.neighbour(
        f'the download client "{name}"', account.address, body_bytes=_MOST_BYTES
    )
    live = Live(WebSession(upstream, account, Breaker(name, pace.longest_pause_s)), pace)
    quiet = Quiet(pace.stall_after_s, time.monotonic)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(Upkeep(live, quiet).run)
            try:
                yield QbittorrentDownloader(name, live, quiet)
            finally:
                live.close()
                group.cancel_scope.cancel()
    except BaseExceptionGroup as raised:
        only, *others = raised.exceptions
        if others:
            raise
        raise only from only.__cause__
