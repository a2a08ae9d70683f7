"""The files of torrents in qBittorrent: their names judged, their places in the torrent known.

qBittorrent leaves pad files out when it counts, and we count them; so a torrent is read once as
qBittorrent would give it out as a file.
"""

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus

import anyio.to_thread

from capabilities.adapters.downloader.port import FileProgress
from capabilities.adapters.downloader.qbittorrent_answers import (
    FileRow,
    UnreadableError,
    read_files,
)
from capabilities.adapters.downloader.qbittorrent_session import WebSession
from capabilities.adapters.downloader.torrent_file import TorrentFile, read_torrent
from capabilities.adapters.downloader.torrent_names import BadTorrentError, check_paths

_MOST_KEPT = 2000


@dataclass(frozen=True, slots=True)
class Layout:
    """The files of one torrent, pads left out, in the order in which qBittorrent counts them.

    Attributes:
        refused: the sentence, if its names were refused; then there are no files.
    """

    files: tuple[TorrentFile, ...] = ()
    refused: str | None = None


class TorrentFiles:
    """Looks into torrents, each once as far as that does not change."""

    def __init__(self, session: WebSession) -> None:
        """Look with this session."""
        self._session = session
        self._layouts: OrderedDict[str, Layout] = OrderedDict()

    async def layout(self, id_: str) -> Layout | None:
        """What files it has; None if qBittorrent has no such torrent.

        Raises:
            UnreadableError: it does not give the torrent out.
            WorldFaultError: as calls fail.
        """
        known = self._layouts.get(id_)
        if known is None:
            answer = await self._session.read("torrents/export", {"hash": id_})
            if answer.status == HTTPStatus.NOT_FOUND:
                return None
            if not answer.ok:
                raise UnreadableError(self._session.system)
            known = await anyio.to_thread.run_sync(_judged, answer.body)
            self._layouts[id_] = known
            while len(self._layouts) > _MOST_KEPT:
                self._layouts.popitem(last=False)
        return known

    async def progress(self, id_: str, layout: Layout) -> tuple[FileProgress, ...] | None:
        """How far each file is; None if qBittorrent has no such torrent.

        Raises:
            BadTorrentError: a file has an unsafe name there.
            WorldFaultError: as calls fail.
        """
        rows = await self._rows(id_)
        if rows is None:
            return None
        if [row.size for row in rows] != [file.size for file in layout.files]:
            raise UnreadableError(self._session.system)
        # It repairs names in its own way and lets the owner rename files, so theirs are judged.
        check_paths(tuple(part.encode() for part in row.name.split("/")) for row in rows)
        pairs = zip(layout.files, rows, strict=True)
        return tuple(_progress(file, row) for file, row in pairs)

    async def choose(self, id_: str, layout: Layout, wanted: Collection[int]) -> bool:
        """Have these files fetched and no others; whether it says afterwards that it will.

        Raises:
            WorldFaultError: as calls fail.
        """
        for priority, is_so in (("0", False), ("1", True)):
            places = [
                str(place)
                for place, file in enumerate(layout.files)
                if (file.index in wanted) is is_so
            ]
            if places:
                fields = {"hash": id_, "id": "|".join(places), "priority": priority}
                answer = await self._session.act("torrents/filePrio", fields)
                if not answer.ok:
                    return False
        chosen = await self._rows(id_)
        return chosen is not None and {
            file.index for file, row in zip(layout.files, chosen, strict=False) if row.priority != 0
        } == set(wanted)

    async def _rows(self, id_: str) -> list[FileRow] | None:
        answer = await self._session.read("torrents/files", {"hash": id_})
        if answer.status == HTTPStatus.NOT_FOUND:
            return None
        if not answer.ok:
            raise UnreadableError(self._session.system)
        return read_files(self._session.system, answer.body)


def _judged(raw: bytes) -> Layout:
    try:
        return Layout(read_torrent(raw).shown())
    except BadTorrentError as error:
        return Layout(refused=error.sentence)


def _progress(file: TorrentFile, row: FileRow) -> FileProgress:
    done = file.size if row.progress >= 1 else int(row.progress * file.size)
    return FileProgress(file.index, row.name, file.size, done, row.priority != 0)
