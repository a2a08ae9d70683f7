"""Transmission, 3.00 and later, as a download client.

https://github.com/transmission/transmission/blob/4.0.6/docs/rpc-spec.md
"""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

import anyio

from capabilities.adapters.downloader.breaker import Breaker
from capabilities.adapters.downloader.client_health import ClientHealth
from capabilities.adapters.downloader.info_hashes import InfoHashes, normal_hash
from capabilities.adapters.downloader.port import AddRequest, Pauser, Transfer
from capabilities.adapters.downloader.transmission_admission import Admission
from capabilities.adapters.downloader.transmission_daemon import TransmissionDaemon
from capabilities.adapters.downloader.transmission_row import FullRow
from capabilities.adapters.downloader.transmission_rpc import Account, TransmissionRpc
from capabilities.adapters.downloader.transmission_transfer import brief_of, refusal, transfer_of
from capabilities.adapters.downloader.transmission_upkeep import Timing, Upkeep
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError, UnreachableError, WorldFaultError

_DEFAULT_TIMING = Timing()
_MISSING = (
    "It finds none of its files, and then it checks nothing. Put them back and have it rechecked,"
    " or remove it and add it again."
)


class TransmissionDownloader:
    """`Downloader` by a Transmission elsewhere. Made by `open_transmission`.

    Where it cannot do what the port promises:

    - It takes torrents of version 1, and from 4.0 on hybrids, which it knows by their v1 hash.
    - It takes no addresses of peers.
    - A torrent in the same folder that has no label and was never let run is taken for one that
      an add left half done.
    - Names of a magnet's files can be judged only once it has begun to fetch them; what it makes
      of them lies below the save path, and one that is refused is stopped at the next look.
    - It rechecks nothing of a torrent (3.00) of which it finds no file at all.
    - It does not say which files would not go when they were to be deleted.
    - A resume, and a change of who paused a torrent that is stopped already, are on its disk some
      minutes later.
    """

    kind = "transmission"

    def __init__(
        self, name: str, daemon: TransmissionDaemon, admission: Admission, upkeep: Upkeep
    ) -> None:
        self.name = name
        self._daemon = daemon
        self._admission = admission
        self._upkeep = upkeep
        self._asked: set[str] = set()
        self._closed = False

    async def add(self, request: AddRequest) -> InfoHashes:
        """See `Downloader.add`."""
        self._refuse_when_closed()
        async with self._upkeep.door:
            hashes = await self._admission.add(request)
        self._asked.add(hashes.key)
        self._upkeep.feed.publish(hashes.key)
        return hashes

    async def transfer(self, info_hash: str) -> Transfer | None:
        """See `Downloader.transfer`."""
        self._refuse_when_closed()
        key = normal_hash(info_hash)
        row = None if key is None else await self._daemon.row(key)
        if row is None:
            return None
        self._asked.add(row.hash_string)
        return self._described(row)

    async def transfers(self) -> Sequence[Transfer]:
        """See `Downloader.transfers`; those added in one second are in the order of the queue."""
        self._refuse_when_closed()
        rows = await self._daemon.rows()
        self._asked &= {row.hash_string for row in rows}
        ours = [row.hash_string for row in rows if row.notes.ours or row.hash_string in self._asked]
        whole, few = await self._daemon.full_rows(ours), set(ours)
        return [
            self._described(whole[row.hash_string]) if row.hash_string in few else brief_of(row)
            for row in rows
            if row.hash_string not in few or row.hash_string in whole
        ]

    async def pause(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.pause`."""
        async with self._turn(info_hash) as row:
            owners = row.paused_by_hand or row.notes.paused_by is Pauser.OWNER
            if owners and row.stopped and by is not Pauser.OWNER:
                return
            notes = replace(row.notes.running(), paused_by=by)
            await self._daemon.label(row.hash_string, notes)
            await self._daemon.stop(row.hash_string)

    async def resume(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.resume`."""
        async with self._turn(info_hash) as row:
            if row.notes.refused:
                raise self._declined(refusal(row))
            if row.missing and not row.checking:
                raise self._declined(_MISSING)
            owners = row.paused_by_hand or row.notes.paused_by is Pauser.OWNER
            if owners and by is not Pauser.OWNER:
                raise self._declined("The owner paused it, so only the owner lets it run again.")
            started = await self._daemon.start(row.hash_string)
            # A note that is left behind by a death here goes at the next look.
            await self._daemon.label(row.hash_string, row.notes.running())
            if started is not None and started.missing and not started.checking:
                raise self._declined(_MISSING)

    async def recheck(self, info_hash: str) -> None:
        """See `Downloader.recheck`."""
        async with self._turn(info_hash) as row:
            if row.notes.refused:
                raise self._declined(refusal(row))
            if not row.has_metadata:
                raise self._declined("Its metadata is not there yet, so there is nothing to check.")
            key = row.hash_string
            if row.paused_by_hand:
                # Should its files be gone, nothing else would tell that it was paused.
                await self._daemon.label(key, replace(row.notes, paused_by=Pauser.OWNER))
            await self._daemon.verify(key)
            if row.broken and row.notes.paused_by is None:
                await self._daemon.start(key)
            found = await self._daemon.glance(key)
            if found is not None and found.missing and not found.checking:
                raise self._declined(_MISSING)
            self._upkeep.rechecked.add(key)

    async def remove(self, info_hash: str, *, delete_data: bool) -> None:
        """See `Downloader.remove`."""
        self._refuse_when_closed()
        key = normal_hash(info_hash)
        if key is None:
            return
        async with self._upkeep.door:
            if await self._daemon.glance(key) is None:
                return
            with anyio.CancelScope(shield=True):
                self._admission.forget(key)
                await self._daemon.remove(key, delete_data=delete_data)
        self._upkeep.forget(key)

    def changes(self) -> AbstractAsyncContextManager[AsyncIterator[str]]:
        """See `Downloader.changes`."""
        return self._upkeep.feed.reading()

    async def health(self) -> ClientHealth:
        """See `Downloader.health`; free bytes are those of Transmission's own default folder."""
        if self._closed:
            return ClientHealth("", reachable=False, note="It was closed.")
        try:
            about = await self._daemon.about()
            free = await self._daemon.free_bytes(about.download_dir)
        except WorldFaultError as fault:
            return ClientHealth("", reachable=False, note=fault.sentence)
        return ClientHealth(
            f"Transmission {about.version}",
            reachable=True,
            free_bytes=free,
            note=None if about.is_new_enough else about.too_old,
        )

    async def aclose(self) -> None:
        """Tell readers of changes that there are no more; Transmission itself goes on."""
        self._closed = True
        self._upkeep.close()

    def _described(self, row: FullRow) -> Transfer:
        return transfer_of(row, quiet=self._upkeep.quiet.observe(row))

    @asynccontextmanager
    async def _turn(self, info_hash: str) -> AsyncGenerator[FullRow]:
        """The torrent of that hash, for us alone and to the end of what was begun."""
        self._refuse_when_closed()
        key = normal_hash(info_hash)
        async with self._upkeep.door:
            row = None if key is None else await self._daemon.row(key)
            if row is None:
                raise self._declined("It has no such torrent (any more), so nothing was done.")
            with anyio.CancelScope(shield=True):
                yield await self._admission.with_choice(row)
        self._upkeep.feed.publish(row.hash_string)

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise UnreachableError(self._daemon.system, "It was closed, so nothing was done.")

    def _declined(self, sentence: str) -> DeclinedError:
        return DeclinedError(self._daemon.system, sentence)


@asynccontextmanager
async def open_transmission(
    name: str,
    account: Account,
    outbound: Outbound,
    *,
    timing: Timing = _DEFAULT_TIMING,
) -> AsyncGenerator[TransmissionDownloader]:
    """The client for the time of the block; whether Transmission answers does not matter for that.

    Args:
        name: what the owner calls it.
        account: where it is, and as whom it is asked.
        outbound: what carries the requests.
        timing: how often it is looked at.

    An exception of the block leaves it as it was raised, not in a group.

    Raises:
        DeclinedError: the address is no http or https address.
    """
    breaker = Breaker(name, timing.away_s)
    rpc = TransmissionRpc(f'the download client "{name}"', outbound, account, breaker)
    daemon = TransmissionDaemon(rpc, timing.seen_through_s)
    admission = Admission(daemon, timing.checked_within_s)
    upkeep = Upkeep(daemon, admission, breaker, timing)
    client = TransmissionDownloader(name, daemon, admission, upkeep)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(upkeep.run)
            try:
                yield client
            finally:
                await client.aclose()
                group.cancel_scope.cancel()
    except BaseExceptionGroup as raised:
        only, *others = raised.exceptions
        if others:
            raise
        raise only from only.__cause__
