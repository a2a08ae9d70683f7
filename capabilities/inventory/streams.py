"""Reading what the files on the shelf hold, later and a few at a time."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio

from capabilities.adapters.media.facts import MediaFacts
from capabilities.adapters.media.ffprobe import ffprobed
from capabilities.adapters.media.probe import inspect
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.faults import NotFoundError, NotPermittedError, ObstructedError
from capabilities.inventory.stream_words import UNREADABLE
from capabilities.kernel.faults import DeclinedError, WorldFaultError
from ledger.ledger import Ledger
from ledger.stores import assets
from ledger.stores.shelf import AssetRow

AT_ONCE: Final = 2
BATCH: Final = 50
NO_VIDEO: Final = "it is no video that can be read"


async def read_streams(ledger: Ledger, *, is_late: Callable[[], bool]) -> int:
    """Read the streams of files that are still to be read, until none is left or it is late.

    What MediaInfo takes for no video, ffprobe is asked about where it is installed. A file that
    cannot be read as a video is told of as that, and read again once it changes. One
    that cannot be got at, or whose disk does not answer, stays to be read.

    Returns:
        how many were read.

    Raises:
        LedgerUnavailableError: they could not be listed, or the facts not written.
    """
    read = 0
    last = ""
    while not is_late():
        asked = partial(assets.unprobed, limit=BATCH, after=last)
        rows = await ledger.read(asked)
        if not rows:
            break
        last = rows[-1].id
        told = await _told(rows)
        await ledger.write(partial(assets.put_streams, read=told, at=ledger.now()))
        read += len(told)
    return read


async def _told(rows: list[AssetRow]) -> dict[str, dict[str, Any]]:
    waiting, told = list(rows), dict[str, dict[str, Any]]()

    async def work_off() -> None:
        while waiting:
            row = waiting.pop()
            streams = await _streams(Path(row.path))
            if streams is not None:
                told[row.id] = streams

    async with anyio.create_task_group() as tasks:
        for _ in range(AT_ONCE):
            tasks.start_soon(work_off)
    return told


async def _streams(path: Path) -> dict[str, Any] | None:
    try:
        async with roots.opened(path.parent, "the library") as root:
            found = await inspect(root, path.name) or await ffprobed(root, path.name)
    except (NotFoundError, NotPermittedError, ObstructedError):
        return None  # a disk that is off looks like that, and what was read before still holds
    except DeclinedError as fault:
        return {UNREADABLE: fault.sentence}
    except WorldFaultError:
        return None
    return {UNREADABLE: NO_VIDEO} if found is None else _told_of(found)


def _told_of(found: MediaFacts) -> dict[str, Any]:
    return {**asdict(found), "dynamic_range": sorted(found.dynamic_range)}
