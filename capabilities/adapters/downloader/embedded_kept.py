"""What the embedded client must know after a crash, one file for each torrent."""

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import anyio.to_thread
import libtorrent as lt
from pydantic import BaseModel, ConfigDict, ValidationError

from capabilities.adapters.downloader import bencoding
from capabilities.adapters.downloader.port import Pauser

NOT_KEPT = (
    "Its state folder cannot be written, so a restart would forget the last changes."
    " Check the disk."
)
_NEW = ".new"
_SUFFIX = ".torrent-state"
_NAME = re.compile(r"[0-9a-f]{40,64}\.torrent-state")


class Intent(BaseModel):
    """What we want of a torrent, which libtorrent's own resume data cannot say.

    Attributes:
        order: torrents are listed by it; it grows with every one that is added.
        wanted: see `AddRequest.wanted`.
        missing: files were gone at a start, and nothing may run until the owner has it rechecked.
        recheck: a recheck was asked for and has not ended.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    order: int
    category: str
    wanted: tuple[int, ...] | None = None
    paused_by: Pauser | None = None
    missing: bool = False
    recheck: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """A torrent as it was kept: under which key, what we want of it, and libtorrent's part."""

    key: str
    intent: Intent
    resume: bytes

    def params(self) -> lt.add_torrent_params:
        """Libtorrent's part, read."""
        return lt.read_resume_data(self.resume)


class KeptTorrents:
    """A folder of torrents, each written whole or not at all.

    Attributes:
        trouble: a sentence, while the last write failed.
        left_out: a sentence, if something that was kept could not be taken up.

    Args:
        folder: made if it is not there; nobody else writes into it.
    """

    def __init__(self, folder: Path) -> None:
        self.trouble: str | None = None
        self.left_out: str | None = None
        self._folder = folder

    async def write(self, kept: Kept) -> None:
        """Keep a torrent in place of what was kept under its key.

        Raises:
            OSError: what was kept before still is.
        """
        try:
            await anyio.to_thread.run_sync(self._write, kept)
        except OSError:
            self.trouble = NOT_KEPT
            raise
        self.trouble = None

    async def forget(self, key: str) -> None:
        """Keep nothing under that key any more.

        Raises:
            OSError: it is still kept.
        """
        await anyio.to_thread.run_sync(self._forget, key)

    async def read_all(self) -> list[Kept]:
        """Everything that is kept, oldest first; an unreadable file stays where it is.

        Raises:
            OSError: the folder cannot be read.
        """
        found = await anyio.to_thread.run_sync(self._read_all)
        kept = [one for one in found if one is not None]
        unreadable = len(found) - len(kept)
        if unreadable:
            self.left_out = f"{unreadable} of its saved torrents cannot be read; they are left out."
        return sorted(kept, key=lambda one: one.intent.order)

    def _write(self, kept: Kept) -> None:
        content = bencoding.encode(
            {b"intent": kept.intent.model_dump_json().encode(), b"resume": kept.resume}
        )
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self._folder, suffix=_NEW)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self._path(kept.key))
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        self._flush_folder()

    def _forget(self, key: str) -> None:
        path = self._path(key)
        if path.exists():
            path.unlink()
            self._flush_folder()

    def _read_all(self) -> list[Kept | None]:
        if not self._folder.exists():
            return []
        for leftover in self._folder.glob(f"*{_NEW}"):
            leftover.unlink(missing_ok=True)
        return [_read(path) for path in self._folder.iterdir() if _NAME.fullmatch(path.name)]

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}{_SUFFIX}"

    def _flush_folder(self) -> None:
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _read(path: Path) -> Kept | None:
    try:
        content = cast("dict[bytes, bytes]", bencoding.decode(path.read_bytes()))
        intent = Intent.model_validate_json(content[b"intent"])
        kept = Kept(path.name.removesuffix(_SUFFIX), intent, content[b"resume"])
        kept.params()
    except (OSError, RuntimeError, LookupError, TypeError, ValidationError):
        return None
    return kept
