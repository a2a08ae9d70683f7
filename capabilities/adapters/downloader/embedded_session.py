"""A libtorrent session whose requests are awaited and whose news come by callback."""

from collections.abc import Callable
from typing import cast

import anyio
import anyio.to_thread
import libtorrent as lt

from capabilities.adapters.downloader.embedded_alerts import AlertPump
from capabilities.adapters.downloader.embedded_answers import ANSWER_S, Answers
from capabilities.adapters.downloader.embedded_dht import DhtSearches
from capabilities.adapters.downloader.embedded_goodbye import Goodbyes
from capabilities.adapters.downloader.embedded_reading import Reading, read_status
from capabilities.kernel.faults import DeclinedError, LostAnswerError, UnreachableError

_RESUME = lt.torrent_handle.save_info_dict
_NEWS = (
    lt.metadata_received_alert,
    lt.torrent_checked_alert,
    lt.torrent_finished_alert,
    lt.torrent_error_alert,
    lt.fastresume_rejected_alert,
    lt.state_changed_alert,
)


class LiveSession:
    """One libtorrent session in the running loop.

    What libtorrent answers by waiting for its own thread is asked for in a worker thread, because
    that thread may be busy with a fast download for a good part of a second. One torrent's
    requests must not overlap: whoever owns the torrent takes turns.

    Attributes:
        searches: who is told of peers that the DHT knows.

    Args:
        system: the words a person knows the client by, for faults.
        pack: libtorrent's settings.
        news: called with a handle and a reading whenever a torrent's state was read anew.
        shut: addresses that no peer and no tracker may have, also after a name was resolved.
    """

    def __init__(
        self,
        system: str,
        pack: "lt.settings_pack",
        news: Callable[[lt.torrent_handle, Reading], None],
        *,
        shut: lt.ip_filter | None = None,
    ) -> None:
        self._system = system
        self._news = news
        self._mask = pack.get("alert_mask", 0)
        self._snapshots: Answers[bytes | None] = Answers()
        self._flushes: Answers[None] = Answers()
        self._removals: Answers[None] = Answers()
        self._deletions: Answers[bool] = Answers()
        self._goodbyes = Goodbyes()
        self.searches = DhtSearches()
        self._stale = False
        self._asked = 0
        self._answered = 0
        self._rounds: dict[int, anyio.Event] = {}
        self._live: lt.session | None = lt.session(pack)
        if shut is not None:
            self._live.set_ip_filter(shut)
        self._pump = AlertPump(
            self._live,
            {
                lt.state_update_alert: self._on_states,
                lt.alerts_dropped_alert: self._on_drop,
                lt.save_resume_data_alert: self._on_snapshot,
                lt.save_resume_data_failed_alert: self._on_no_snapshot,
                lt.cache_flushed_alert: self._on_flush,
                lt.torrent_removed_alert: self._on_removed,
                lt.torrent_deleted_alert: self._on_deleted,
                lt.torrent_delete_failed_alert: self._on_not_deleted,
                **dict.fromkeys(_NEWS, self._on_news),
                **self._goodbyes.handlers(),
                **self.searches.handlers(),
            },
        )

    @property
    def is_open(self) -> bool:
        """Whether the session has not been closed."""
        return self._live is not None

    def refuse_when_closed(self) -> None:
        """Raise `UnreachableError` if the session was closed."""
        if self._live is None:
            raise UnreachableError(self._system, "It is shut down, so nothing was done.")

    async def listen_port(self) -> int:
        """Where others can connect to us; libtorrent takes another port when ours is taken."""
        return await anyio.to_thread.run_sync(self._session.listen_port)

    def seek(self, info_hash: str) -> None:
        """Ask the DHT, where it is on, for peers of a hash (40 digits); see `searches`."""
        self._session.dht_get_peers(lt.sha1_hash(bytes.fromhex(info_hash)))

    async def add(self, params: lt.add_torrent_params) -> lt.torrent_handle:
        """Start with a torrent.

        Raises:
            DeclinedError: libtorrent did not take it; it never takes one of the same hash.
        """
        try:
            return await anyio.to_thread.run_sync(self._session.add_torrent, params)
        except RuntimeError as error:
            raise DeclinedError(
                self._system, f"It did not take the torrent ({error}), so nothing was added."
            ) from error

    async def inspect(self, handle: lt.torrent_handle) -> tuple[Reading, list[int]]:
        """A reading of one torrent, and the priorities of its files."""
        return await anyio.to_thread.run_sync(_inspected, handle)

    async def file_progress(self, handle: lt.torrent_handle) -> list[int]:
        """Bytes of each file, pads too, that passed their hash; nothing of a torrent that went."""
        return await anyio.to_thread.run_sync(_file_progress, handle)

    def ask(self) -> None:
        """Have every torrent that changed read anew, soon."""
        self._asked += 1
        self._session.post_torrent_updates(0)

    async def refresh(self) -> None:
        """The same, and wait until `news` has been called for all of them.

        Raises:
            LostAnswerError: libtorrent did not answer.
        """
        self.ask()
        event = self._rounds.setdefault(self._asked, anyio.Event())
        try:
            with anyio.fail_after(ANSWER_S):
                await event.wait()
        except TimeoutError as error:
            raise self._lost() from error

    async def snapshot(self, handle: lt.torrent_handle, *, flush: bool) -> bytes | None:
        """Resume data of a torrent; None if it is gone.

        With `flush`, which needs metadata, all that the resume data promises is on the disk
        afterwards; a finished torrent may still have had bytes on their way there.

        Raises:
            LostAnswerError: libtorrent did not answer.
        """
        self.refuse_when_closed()
        try:
            taken = await self._snapshots.to(handle, lambda: handle.save_resume_data(_RESUME))
            # The flush comes second, so that it covers everything that was promised.
            if flush and taken is not None:
                await self._flushes.to(handle, handle.flush_cache)
        except TimeoutError as error:
            raise self._lost() from error
        return taken

    async def drop(self, handle: lt.torrent_handle) -> None:
        """Forget a torrent and leave its files.

        Raises:
            LostAnswerError: libtorrent did not answer.
        """
        session = self._session
        try:
            await self._removals.to(handle, lambda: session.remove_torrent(handle))
        except TimeoutError as error:
            raise self._lost() from error

    async def delete(self, handle: lt.torrent_handle) -> bool:
        """Forget a torrent and delete its files; whether all of them are gone.

        Raises:
            LostAnswerError: libtorrent did not answer.
        """
        session = self._session
        everything = lt.session.delete_files | lt.session.delete_partfile
        try:
            return await self._deletions.to(
                handle, lambda: session.remove_torrent(handle, everything)
            )
        except TimeoutError as error:
            raise self._lost() from error

    async def pause(self) -> None:
        """Stop all traffic, and give trackers a moment to hear of it."""
        self._session.apply_settings({"alert_mask": self._mask | lt.alert_category.tracker})
        self._session.pause()
        # The answer to this comes after every goodbye has been sent.
        await self.refresh()
        await self._goodbyes.answered()
        self._session.apply_settings({"stop_tracker_timeout": 0})

    async def aclose(self) -> None:
        """End the session."""
        if self._live is None:
            return
        self._pump.close()
        ending = [self._live]
        self._live = None
        for event in self._rounds.values():
            event.set()
        # The last reference ends the session, which waits for its threads.
        await anyio.to_thread.run_sync(ending.clear)

    @property
    def _session(self) -> lt.session:
        self.refuse_when_closed()
        return cast("lt.session", self._live)

    def _lost(self) -> LostAnswerError:
        return LostAnswerError(
            self._system,
            f"It did not answer within {ANSWER_S} seconds, so what it did is not known."
            " Look again.",
        )

    def _on_news(self, _: lt.torrent_alert) -> None:
        # An answer that is under way may have been read before this news.
        self._stale = True
        self._ask_again()

    def _on_states(self, alert: lt.state_update_alert) -> None:
        for status in alert.status:
            self._news(status.handle, read_status(status))
        self._answered = min(self._answered + 1, self._asked)
        self._wake()
        self._ask_again()

    def _on_drop(self, _: lt.alerts_dropped_alert) -> None:
        for handle in self._session.get_torrents():
            self._news(handle, read_status(handle.status(0)))
        self._answered = self._asked
        self._wake()

    def _ask_again(self) -> None:
        if self._stale and self._answered == self._asked:
            self._stale = False
            self.ask()

    def _wake(self) -> None:
        for asked in [asked for asked in self._rounds if asked <= self._answered]:
            self._rounds.pop(asked).set()

    def _on_snapshot(self, alert: lt.save_resume_data_alert) -> None:
        self._snapshots.give(alert.handle, lt.write_resume_data_buf(alert.params))

    def _on_no_snapshot(self, alert: lt.save_resume_data_failed_alert) -> None:
        self._snapshots.give(alert.handle, None)

    def _on_flush(self, alert: lt.cache_flushed_alert) -> None:
        self._flushes.give(alert.handle, None)

    def _on_removed(self, alert: lt.torrent_removed_alert) -> None:
        self._removals.give(alert.handle, None)

    def _on_deleted(self, alert: lt.torrent_deleted_alert) -> None:
        self._deletions.give(alert.handle, True)

    def _on_not_deleted(self, alert: lt.torrent_delete_failed_alert) -> None:
        # Without metadata there is nothing to delete, which is reported as a failure of no kind.
        self._deletions.give(alert.handle, not alert.error.value())


def _inspected(handle: lt.torrent_handle) -> tuple[Reading, list[int]]:
    return read_status(handle.status(0)), handle.get_file_priorities()


def _file_progress(handle: lt.torrent_handle) -> list[int]:
    try:
        return handle.file_progress(lt.torrent_handle.piece_granularity)
    except RuntimeError:
        return []
