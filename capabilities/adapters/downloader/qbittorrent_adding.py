"""Adding a torrent to qBittorrent, which says little of what it did: it is looked before and after.

It answers "Fails." for what it has already and for trouble alike, and "Ok." before it has it.
"""

from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

import anyio
import anyio.to_thread

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import AddRequest
from capabilities.adapters.downloader.qbittorrent_letting_go import NO_SUCH_FILES, forget, let_go
from capabilities.adapters.downloader.qbittorrent_live import Live
from capabilities.adapters.downloader.qbittorrent_notes import adding_tags
from capabilities.adapters.downloader.torrent_file import (
    Magnet,
    bare_uri,
    parse_magnet,
    read_torrent,
)
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import DeclinedError, LostAnswerError, WorldFaultError

_FAILS = b"Fails."
_SHOWN = "It took the torrent and does not show it."


@dataclass(frozen=True, slots=True)
class Source:
    """What is to be added, read and judged; a torrent file or a magnet link."""

    hashes: InfoHashes
    torrent: bytes = b""
    magnet: str = ""


class Adding:
    """One torrent after the other."""

    def __init__(self, live: Live) -> None:
        """Add to this qBittorrent."""
        self._live = live
        self._door = anyio.Lock()

    async def add(self, request: AddRequest) -> InfoHashes:
        """See `Downloader.add`.

        A torrent whose names or files are still to be settled is added so that it stops before it
        fetches anything, with a note of what is open; whoever looks next does the rest.
        """
        live = self._live
        live.refuse_when_closed()
        async with self._door:
            source = await anyio.to_thread.run_sync(judged, request)
            await live.refresh()
            known = live.mirror.same_as(source.hashes)
            if known is None:
                known = await self._added(request, source)
            live.mirror.ask_for(known)
            return live.mirror.hashes(known) or source.hashes

    async def _added(self, request: AddRequest, source: Source) -> str:
        live = self._live
        await live.session.version()
        await self._have_category(request.category)
        fields = _fields(request, source)
        answer = await live.session.act("torrents/add", fields, source.torrent)
        if _refused(answer):
            return await self._adopted(source, answer)
        try:
            return await self._let_in(request, source)
        except (DeclinedError, LostAnswerError):
            raise
        except WorldFaultError as fault:  # it has the torrent: whoever looks next does the rest
            raise LostAnswerError(live.system, fault.sentence) from fault

    async def _let_in(self, request: AddRequest, source: Source) -> str:
        """Wait until a torrent that it took is shown, and settle what was open about it."""
        live = self._live
        await live.until(lambda: live.mirror.same_as(source.hashes) is not None, _SHOWN)
        id_ = live.mirror.same_as(source.hashes)
        if id_ is None:
            raise LostAnswerError(live.system, _SHOWN)
        await self._introduce(id_, request.peers)
        if source.torrent and request.wanted is not None:
            await self._choose(id_)
        return id_

    async def _adopted(self, source: Source, answer: Answer) -> str:
        await self._live.refresh()
        id_ = self._live.mirror.same_as(source.hashes)
        if id_ is None:
            raise DeclinedError(
                self._live.system,
                f"It did not take the torrent (HTTP {answer.status}) and does not say why. Its log"
                " may.",
            )
        return id_

    async def _choose(self, id_: str) -> None:
        live = self._live
        async with live.turn(id_):
            await live.until(lambda: _settled(live, id_), _SHOWN)
            trouble = await let_go(live, id_) if live.notes(id_).adding else None
            if trouble is not None:
                await forget(live, id_, delete_data=False)
        if trouble is not None:
            raise DeclinedError(live.system, trouble)

    async def _introduce(self, id_: str, peers: tuple[tuple[str, int], ...]) -> None:
        if not peers:
            return
        spelt = "|".join(
            f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in peers
        )
        # It finds others, or these, without us too.
        with suppress(WorldFaultError):
            await self._live.act("addPeers", id_, peers=spelt)

    async def _have_category(self, name: str) -> None:
        if not name or name in self._live.mirror.categories:
            return
        # Where it is there by now, that is fine; where it cannot be, adding makes it or says so.
        await self._live.session.act("torrents/createCategory", {"category": name, "savePath": ""})


def judged(request: AddRequest) -> Source:
    """Read what was asked for; blocking, pure computing.

    Raises:
        BadTorrentError: the source or its names are refused, or a wanted file does not exist.
    """
    if isinstance(request.source, str):
        magnet = parse_magnet(request.source)
        return Source(magnet.hashes, magnet=_plain(magnet))
    torrent = read_torrent(request.source)
    if request.wanted is not None:
        chosen = frozenset(request.wanted)
        if not chosen or not chosen <= {file.index for file in torrent.shown()}:
            raise BadTorrentError(NO_SUCH_FILES)
    return Source(torrent.hashes, torrent=request.source)


def _plain(magnet: Magnet) -> str:
    """The link without web seeds and choices of files, which would be followed unjudged."""
    named = [("dn", magnet.name)] if magnet.name else []
    peers = (f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in magnet.peers)
    beside = [*named, *(("tr", url) for url in magnet.trackers), *(("x.pe", one) for one in peers)]
    uri = bare_uri(magnet.hashes)
    # libtorrent takes the addresses of peers as they stand.
    return "&".join((uri, urlencode(beside, safe=":[]"))) if beside else uri


def _fields(request: AddRequest, source: Source) -> dict[str, str]:
    fields = {
        "savepath": str(request.save_path),
        "category": request.category,
        "autoTMM": "false",
        "contentLayout": "Original",
        "skip_checking": "false",
    }
    stopped = bool(source.torrent) and request.wanted is not None
    if source.magnet:
        fields |= {"urls": source.magnet, "stopCondition": "MetadataReceived"}
    if source.magnet or stopped:
        fields["tags"] = ",".join(adding_tags(request.wanted))
    # The second name is version 5's.
    return fields | dict.fromkeys(("paused", "stopped"), "true" if stopped else "false")


def _refused(answer: Answer) -> bool:
    return not answer.ok or answer.body.strip() == _FAILS


def _settled(live: Live, id_: str) -> bool:
    """Whether it is ready for a choice of files, or not ours to choose for any more."""
    return live.row(id_) is None or live.is_stopped(id_) or not live.notes(id_).adding
