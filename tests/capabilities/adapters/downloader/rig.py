"""What the tests of download clients share."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import cast

import anyio
import libtorrent as lt

from capabilities.adapters.downloader.embedded import EmbeddedDownloader, open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.embedded_upkeep import Timing
from capabilities.adapters.downloader.port import Downloader, Transfer
from world.seeder import Seed

QUICK = Timing(look_every_s=0.05)
LIMIT_S = 10
MIB = 1 << 20
NOWHERE = "http://127.0.0.1:9/announce"
UNKNOWN = "ab" * 20
encode = cast("Callable[[object], bytes]", lt.bencode)  # pyright: ignore[reportUnknownMemberType]  # the stub's list has no items


async def find_each_other(seed: Seed) -> None:
    """A client that asks trackers, and dials who they name, needs no help."""
    del seed


@dataclass(frozen=True, slots=True)
class Rig:
    """A client that can be opened (again, with what it kept), and a folder that it saves to.

    Attributes:
        meet: brings a seed and the open client together where they would not meet by the tracker
            or the magnet alone; called whenever the client begins to want something of the seed.
        part_suffix: what the client appends to the name of a file of which it has a part, for an
            unwanted one too where a piece reaches into it; empty for one that has no such way.
    """

    open: Callable[[], AbstractAsyncContextManager[Downloader]]
    save_path: Path
    meet: Callable[[Seed], Awaitable[None]] = find_each_other
    part_suffix: str = ""

    def is_part(self, name: str) -> bool:
        """Whether a file holds a part only and says so by its name."""
        return bool(self.part_suffix) and name.endswith(self.part_suffix)


@asynccontextmanager
async def embedded(
    folder: Path, timing: Timing = QUICK, *, name: str = "embedded"
) -> AsyncGenerator[EmbeddedDownloader]:
    """The embedded client with its state in ``folder / "state"``."""
    async with open_embedded(
        folder / "state", folder, LoopbackProfile(), name=name, timing=timing
    ) as client:
        yield client


@contextmanager
def state_folder_broken(folder: Path) -> Generator[None]:
    """For the time of the block, a file stands where the embedded client's state folder was."""
    state = folder / "state"
    state.rename(folder / "aside")
    state.write_text("a file where the folder should be")
    try:
        yield
    finally:
        state.unlink()
        (folder / "aside").rename(state)


def film(folder: Path, *, size: int = 2 * MIB, name: str = "Sintel.2010.mkv") -> Path:
    """A file of bytes that are the same in every run."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(Random(name).randbytes(size))  # noqa: S311  # the same in every run
    return path


def pack(folder: Path) -> Path:
    """A season of three episodes and a text."""
    root = folder / "Show.S01"
    for number in (1, 2, 3):
        film(root, size=MIB + number, name=f"Show.S01E0{number}.mkv")
    film(root, size=1000, name="read.me.txt")
    return root


async def until(
    client: Downloader,
    info_hash: str,
    is_so: Callable[[Transfer], bool],
    *,
    limit_s: float = LIMIT_S,
) -> Transfer:
    """Wait for a state of one torrent; at most a few seconds."""
    with anyio.fail_after(limit_s):
        async with client.changes() as changes:
            transfer = await client.transfer(info_hash)
            while transfer is None or not is_so(transfer):
                await anext(changes)
                transfer = await client.transfer(info_hash)
            return transfer


async def until_complete(client: Downloader, info_hash: str) -> Transfer:
    """Wait until all that is wanted is on the disk."""
    return await until(client, info_hash, lambda transfer: transfer.complete)


def listing(folder: Path) -> set[str]:
    """Everything below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def hostile(*parts: bytes, name: bytes = b"Sintel") -> bytes:
    """A torrent file with one file whose path is as given; it can be offered, not verified."""
    info: dict[bytes, object] = {b"name": name, b"piece length": 16384, b"pieces": b"h" * 20}
    if parts:
        info[b"files"] = [{b"length": 10, b"path": list(parts)}]
    else:
        info[b"length"] = 10
    return encode({b"info": info})
