"""A library of 100 000 files, seen for the first time and again, beside ``find -printf`` of it.

Seconds of the processor beside those of the clock: a busy machine stretches the one that waits for
the disk, and each piece of work waits for it in its own way.
"""

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import anyio.to_thread

from bench.measured import ROUNDS, Figure
from capabilities.inventory.surveying import survey
from ledger import ledger as ledgers
from ledger.ledger import Ledger
from ledger.location import located
from ledger.stores import libraries

FILES = 100_000
FILMS = 3_000
SEASONS = 4
EPISODES = 22
ODD_NAMES = 200
"""Files named as they were released, which take the whole parser."""
FIRST, AGAIN = "<= 6.00", "<= 4.00"
_SEEN = "%P\\t%s\\t%i\\t%T@\\n"


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds that a piece of work took."""

    wall: float
    processor: float


async def measure() -> list[Figure]:
    """The first look with names parsed and all of it written down, and one at what is unchanged.

    Raises:
        RuntimeError: a file was lost, or a look at an unchanged library wrote something.
    """
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        await anyio.to_thread.run_sync(_lay_out, library)
        found: dict[str, list[Taken]] = {}
        for number in range(ROUNDS + 1):  # the first one warms up
            for name, taken in await _round(library):
                if number:
                    found.setdefault(name, []).append(taken)
    find, first, again = (_medians(found[name]) for name in ("find", "first", "again"))
    return [
        Figure("first scan of 100 000 files", "s", first.wall, find.wall, FIRST),
        Figure("first scan, processor", "s", first.processor, find.processor, FIRST),
        Figure("unchanged re-scan", "s", again.wall, find.wall, AGAIN),
        Figure("unchanged re-scan, processor", "s", again.processor, find.processor, AGAIN),
    ]


async def _round(library: Path) -> list[tuple[str, Taken]]:
    with tempfile.TemporaryDirectory() as home:
        async with ledgers.opened(Path(home), location=located(Path(home), None)) as ledger:

            async def look() -> None:
                await _looked(library, ledger)

            find = await _timed(lambda: _find(library), who=resource.RUSAGE_CHILDREN)
            first = await _timed(look)
            before = await ledger.read(lambda conn: libraries.folders(conn, str(library)))
            again = await _timed(look)
            if before != await ledger.read(lambda conn: libraries.folders(conn, str(library))):
                raise RuntimeError("a look at an unchanged library wrote something")
    return [("find", find), ("first", first), ("again", again)]


async def _looked(library: Path, ledger: Ledger) -> None:
    found = await survey(library, ledger)
    if found.files != FILES:
        raise RuntimeError(f"{found.files} files were seen, of {FILES}")


async def _find(library: Path) -> None:
    await anyio.run_process(["find", str(library), "-printf", _SEEN], stdout=subprocess.DEVNULL)


async def _timed(work: Callable[[], Awaitable[None]], who: int = resource.RUSAGE_SELF) -> Taken:
    before, begun = resource.getrusage(who), time.perf_counter()
    await work()
    wall, after = time.perf_counter() - begun, resource.getrusage(who)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(wall, used)


def _medians(taken: list[Taken]) -> Taken:
    return Taken(median(one.wall for one in taken), median(one.processor for one in taken))


def _lay_out(library: Path) -> None:
    """Films and series as library programs write them, with their sidecars, and a few as released.

    Empty files: a look reads none.
    """
    left = FILES
    for number in range(ODD_NAMES):
        left -= _put(library / "Odd", f"Quiet.Harbour.{number}.2014.1080p.BluRay.x264-GRP.mkv")
    for number in range(FILMS):
        name = f"The Long Road {number} ({1950 + number % 70})"
        files = (f"{name} [WEBDL-1080p].mkv", f"{name} [WEBDL-1080p].en.srt", "movie.nfo")
        left -= _put(library / "Films" / name, *files, "poster.jpg")
    series = 0
    while left:
        name = f"Harbour Lights {series} (2012)"
        for season in range(1, SEASONS + 1):
            files = [
                f"{name} - S{season:02d}E{episode:02d} - {_TITLES[episode % 5]} [WEBDL-1080p]{end}"
                for episode in range(1, EPISODES + 1)
                for end in (".mkv", ".nfo", ".en.srt")
            ]
            left -= _put(library / "Series" / name / f"Season {season:02d}", *files[:left])
        series += 1


_TITLES = ("The First Boat", "Rain", "A Long Evening", "Number Nine", "Home")


def _put(folder: Path, *names: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        os.close(os.open(folder / name, os.O_CREAT | os.O_WRONLY))
    return len(names)
