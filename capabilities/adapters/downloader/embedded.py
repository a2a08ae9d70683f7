"""The embedded download client: libtorrent 2.1 in this process.

https://libtorrent.org/reference.html
"""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import anyio
import anyio.to_thread

from capabilities.adapters.downloader.client_health import ClientHealth
from capabilities.adapters.downloader.embedded_entry import Entry, requested, selection
from capabilities.adapters.downloader.embedded_health import health_of
from capabilities.adapters.downloader.embedded_kept import KeptTorrents
from capabilities.adapters.downloader.embedded_metadata import MetadataLookups, torrent_from
from capabilities.adapters.downloader.embedded_profile import Profile
from capabilities.adapters.downloader.embedded_task import Task
from capabilities.adapters.downloader.embedded_upkeep import Timing, Upkeep
from capabilities.adapters.downloader.info_hashes import InfoHashes, normal_hash
from capabilities.adapters.downloader.port import AddRequest, Pauser, Transfer
from capabilities.adapters.downloader.torrent_file import Magnet
from capabilities.kernel.faults import DeclinedError, LostAnswerError, WorldFaultError

_DEFAULT_TIMING = Timing()


class EmbeddedDownloader:
    """`Downloader` by libtorrent, with a state folder that survives a crash.

    A torrent of which files are missing at a start is held, and so is one whose names are unsafe,
    also when they became known from a peer. Made by `open_embedded`.
    """

    kind = "embedded"

    def __init__(
        self,
        name: str,
        upkeep: Upkeep,
        lookups: MetadataLookups,
        downloads: Path,
        timing: Timing,
    ) -> None:
        self.name = name
        self._system = system_of(name)
        self._upkeep = upkeep
        self._lookups = lookups
        self._downloads = downloads
        self._timing = timing
        self._door = anyio.Lock()
        self._order = max((task.intent.order for task in upkeep.tasks), default=0)

    async def add(self, request: AddRequest) -> InfoHashes:
        """See `Downloader.add`; a torrent is written down before it enters the session."""
        async with self._door:
            entry = await anyio.to_thread.run_sync(requested, request, self._order + 1)
            known = self._upkeep.tasks.same_as(entry.hashes)
            if known is not None:
                return known.hashes
            # A torrent that is written down and not entered would appear at the next start.
            with anyio.CancelScope(shield=True):
                await self._admit(entry)
            return entry.hashes

    async def transfer(self, info_hash: str) -> Transfer | None:
        """See `Downloader.transfer`."""
        await self._upkeep.live.refresh()
        task = self._upkeep.tasks.named(info_hash)
        return None if task is None else await self._described(task)

    async def transfers(self) -> Sequence[Transfer]:
        """See `Downloader.transfers`."""
        await self._upkeep.live.refresh()
        found = [await self._described(task) for task in self._upkeep.tasks]
        return [transfer for transfer in found if transfer is not None]

    async def metadata(self, magnet: Magnet) -> bytes:
        """See `MetadataSource.metadata`."""
        live = self._upkeep.live
        live.refuse_when_closed()
        known = self._upkeep.tasks.same_as(magnet.hashes)
        if known is not None and known.files:
            async with self._turn(known.key) as task:
                resume = await live.snapshot(task.handle, flush=False)
            if resume is not None:
                return await anyio.to_thread.run_sync(torrent_from, resume, magnet)
        return await self._lookups.find(magnet, live)

    async def pause(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.pause`."""
        async with self._turn(info_hash) as task:
            owners = task.intent.paused_by is Pauser.OWNER
            task.intent = task.intent.model_copy(
                update={"paused_by": Pauser.OWNER if owners else by}
            )
            task.handle.pause()
            await self._keep(task)

    async def resume(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.resume`."""
        async with self._turn(info_hash) as task:
            self._refuse_unsafe(task)
            if task.intent.missing:
                raise self._declined(
                    "Files of it are missing, so it stays held. Put them back or not, and have it"
                    " rechecked; what is not there is then fetched again."
                )
            if task.intent.paused_by is Pauser.OWNER and by is not Pauser.OWNER:
                raise self._declined("The owner paused it, so only the owner lets it run again.")
            task.intent = task.intent.model_copy(update={"paused_by": None})
            task.quiet_since = anyio.current_time()
            task.handle.clear_error()
            task.handle.resume()
            await self._keep(task)

    async def recheck(self, info_hash: str) -> None:
        """See `Downloader.recheck`."""
        async with self._turn(info_hash) as task:
            self._refuse_unsafe(task)
            if not task.files:
                raise self._declined("Its metadata is not there yet, so there is nothing to check.")
            try:
                await self._upkeep.recheck(task)
            except OSError as error:
                raise self._declined(
                    "Its state folder cannot be written, so nothing was rechecked. Check the disk."
                ) from error

    async def remove(self, info_hash: str, *, delete_data: bool) -> None:
        """See `Downloader.remove`."""
        self._upkeep.live.refuse_when_closed()
        if self._upkeep.tasks.named(info_hash) is None:
            # An earlier removal may have left it in the state folder.
            await self._forget(normal_hash(info_hash))
            return
        async with self._turn(info_hash) as task:
            await self._leave(task, delete_data=delete_data)

    def changes(self) -> AbstractAsyncContextManager[AsyncIterator[str]]:
        """See `Downloader.changes`."""
        return self._upkeep.feed.reading()

    async def health(self) -> ClientHealth:
        """See `Downloader.health`; free bytes are those of the downloads folder."""
        return await health_of(self._upkeep, self._downloads)

    async def aclose(self) -> None:
        """Write down what is not yet, and end the session."""
        await self._lookups.aclose()
        await self._upkeep.aclose()

    async def _admit(self, entry: Entry) -> None:
        upkeep = self._upkeep
        upkeep.live.refuse_when_closed()
        try:
            await upkeep.kept.write(entry.kept())
        except OSError as error:
            raise self._declined(
                "Its state folder cannot be written, so nothing was added. Check the disk."
            ) from error
        self._order += 1
        try:
            task = await upkeep.enter(entry)
        except WorldFaultError:
            await self._forget(entry.key)
            raise
        if task.files and task.chosen != selection(task.intent, task.files):
            await self._leave(task, delete_data=False)
            raise self._declined("It did not take the choice of files, so nothing was added.")

    async def _leave(self, task: Task, *, delete_data: bool) -> None:
        upkeep = self._upkeep
        task.gone = True
        upkeep.tasks.remove(task)
        upkeep.feed.publish(task.key)
        whole = True
        if delete_data:
            whole = await upkeep.live.delete(task.handle)
        else:
            await upkeep.live.drop(task.handle)
        await self._forget(task.key)
        if not whole:
            raise LostAnswerError(
                self._system,
                "The torrent was removed, but some of its files could not be deleted. Look into"
                " the download folder.",
            )

    async def _forget(self, key: str | None) -> None:
        if key is None:
            return
        try:
            await self._upkeep.kept.forget(key)
        except OSError as error:
            raise LostAnswerError(
                self._system,
                "The torrent is gone, but its state folder cannot be written, so a restart may"
                " bring it back. Check the disk, then remove it again.",
            ) from error

    async def _keep(self, task: Task) -> None:
        try:
            await self._upkeep.keep(task)
        except OSError as error:
            raise LostAnswerError(
                self._system,
                "It was done, but the state folder cannot be written, so a restart would forget it."
                " Check the disk, then do it again.",
            ) from error

    @asynccontextmanager
    async def _turn(self, info_hash: str) -> AsyncGenerator[Task]:
        """The torrent of that hash, for us alone and to the end of what was begun."""
        self._upkeep.live.refuse_when_closed()
        task = self._upkeep.tasks.named(info_hash)
        if task is None:
            raise self._unknown()
        async with task.turn:
            if task.gone:
                raise self._unknown()
            with anyio.CancelScope(shield=True):
                yield task
        if not task.gone:
            self._upkeep.tell(task)

    async def _described(self, task: Task) -> Transfer | None:
        had = task.reading.had
        if task.files and task.progress_at != had:
            progress = await self._upkeep.live.file_progress(task.handle)
            if progress:
                task.progress, task.progress_at = progress, had
        if task.gone:
            return None
        return task.transfer(anyio.current_time(), self._timing.stall_after_s)

    def _refuse_unsafe(self, task: Task) -> None:
        if task.refused is not None:
            raise self._declined(task.refused)

    def _unknown(self) -> DeclinedError:
        return self._declined("It has no such torrent (any more), so nothing was done.")

    def _declined(self, sentence: str) -> DeclinedError:
        return DeclinedError(self._system, sentence)


@asynccontextmanager
async def open_embedded(
    state_folder: Path,
    downloads: Path,
    profile: Profile,
    *,
    name: str = "embedded",
    timing: Timing = _DEFAULT_TIMING,
) -> AsyncGenerator[EmbeddedDownloader]:
    """The embedded client for the time of the block, with everything its state folder knows.

    Args:
        state_folder: the client's own; two clients at one time must not share it.
        downloads: where downloads usually go; asked for free space, nothing else.
        profile: how it behaves on the network.
        name: what the owner calls it.
        timing: how often it looks and writes.

    An exception of the block leaves it as it was raised, not in a group.
    """
    try:
        async with anyio.create_task_group() as group:
            system = system_of(name)
            upkeep = Upkeep(system, KeptTorrents(state_folder), profile, timing, group)
            lookups = MetadataLookups(system, profile, timing.metadata_s)
            try:
                await upkeep.restore()
                yield EmbeddedDownloader(name, upkeep, lookups, downloads, timing)
            finally:
                with anyio.CancelScope(shield=True):
                    await lookups.aclose()
                    await upkeep.aclose()
                group.cancel_scope.cancel()
    except BaseExceptionGroup as raised:
        only, *others = raised.exceptions
        if others:
            raise
        raise only from only.__cause__


def system_of(name: str) -> str:
    """The words a person knows the client by."""
    return f'the download client "{name}"'
