"""Placing 10 000 files by hard link beside a bare loop of ``os.link``, and a copy beside ``cp``.

Ours is everything that an organise run does with a file that is no video: the claim is looked at,
every step is in the record's journal and durable there, each link is checked under a temporary
name, renamed, and its folder flushed; at the end all of it is looked at anew from the library's
root. The floor of the links flushes nothing and checks nothing. ``cp`` flushes nothing either, so
its file is flushed within its time: a copy that is called placed is on the disk.
"""

import hashlib
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import anyio.to_thread

from bench.measured import ROUNDS, Figure
from capabilities.adapters.shelf.placements import Mode
from capabilities.adapters.shelf.roots import Root
from capabilities.organize.import_plan import FrozenSource, OrganizePlan, PlannedFile
from capabilities.organize.placing import Work
from capabilities.rules.works import WorkKind
from ledger import ledger as ledgers
from ledger.clock import new_id
from ledger.ledger import Ledger
from ledger.location import Location, located
from ledger.stores import shelf
from ledger.stores.shelf import RecordRow

FILES = 10_000
FOLDERS = 10
BYTES = 4 << 30
COPIES = 3
"""Rounds of the copy after one that warms up: each writes twice as much as is copied."""
PIECE = 1 << 20
LINKS, COPY = ">= 0.25", ">= 0.90"


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds that a piece of work took."""

    wall: float
    processor: float


async def measure() -> list[Figure]:
    """Links a second, and megabytes a second of one large copy."""
    with tempfile.TemporaryDirectory() as folder:
        links, floor = await _links(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        copied, cp = await _copies(Path(folder))
    amount = BYTES / 1e6
    return [
        Figure("hard links with journal", "1/s", FILES / links.wall, FILES / floor.wall, LINKS),
        Figure(
            "hard links, processor",
            "1/s",
            FILES / links.processor,
            FILES / floor.processor,
            LINKS,
        ),
        Figure(
            f"copy of {BYTES / (1 << 30):.0f} GiB, compared and on the disk",
            "MB/s",
            amount / copied.wall,
            amount / cp.wall,
            COPY,
        ),
    ]


async def _links(folder: Path) -> tuple[Taken, Taken]:
    source, library = folder / "downloads", folder / "library"
    await anyio.to_thread.run_sync(_lay_out, source)
    ours, floor = list[Taken](), list[Taken]()
    async with ledgers.opened(folder / "home", location=_located(folder / "home")) as ledger:
        for number in range(ROUNDS + 1):
            bare = folder / "bare"
            taken = await _timed(lambda bare=bare: anyio.to_thread.run_sync(_bare, source, bare))
            plan = await anyio.to_thread.run_sync(_planned, source, library, Mode.HARDLINK)
            placed = await _timed(await _placing(source, library, ledger, plan))
            _expect(library)
            await anyio.to_thread.run_sync(shutil.rmtree, bare)
            await anyio.to_thread.run_sync(shutil.rmtree, library)
            if number:
                floor.append(taken)
                ours.append(placed)
    return _medians(ours), _medians(floor)


def _located(home: Path) -> Location:
    home.mkdir()
    return located(home, None)


async def _placing(
    source: Path, library: Path, ledger: Ledger, plan: OrganizePlan
) -> Callable[[], Awaitable[None]]:
    """Carrying out a frozen plan, whose record was opened before the time runs."""
    record = await _record(ledger)

    async def place() -> None:
        with Root(source, "the downloads") as sources, Root(library, "the library") as root:
            work = Work(ledger, record, "of-the-bench", plan, sources, root)
            if len(await work.carry_out()) != len(plan.files):
                raise RuntimeError("not all of it was placed")

    return place


async def _record(ledger: Ledger) -> str:
    at, id_ = ledger.now(), new_id("rec")
    row = RecordRow(
        id_, new_id("plan"), "dl_1", "work_1", None, "running", [], [], None, None, at, None
    )
    await ledger.write(lambda tx: shelf.open_record(tx, row))
    return id_


def _planned(source: Path, library: Path, mode: Mode) -> OrganizePlan:
    library.mkdir()
    paths = sorted(one.relative_to(source) for one in source.rglob("*") if one.is_file())
    files = [
        PlannedFile(
            source=_frozen(source, path), target=f"Season {path.parent}/{path.name}", role="nfo"
        )
        for path in paths
    ]
    return OrganizePlan(
        download="dl_1",
        info_hash="a" * 40,
        work="work_1",
        kind=WorkKind.SERIES,
        quality="",
        folder=str(library),
        files=files,
        left=[],
        replaces=[],
        add_only=True,
        import_={"mode": mode.value},
    )


def _frozen(source: Path, path: Path) -> FrozenSource:
    now = (source / path).stat()
    return FrozenSource(
        path=str(path),
        device=now.st_dev,
        inode=now.st_ino,
        size=now.st_size,
        mtime_ns=now.st_mtime_ns,
    )


def _lay_out(source: Path) -> None:
    for folder in range(FOLDERS):
        (source / str(folder)).mkdir(parents=True)
        for number in range(FILES // FOLDERS):
            (source / str(folder) / f"A Series - S{folder:02}E{number:03}.nfo").touch()


def _bare(source: Path, target: Path) -> None:
    """The floor: the calls and nothing else."""
    for folder in source.iterdir():
        there = target / folder.name
        there.mkdir(parents=True)
        for name in os.listdir(folder):  # noqa: PTH208  # names are all that the floor needs
            os.link(f"{folder}/{name}", f"{there}/{name}")  # likewise


def _expect(library: Path) -> None:
    if len(list(library.rglob("*.nfo"))) != FILES:
        raise RuntimeError("not all of it stands")


async def _copies(folder: Path) -> tuple[Taken, Taken]:
    source, library, bare = folder / "downloads", folder / "library", folder / "bare.bin"
    digest = await anyio.to_thread.run_sync(_fill, source / "1" / "film.bin")
    ours, floor = list[Taken](), list[Taken]()
    async with ledgers.opened(folder / "home", location=_located(folder / "home")) as ledger:
        for number in range(COPIES + 1):
            taken = await _timed(lambda: _cp(source / "1" / "film.bin", bare))
            await anyio.to_thread.run_sync(bare.unlink)
            plan = await anyio.to_thread.run_sync(_planned, source, library, Mode.COPY)
            placed = await _timed(await _placing(source, library, ledger, plan))
            there = await anyio.to_thread.run_sync(_digest, library)
            if there != digest:
                raise RuntimeError("the copy is another one")
            await anyio.to_thread.run_sync(shutil.rmtree, library)
            if number:
                floor.append(taken)
                ours.append(placed)
    return _medians(ours), _medians(floor)


def _digest(library: Path) -> str:
    with next(library.rglob("film.bin")).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fill(path: Path) -> str:
    path.parent.mkdir(parents=True)
    digest = hashlib.sha256()
    piece = os.urandom(PIECE)
    with path.open("wb") as file:
        for number in range(BYTES // PIECE):
            some = number.to_bytes(8) + piece[8:]
            digest.update(some)
            file.write(some)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


async def _cp(source: Path, target: Path) -> None:
    await anyio.run_process(["cp", str(source), str(target)])
    await anyio.run_process(["sync", str(target)])


async def _timed(work: Callable[[], Awaitable[object]]) -> Taken:
    before, begun = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    await work()
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(wall, used)


def _medians(taken: list[Taken]) -> Taken:
    return Taken(median(one.wall for one in taken), median(one.processor for one in taken))
