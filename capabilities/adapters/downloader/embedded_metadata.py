"""Finding out what a magnet stands for, apart from everything that is being downloaded."""

import re
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import libtorrent as lt

from capabilities.adapters.downloader import bencoding
from capabilities.adapters.downloader.embedded_dht import Peers
from capabilities.adapters.downloader.embedded_profile import Profile
from capabilities.adapters.downloader.embedded_reading import Reading
from capabilities.adapters.downloader.embedded_session import LiveSession
from capabilities.adapters.downloader.info_hashes import V1_DIGITS, InfoHashes
from capabilities.adapters.downloader.metadata_source import NoMetadataError
from capabilities.adapters.downloader.torrent_file import Magnet, hashes_of, read_torrent
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from capabilities.kernel.faults import UnreachableError, WorldFaultError

MAX_METADATA_BYTES = 8 * 1024 * 1024
"""As much as a torrent file from an indexer may have."""

_AT_ONCE = 3
_CLOSE_S = 4
_SEEK_EVERY_S = 3
_PORT = re.compile(r":\d+(?=,|$)")
_APART: "lt.settings_pack" = {
    "enable_dht": False,
    "enable_lsd": False,
    "enable_upnp": False,
    "enable_natpmp": False,
    "connections_limit": 50,
    "max_metadata_size": MAX_METADATA_BYTES,
    "announce_to_all_tiers": True,
    "announce_to_all_trackers": True,
}


class MetadataLookups:
    """Each magnet is asked for in a session of its own, which is gone when the call ends.

    In the session of the downloads it would meet the owner's torrents: libtorrent stops both when
    two hashes turn out to name one torrent. Apart from it, nothing is written down that a start
    could bring back, and nobody who watches the downloads sees it.

    Args:
        system: the words a person knows the client by, for faults.
        profile: how the client behaves on the network, and which addresses are shut.
        within_s: seconds for one magnet, waiting for its turn included.
    """

    def __init__(self, system: str, profile: Profile, within_s: float) -> None:
        self._system = system
        self._profile = profile
        self._within_s = within_s
        self._turns = anyio.Semaphore(_AT_ONCE)
        self._open: dict[anyio.CancelScope, anyio.Event] = {}
        self._closed = False

    async def find(self, magnet: Magnet, downloads: LiveSession) -> bytes:
        """A torrent file for the magnet; see `MetadataSource.metadata`.

        The session of the downloads is where the DHT is asked, for it knows the way.

        Raises:
            NoMetadataError: none came in time.
            UnreachableError: the client was shut down.
            DeclinedError: what came is refused.
        """
        raw: bytes | None = None
        with anyio.CancelScope() as scope:
            ended = self._open[scope] = anyio.Event()
            try:
                if self._closed:
                    scope.cancel()
                with anyio.move_on_after(self._within_s):
                    async with self._turns:
                        raw = await self._asked(magnet, downloads)
            finally:
                del self._open[scope]
                ended.set()
        if raw is None and scope.cancelled_caught:
            raise UnreachableError(self._system, "It is shut down, so nothing was looked up.")
        if raw is None:
            raise NoMetadataError(
                self._system,
                f"Nobody sent the metadata of this magnet within {self._within_s:g} s, so what it "
                "holds is not known. Nothing of the attempt is left.",
            )
        return raw

    async def aclose(self) -> None:
        """Give up what is under way."""
        self._closed = True
        for scope, ended in list(self._open.items()):
            scope.cancel()
            await ended.wait()

    async def _asked(self, magnet: Magnet, downloads: LiveSession) -> bytes:
        arrived = anyio.Event()

        def news(_: lt.torrent_handle, reading: Reading) -> None:
            if reading.has_metadata:
                arrived.set()

        async with self._session(news) as (live, folder):
            handle = await live.add(_params(magnet, folder, self._profile.torrent_flags()))
            swarms = _swarms(magnet.hashes)
            with downloads.searches.told_to(partial(_connect, handle), *swarms):
                while not arrived.is_set():
                    for swarm in swarms:
                        downloads.seek(swarm)
                    with anyio.move_on_after(_SEEK_EVERY_S):
                        await arrived.wait()
            resume = await live.snapshot(handle, flush=False)
        if resume is None:
            raise BadTorrentError("Its metadata could not be read. Look for another release.")
        return await anyio.to_thread.run_sync(torrent_from, resume, magnet)

    @asynccontextmanager
    async def _session(
        self, news: Callable[[lt.torrent_handle, Reading], None]
    ) -> AsyncGenerator[tuple[LiveSession, Path]]:
        pack = self._profile.pack()
        pack.update(_APART)
        # The port of the downloads is theirs.
        pack["listen_interfaces"] = _PORT.sub(":0", pack.get("listen_interfaces", ""))
        # Nothing is to be written there; what is has no other place to go.
        folder = Path(await anyio.to_thread.run_sync(tempfile.mkdtemp))
        live = LiveSession(self._system, pack, news, shut=self._profile.shut())
        try:
            yield live, folder
        finally:
            with anyio.CancelScope(shield=True):
                with anyio.move_on_after(_CLOSE_S), suppress(WorldFaultError):
                    await live.pause()
                await live.aclose()
                await anyio.to_thread.run_sync(shutil.rmtree, folder, True)


def torrent_from(resume: bytes, magnet: Magnet) -> bytes:
    """A torrent file from libtorrent's resume data; blocking, pure computing.

    Raises:
        BadTorrentError: it is not the torrent that was asked for, or its names are refused.
    """
    params = lt.read_resume_data(resume)
    if params.ti is None:
        raise BadTorrentError("Its metadata could not be read. Look for another release.")
    if not _is_meant(hashes_of(params.ti.info_hashes()), magnet.hashes):
        raise BadTorrentError("Other metadata came than was asked for. Look for another release.")
    outside: dict[bytes, object] = {}
    if magnet.trackers:
        tiers = [[url.encode()] for url in magnet.trackers]
        outside = {b"announce": tiers[0][0], b"announce-list": tiers}
    # Byte for byte what was hashed, where encoding it anew might not be.
    raw = bencoding.encode(outside)[:-1] + b"4:info" + params.ti.info_section() + b"e"
    return read_torrent(raw).raw


def _swarms(hashes: InfoHashes) -> list[str]:
    """What its peers are found under: of a v2 hash, the first half."""
    return [each[:V1_DIGITS] for each in (hashes.v1, hashes.v2) if each is not None]


def _connect(handle: lt.torrent_handle, peers: Peers) -> None:
    for peer in peers:
        handle.connect_peer(peer)


def _is_meant(found: InfoHashes, asked: InfoHashes) -> bool:
    return asked.v1 in {None, found.v1} and asked.v2 in {None, found.v2}


def _params(magnet: Magnet, folder: Path, flags: int) -> lt.add_torrent_params:
    """What asks for the metadata and for nothing else that a magnet can say."""
    params = lt.parse_magnet_uri(magnet.without_addresses().uri)
    params.trackers = list(magnet.trackers)
    params.peers = list(magnet.peers)
    params.save_path = str(folder)
    ours = flags | lt.torrent_flags.default_dont_download | lt.torrent_flags.update_subscribe
    moods = lt.torrent_flags.auto_managed | lt.torrent_flags.paused
    params.flags = (params.flags & ~moods) | ours
    return params
