"""Migrations that are killed, starved of space, or run by two at once: never between two states."""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import anyio
import sqlalchemy as sa

from ledger.database import writing_engine
from ledger.faults import LedgerUnavailableError
from ledger.location import SqliteFile, database_file
from ledger.migrate import due, migrate, upgrade
from tests.crash.driver import KILLED, Theatre, Zygote, spoken
from tests.crash.place import Place
from tests.crash.sweep import QUIET, Tally, two_at_a_time
from tests.crash.tracing import KILL, Point, attached, reached

OLD = "0001"
CHANGING = frozenset(
    {"fdatasync", "fsync", "ftruncate", "mkdir", "pwrite64", "rename", "unlink", "write"}
)
SPOILT = ("error=ENOSPC", "error=EIO")


@dataclass(frozen=True, slots=True)
class Hurt:
    """What is done to a migration, and where."""

    point: Point
    what: str = KILL
    lasting: bool = False
    build: str = "sound"

    def __str__(self) -> str:
        """For a report."""
        return f"migration, {self.point.injecting(self.what, lasting=self.lasting)}"


@dataclass(frozen=True, slots=True)
class Old:
    """A ledger as the first release left it, with a row in it, and its tables before and after."""

    content: bytes
    before: Mapping[str, str]
    after: Mapping[str, str]


def old_ledger(folder: Path) -> Old:
    """Make one; blocking."""
    folder.mkdir()
    file = SqliteFile(folder / "old")
    engine = writing_engine(file)
    with engine.begin() as conn:
        upgrade(conn, to=OLD)
        conn.execute(
            sa.text(
                "INSERT INTO segment (kind, subject, n, epoch, tries, state)"
                " VALUES ('run', 'run_1', 3, 2, 0, 'waiting')"
            )
        )
    engine.dispose()
    content, before = file.path.read_bytes(), tables_of(file.path)
    migrate(file)
    return Old(content, before, tables_of(file.path))


def tables_of(path: Path) -> dict[str, str]:
    """The statements behind every table and index."""
    with closing(sqlite3.connect(path)) as conn:
        rows = conn.execute("SELECT name, sql FROM sqlite_master").fetchall()
    return {name: " ".join((sql or "").split()) for name, sql in rows}


def judged(place: Place, old: Old) -> list[str]:
    """What is wrong with a ledger whose migration came to harm, before and after the next one."""
    path = database_file(place.folder)
    broken = _looked_at(path, old)
    file = SqliteFile(path)
    try:
        migrate(file)
        again = migrate(file)
    except LedgerUnavailableError as fault:
        return [*broken, f"not recovered: {fault}"]
    if again.steps or due(file) or tables_of(path) != old.after:
        broken.append("not recovered: the next start did not finish it")
    return broken + _looked_at(path, old)


def _looked_at(path: Path, old: Old) -> list[str]:
    with closing(sqlite3.connect(path)) as conn:
        (whole,) = conn.execute("PRAGMA integrity_check").fetchone()
        rows = conn.execute("SELECT subject, n, epoch FROM segment").fetchall()
    broken = [] if whole == "ok" else [f"corrupt: {whole}"]
    if rows != [("run_1", 3, 2)]:
        broken.append(f"lost: the rows are {rows}")
    if tables_of(path) not in (old.before, old.after):
        broken.append("wrong: the tables are neither old nor new")
    return broken


async def migration_points(theatre: Theatre, forks: Zygote, old: Old) -> list[Point]:
    """Where a migration changes the disk."""
    place, trace = _placed(theatre, old), theatre.folder / "migration"
    told = await forks.order(**spoken("none", place, "migrate", hold=True))
    async with attached(told["pid"], trace):
        await forks.release()
        await forks.hear()
    found = [each.point for each in reached(trace) if each.point.call not in QUIET]
    return [point for point in found if point.call in CHANGING]


async def hurt_all(theatre: Theatre, old: Old, hurts: list[Hurt], within_s: float) -> Tally:
    """Do all this to migrations, as far as time allows."""
    tally, one = Tally(), anyio.CapacityLimiter(1)  # the library's context is the process's

    async def do(forks: Zygote, hurt: Hurt) -> None:
        place = _placed(theatre, old)
        order = spoken("none", place, "migrate", hold=True, build=hurt.build)
        told = await forks.order(**order)
        quiet = f"trace={hurt.point.call}"
        injection = hurt.point.injecting(hurt.what, lasting=hurt.lasting)
        async with attached(told["pid"], place.folder / "trace", quiet, injection):
            await forks.release()
            status = (await forks.hear())["status"]
        broken = await anyio.to_thread.run_sync(judged, place, old, limiter=one)
        tally.points += 1
        tally.kills += status == KILLED
        tally.loud += status > 0
        tally.fail(str(hurt), broken, place.folder)
        if not broken:
            shutil.rmtree(place.folder)

    tally.untried = await two_at_a_time(hurts, do, within_s)
    return tally


async def two_at_once(theatre: Theatre, first: Zygote, second: Zygote, old: Old) -> list[str]:
    """What is wrong when two migrate one file at once: one does, the other is told or refuses."""
    place = _placed(theatre, old)
    for forks in (first, second):
        await forks.order(**spoken("none", place, "migrate", hold=True))
    for forks in (first, second):
        await forks.release()
    ends = [(await forks.hear())["status"] for forks in (first, second)]
    broken = await anyio.to_thread.run_sync(judged, place, old)
    return broken if 0 in ends else [*broken, f"not recovered: they ended with {ends}"]


def _placed(theatre: Theatre, old: Old) -> Place:
    place = theatre.place()
    database_file(place.folder).write_bytes(old.content)
    return place
