"""Somebody who has a film and gives it to others: a real BitTorrent seeder on 127.0.0.1."""

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import StrEnum
from pathlib import Path

import anyio
import anyio.to_thread
import libtorrent as lt

from world.bencoding import encode
from world.tracker import Tracker

_SETTINGS: "lt.settings_pack" = {
    "listen_interfaces": "127.0.0.1:0",
    "enable_dht": False,
    "enable_lsd": False,
    "enable_upnp": False,
    "enable_natpmp": False,
    "enable_ip_notifier": False,
    # uTP crawls on a loopback interface.
    "enable_outgoing_utp": False,
    "enable_incoming_utp": False,
    "allow_multiple_connections_per_ip": True,
    "min_reconnect_time": 1,
    "min_announce_interval": 1,
    "alert_mask": lt.alert_category.tracker,
}
_GOODBYE_S = 1
_ANSWER_S = 2
_LOOK_MS = 100
_STILL = lt.torrent_flags.auto_managed | lt.torrent_flags.paused
_KNOWN_DATA = lt.torrent_flags.seed_mode


class TorrentKind(StrEnum):
    """Versions of the torrent format (BEP 3, BEP 52)."""

    V1 = "v1"
    V2 = "v2"
    HYBRID = "hybrid"


_FLAGS: dict[TorrentKind, int] = {
    TorrentKind.V1: lt.create_torrent.v1_only,
    TorrentKind.V2: lt.create_torrent.v2_only,
    TorrentKind.HYBRID: 0,
}


class Seed:
    """A torrent being given to whoever asks.

    Attributes:
        port: where it listens, on 127.0.0.1.
        torrent_bytes: the torrent file.
        v1, v2: its info-hashes in lower-case hexadecimal, None where the format has none.
    """

    def __init__(
        self,
        session: lt.session,
        handle: lt.torrent_handle,
        torrent_bytes: bytes,
        tracker: Tracker | None,
    ) -> None:
        self._sessions = [session]
        self._handle = handle
        self._tracker = tracker
        hashes = handle.info_hashes()
        self.port = session.listen_port()
        self.torrent_bytes = torrent_bytes
        self.v1 = str(hashes.v1) if hashes.has_v1() else None
        self.v2 = str(hashes.v2) if hashes.has_v2() else None

    @property
    def info_hashes(self) -> tuple[str, ...]:
        """The hashes that the torrent has, v1 first."""
        return tuple(info_hash for info_hash in (self.v1, self.v2) if info_hash)

    @property
    def address(self) -> tuple[str, int]:
        """Where clients find it."""
        return "127.0.0.1", self.port

    @property
    def magnet(self) -> str:
        """A magnet link that leads to it without a tracker (BEP 9, ``x.pe``)."""
        v1 = f"xt=urn:btih:{self.v1}" if self.v1 else ""
        v2 = f"xt=urn:btmh:1220{self.v2}" if self.v2 else ""
        names = "&".join(name for name in (v1, v2) if name)
        return f"magnet:?{names}&x.pe=127.0.0.1:{self.port}"

    @property
    def folder(self) -> Path:
        """What its file or folder lies in."""
        return Path(self._handle.status().save_path)

    @property
    def given_bytes(self) -> int:
        """Payload that it has given so far."""
        return self._handle.status(0).total_payload_upload

    @property
    def upload_limit(self) -> int:
        """Bytes per second that it gives at most; 0 or less for no limit."""
        return self._handle.upload_limit()

    def limit(self, bytes_per_second: int) -> None:
        """Give no faster than this from now on; 0 for no limit."""
        self._handle.set_upload_limit(bytes_per_second)

    def dial(self, address: tuple[str, int]) -> None:
        """Connect to somebody who connects to nobody here; again if that was in vain before.

        It speaks in the clear: Transmission takes its time over anything else.
        """
        self._sessions[0].apply_settings({"out_enc_policy": lt.enc_policy.disabled})
        self._handle.connect_peer(address)

    async def announced(self) -> None:
        """Wait until the tracker has answered for every hash.

        Raises:
            TimeoutError: it did not.
        """
        await anyio.to_thread.run_sync(_wait_for_replies, self._sessions[0], len(self.info_hashes))

    async def aclose(self) -> None:
        """Stop, and tell the tracker if there is one; twice is fine."""
        for session in self._sessions:
            session.pause()
        if self._tracker is not None:
            with anyio.move_on_after(_GOODBYE_S):
                for info_hash in self.info_hashes:
                    await self._tracker.gone(info_hash[:40], self.address)
        for session in self._sessions:
            # What was not answered by now would be waited for with the interpreter's lock held.
            session.apply_settings({"stop_tracker_timeout": 0})
        await anyio.to_thread.run_sync(self._sessions.clear)


def make_torrent(
    source: Path,
    *,
    kind: TorrentKind = TorrentKind.V1,
    piece_size: int = 0,
    announce_url: str | None = None,
    private: bool = False,
) -> bytes:
    """The torrent file of a file or folder; hashes all of it, blocking.

    Args:
        source: what to share; the torrent takes its name.
        kind: the version of the format.
        piece_size: bytes, a power of two from 16 KiB; 0 lets the size decide.
        announce_url: the tracker, if there is one.
        private: peers come from that tracker only (BEP 27).
    """
    creation = lt.create_torrent(lt.list_files(str(source)), piece_size, _FLAGS[kind])
    creation.set_priv(private)
    if announce_url is not None:
        creation.add_tracker(announce_url)
    lt.set_piece_hashes(creation, str(source.parent))
    return encode(creation.generate())


@asynccontextmanager
async def seeding(
    source: Path,
    *,
    tracker: Tracker | None = None,
    kind: TorrentKind = TorrentKind.V1,
    piece_size: int = 0,
    upload_limit: int = 0,
    private: bool = False,
) -> AsyncGenerator[Seed]:
    """Share a file or folder for the time of the block; the tracker knows when the block begins.

    The torrent is made as by `make_torrent`; `upload_limit` is bytes per second, 0 for none.
    """
    url = tracker.announce_url if tracker else None

    def made() -> bytes:
        return make_torrent(
            source, kind=kind, piece_size=piece_size, announce_url=url, private=private
        )

    torrent_bytes = await anyio.to_thread.run_sync(made)
    async with giving(torrent_bytes, source.parent, tracker=tracker) as seed:
        seed.limit(upload_limit)
        yield seed


@asynccontextmanager
async def giving(
    torrent_bytes: bytes, folder: Path, *, tracker: Tracker | None = None
) -> AsyncGenerator[Seed]:
    """Share what a torrent file describes and `folder` holds, believed unseen.

    The tracker that the torrent names, if it is ours, knows of it when the block begins.
    """
    params = lt.load_torrent_buffer(torrent_bytes)
    params.save_path = str(folder)
    params.flags = (params.flags | _KNOWN_DATA) & ~_STILL
    session = lt.session(_SETTINGS)
    seed = Seed(session, session.add_torrent(params), torrent_bytes, tracker)
    del session
    try:
        if tracker is not None:
            await seed.announced()
        yield seed
    finally:
        with anyio.CancelScope(shield=True):
            await seed.aclose()


def _wait_for_replies(session: lt.session, missing: int) -> None:
    deadline = time.monotonic() + _ANSWER_S
    while missing > 0:
        if time.monotonic() > deadline:
            raise TimeoutError("the tracker does not answer the seeder")
        session.wait_for_alert(_LOOK_MS)
        missing -= sum(isinstance(one, lt.tracker_reply_alert) for one in session.pop_alerts())
