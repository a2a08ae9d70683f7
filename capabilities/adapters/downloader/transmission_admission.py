"""Getting torrents into Transmission: chosen and labelled while they are stopped, then let run.

What Transmission is told of a torrent it writes down when it stops it, and else only every few
minutes. So a torrent is let run, stopped and let run again: after a crash it still has its folder,
its choice of files and its labels. Those say that it was not let run yet, and whoever comes across
them goes on from there.
"""

from dataclasses import replace

import anyio
import anyio.to_thread

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import AddRequest
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from capabilities.adapters.downloader.transmission_daemon import TransmissionDaemon
from capabilities.adapters.downloader.transmission_entry import Entry, chosen, requested
from capabilities.adapters.downloader.transmission_row import FullRow, Row
from capabilities.adapters.downloader.transmission_transfer import unsafe_name
from capabilities.kernel.faults import DeclinedError, LostAnswerError, WorldFaultError

_LOOK_AGAIN_S = 0.05
_BEGUN_AT_MOST = 20


class Admission:
    """What is done about torrents that were not let run yet, one at a time.

    Args:
        daemon: where they are.
        checked_within_s: how long data that is there already is waited for to be checked.

    Attributes:
        begun: what was sent and not seen to its end, by key.
        owed: those that are labelled, and that this process has yet to let run, by key.
    """

    def __init__(self, daemon: TransmissionDaemon, checked_within_s: float) -> None:
        self.begun: dict[str, Entry] = {}
        self.owed: dict[str, Entry] = {}
        self._daemon = daemon
        self._checked_within_s = checked_within_s

    async def add(self, request: AddRequest) -> InfoHashes:
        """See `Downloader.add`."""
        about = await self._daemon.about()
        if not about.is_new_enough:
            raise DeclinedError(self._daemon.system, f"{about.too_old} So nothing was added.")
        entry = await anyio.to_thread.run_sync(
            lambda: requested(request, takes_hybrids=about.takes_hybrids)
        )
        there = await self._daemon.glance(entry.key)
        # What was begun is seen to its end: half of it would be a torrent that nobody lets run.
        with anyio.CancelScope(shield=True):
            if there is None:
                await self._enter(entry)
            elif there.unfinished and there.download_dir == entry.save_path:
                await self._settle(entry)
        return entry.hashes

    async def go_on(self, row: Row) -> None:
        """Do what is left to do about a torrent that was not let run, or not read, yet."""
        key = row.hash_string
        entry = self._remembered(key)
        if entry is not None and self.is_forgotten(row):
            await self._remind(entry, row)
        elif key in self.owed and not row.checking:
            await self._let_run(key)
        elif row.notes.adding and not row.checking:
            # Left by a crash, and met by other processes of this house at the same time as by us.
            await self._let_go(key)
        elif row.notes.unread and row.has_metadata:
            await self._read(key)

    def is_forgotten(self, row: Row) -> bool:
        """Whether Transmission was told of it and knows nothing of that, as after a crash."""
        entry = self._remembered(row.hash_string)
        # Without a category, one that was seen to its end looks the same.
        return entry is not None and not row.labels and (row.unfinished or bool(entry.labels.plain))

    async def with_choice(self, row: FullRow) -> FullRow:
        """A torrent before somebody acts on it: what was left half done of its choice is done."""
        if not row.notes.adding or row.notes.unread or not row.has_metadata:
            return row
        if not await self._is_chosen(row):
            await self._refuse(row)
        return await self._daemon.row(row.hash_string) or row

    def forget(self, key: str) -> None:
        """Do no more about a torrent that is removed."""
        self.begun.pop(key, None)
        self.owed.pop(key, None)

    def _remembered(self, key: str) -> Entry | None:
        return self.begun.get(key) or self.owed.get(key)

    async def _remind(self, entry: Entry, row: Row) -> None:
        """Tell Transmission again of a torrent of which it kept the torrent file only."""
        if row.download_dir != entry.save_path:
            # Nothing else brings it to another folder and leaves alone what lies in this one.
            await self._daemon.remove(entry.key, delete_data=False)
            self.forget(entry.key)
            await self._enter(entry)
            return
        if not row.stopped:
            await self._daemon.stop(entry.key)
        await self._settle(entry)

    async def _enter(self, entry: Entry) -> None:
        self.begun[entry.key] = entry
        # What was lost on the way to Transmission is never heard of again.
        for oldest in list(self.begun)[:-_BEGUN_AT_MOST]:
            del self.begun[oldest]
        try:
            key, new = await self._daemon.add(
                entry.source, entry.save_path, entry.labels, entry.unwanted
            )
        except DeclinedError as fault:
            del self.begun[entry.key]
            raise DeclinedError(
                fault.system, f"{fault.sentence} So nothing was added. Look for another release."
            ) from None
        except LostAnswerError:
            raise
        except WorldFaultError:
            del self.begun[entry.key]
            raise
        if key != entry.key:
            raise LostAnswerError(
                self._daemon.system,
                f"It says that it took it for another torrent, {key}. Look at what it has.",
            )
        if new:
            await self._settle(entry)
        else:
            del self.begun[entry.key]

    async def _settle(self, entry: Entry) -> None:
        """Label and choose, read back, and let it run."""
        try:
            as_asked = await self._prepare(entry)
            if as_asked:
                self.owed[entry.key] = entry
                await self._let_run(entry.key)
            else:
                await self._daemon.remove(entry.key, delete_data=False)
        except DeclinedError:
            raise
        except WorldFaultError as fault:
            raise LostAnswerError(
                fault.system,
                f"{fault.sentence} The torrent was added and may not run yet; it is let run as soon"
                " as Transmission answers.",
            ) from None
        self.begun.pop(entry.key, None)
        if not as_asked:
            raise DeclinedError(
                self._daemon.system,
                "It did not take the folder, the label or the choice of files, so nothing was"
                " added.",
            )

    async def _prepare(self, entry: Entry) -> bool:
        """Label and choose; whether it is then as it was asked for."""
        await self._daemon.label(entry.key, entry.labels)
        if entry.wanted is not None:
            await self._daemon.choose(entry.key, entry.wanted, entry.files)
        row = await self._daemon.row(entry.key)
        return row is not None and _is_as_asked(row, entry)

    async def _let_run(self, key: str) -> None:
        row = await self._checked(key)
        if row is not None and row.notes.adding:
            row = await self._with_its_choice(key)
        if row is not None and row.checking:
            # The rest is owed until it was checked.
            await self._daemon.start(key)
            return
        if row is not None and row.notes.adding:
            await self._daemon.start(key)
            row = await self._daemon.stop(key)
        if row is not None and row.notes.adding:
            await self._let_go(key)
        self.owed.pop(key, None)

    async def _let_go(self, key: str) -> None:
        """Let a torrent run for good, once it is seen to have the choice that its labels say."""
        row = await self._with_its_choice(key)
        if row is not None and row.notes.adding:
            await self._daemon.start(key)
            await self._daemon.label(key, row.notes.running())

    async def _with_its_choice(self, key: str) -> FullRow | None:
        row = await self._daemon.row(key)
        return None if row is None else await self.with_choice(row)

    async def _checked(self, key: str) -> Row | None:
        """It once Transmission has looked for data that is there already, if that is soon."""
        row = await self._daemon.glance(key)
        with anyio.move_on_after(self._checked_within_s):
            while row is not None and row.checking:
                await anyio.sleep(_LOOK_AGAIN_S)
                row = await self._daemon.glance(key)
        return row

    async def _read(self, key: str) -> None:
        """Judge names that came late, and choose among the files."""
        row = await self._daemon.row(key)
        if row is None or not row.notes.unread or not row.has_metadata:
            return
        if unsafe_name(row) is not None or not await self._is_chosen(row):
            await self._refuse(row)
            return
        await self._daemon.label(key, replace(row.notes, unread=False, wanted=None))

    async def _is_chosen(self, row: FullRow) -> bool:
        """Have those files fetched that its labels name, and look whether it will."""
        shown = (index for index, file in enumerate(row.files) if not file.pad)
        try:
            wanted = chosen(row.notes.wanted, shown)
        except BadTorrentError:
            return False
        if wanted == row.wanted:
            return True
        await self._daemon.choose(row.hash_string, wanted, len(row.files))
        now = await self._daemon.row(row.hash_string)
        return now is None or now.wanted == wanted

    async def _refuse(self, row: FullRow) -> None:
        refused = replace(row.notes, adding=False, unread=False, wanted=None, refused=True)
        await self._daemon.label(row.hash_string, refused)
        await self._daemon.stop(row.hash_string)


def _is_as_asked(row: FullRow, entry: Entry) -> bool:
    same_choice = entry.wanted is None or row.wanted == entry.wanted
    # Another process may have let it run by now, and taken the notes away.
    same_label = row.notes.plain == entry.labels.plain
    return row.download_dir == entry.save_path and same_label and same_choice
