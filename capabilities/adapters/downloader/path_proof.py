"""Proof that a download client and we mean one folder: it finds there what we have just written.

A small file of random bytes is written, and a private torrent of it without a tracker is added, so
that nobody else can be met; the client hashes the file, and both go again. What a death in
between leaves has a name of its own kind, and the next proof takes it away.
"""

import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

import anyio

from capabilities.adapters.downloader import bencoding
from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import (
    CATEGORY,
    AddRequest,
    ClientState,
    Downloader,
    Transfer,
)
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.faults import translated
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import DeclinedError, LostAnswerError, WorldFaultError
from capabilities.rules.outside_text import cleaned

PATIENCE_S = 30.0
"""Seconds for which a client may take to find the file or not to."""
_LEAVING_S = 20.0
_FIRST_LOOK_S = 0.05
_LAST_LOOK_S = 1.0
_BYTES = 65_536
_PIECE = 16_384
_NAME = re.compile(r"matinee-path-proof-[0-9a-f]{16}\.bin")
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_PATH = 500
_UNDECIDED = {ClientState.CHECKING, ClientState.QUEUED, ClientState.METADATA}


@dataclass(frozen=True, slots=True)
class PathProof:
    """What came of it.

    Attributes:
        proven: whether the client found the file; None where it could not be asked.
        sentence: what was seen, with the folder as both sides call it.
    """

    proven: bool | None
    sentence: str


async def prove(
    client: Downloader, downloads: Path, *, patience_s: float = PATIENCE_S
) -> PathProof:
    """Have a client find a file in the download folder by its own name of that folder.

    Args:
        client: takes our name of the folder; see `Mapped`.
        downloads: the folder, as we call it.
        patience_s: how long the client may take.

    Raises:
        WorldFaultError: the folder cannot be written to, so nothing was asked of the client.
    """
    health = await client.health()
    if not health.reachable:
        return PathProof(None, health.note or "It does not answer.")
    async with roots.opened(downloads, "the download folder") as root:
        await _clear(client, root)
        proof = _Proof(client, root)
        await off_loop(proof.write)
        try:
            return await proof.carried_out(patience_s)
        except WorldFaultError as fault:
            return PathProof(None, fault.sentence)
        finally:
            with anyio.move_on_after(_LEAVING_S, shield=True), suppress(WorldFaultError):
                await proof.leave()


class _Proof:
    """One file, and the torrent of it."""

    def __init__(self, client: Downloader, root: Root) -> None:
        self._client = client
        self._root = root
        self._name = f"matinee-path-proof-{secrets.token_hex(8)}.bin"
        self._content = secrets.token_bytes(_BYTES)
        self._torrent, self._hashes = _torrent_of(self._name, self._content)
        self._given = self._found = False

    def write(self) -> None:
        """Write the file, for everybody to read; blocking."""
        with self._root.folder() as folder, translated(self._root.system):
            handle = os.open(self._name, _NEW, 0o644, dir_fd=folder)
            try:
                os.write(handle, self._content)
                os.fsync(handle)
            finally:
                os.close(handle)

    async def carried_out(self, patience_s: float) -> PathProof:
        await self._give()
        seen: Transfer | None = None
        rechecked, pause = False, _FIRST_LOOK_S
        with anyio.move_on_after(patience_s):
            while True:
                seen = await self._client.transfer(self._hashes.key) or seen
                if seen is not None and seen.complete:
                    self._found = True
                    return self._judged(seen)
                if seen is not None and seen.state not in _UNDECIDED:
                    if rechecked or not await self._rechecked():
                        return self._judged(seen)
                    rechecked, pause = True, _FIRST_LOOK_S
                await anyio.sleep(pause)
                pause = min(2 * pause, _LAST_LOOK_S)
        return PathProof(None, f"It did not hash a small file within {patience_s:g} s.")

    async def _give(self) -> None:
        try:
            await self._client.add(AddRequest(self._torrent, self._root.path))
        except LostAnswerError:
            self._given = True
            raise
        self._given = True

    async def _rechecked(self) -> bool:
        """Have it looked for once more: a client may be about to. False where it refuses."""
        try:
            await self._client.recheck(self._hashes.key)
        except DeclinedError:
            return False
        return True

    def _judged(self, seen: Transfer) -> PathProof:
        ours, theirs = _shown(self._root.path), _shown(seen.reported_path)
        called = "calls it the same" if theirs == ours else f"calls it {theirs}"
        if self._found and seen.save_path == self._root.path:
            return PathProof(True, f"It finds what we write to {ours}, and {called}.")
        if self._found:
            return PathProof(
                False, f"It was to save to {ours}, and saves to {theirs}, where it finds the same."
            )
        why = f" It says: {cleaned(seen.error)}" if seen.error else ""
        return PathProof(
            False,
            f"It does not find a file that was just written to {ours}. It looked in {theirs}.{why}",
        )

    async def leave(self) -> None:
        """Have the torrent forgotten, then the file deleted.

        Where the client did not find the file, whatever it made under that name goes too.
        """
        if self._given:
            await self._client.remove(self._hashes.key, delete_data=not self._found)
        await off_loop(_unlink, self._root, self._name)


async def _clear(client: Downloader, root: Root) -> None:
    """Take away what earlier proofs left; the file goes last, since it leads to the torrent."""
    for name in await off_loop(_left, root):
        content = await off_loop(_content, root, name)
        with suppress(WorldFaultError):
            await client.remove(_torrent_of(name, content)[1].key, delete_data=False)
            await off_loop(_unlink, root, name)
    with suppress(WorldFaultError):
        for each in await client.transfers():
            if _NAME.fullmatch(each.name) and each.category in {CATEGORY, ""}:
                await client.remove(each.hashes.key, delete_data=True)


def _left(root: Root) -> list[str]:
    with root.folder() as folder, translated(root.system), os.scandir(folder) as entries:
        return [entry.name for entry in entries if _NAME.fullmatch(entry.name)]


def _content(root: Root, name: str) -> bytes:
    with root.file(name) as handle:
        return os.read(handle, _BYTES)


def _unlink(root: Root, name: str) -> None:
    with root.folder() as folder, translated(root.system), suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def _torrent_of(name: str, content: bytes) -> tuple[bytes, InfoHashes]:
    """A torrent of version 1 (BEP 3), private (BEP 27), without a tracker; and its info-hash."""
    pieces = (content[start : start + _PIECE] for start in range(0, len(content), _PIECE))
    info = {
        b"length": len(content),
        b"name": name.encode(),
        b"piece length": _PIECE,
        b"pieces": b"".join(sha1(piece, usedforsecurity=False).digest() for piece in pieces),
        b"private": 1,
    }
    v1 = sha1(bencoding.encode(info), usedforsecurity=False).hexdigest()
    return bencoding.encode({b"info": info}), InfoHashes(v1=v1)


def _shown(path: Path) -> str:
    return cleaned(str(path), _LONGEST_PATH)
