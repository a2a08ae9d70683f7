"""`inventory.query` on a library of 100 000 files: its slowest calls beside the design's 50 ms.

And each beside the plain SQL that counts and reads the same rows, without anything told of them.
Both in milliseconds of the processor, which resist what else the machine does: a read waits for
nothing. The longest that another writer waits while the library is taken in is told beside 250 ms.

The library is written straight into its tables, for adopting all of it is not what is measured.
"""

import tempfile
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import anyio
import sqlalchemy as sa
import svcs

from bench.measured import Figure
from capabilities.inventory import query
from capabilities.inventory.overview import bring_up_to_date
from capabilities.inventory.query import FILES_OF_A_PAGE
from capabilities.inventory.taking_in import Ending, take_parts, write_parts
from capabilities.kernel.actors import owner
from capabilities.kernel.calls import Call
from capabilities.kernel.discovery import declared_in
from capabilities.kernel.outcomes import Succeeded
from capabilities.kernel.registry import Registry
from capabilities.rules.adoption import Adoptable
from capabilities.rules.stored import work_json
from capabilities.rules.verification import Check, CheckKind, Verification, verification_json
from capabilities.rules.works import Season, Work, WorkKey, WorkKind
from ledger import ledger as ledgers
from ledger.clock import new_id
from ledger.ledger import Ledger
from ledger.location import located
from ledger.stores import shelf_works
from ledger.stores.shelf import AssetRow, RecordRow
from ledger.tables.libraries import shelf_work
from ledger.tables.media import asset, record, slot
from ledger.tables.media import work as work_table
from ledger.writer import Transaction

FILMS, SERIES, SEASONS, EPISODES = 60_000, 500, 4, 20
"""One file a film and an episode; of every tenth series one is missing."""
ROUNDS = 40
ADOPTED = 10_000
"""Of the files, by an adoption that goes on behind its call."""
PLACED = 4
"""Every so many films came from here and were seen at a media server, and so did all series."""
BAR_MS, WAIT_MS = 50.0, 250.0
LIBRARY = "/library"
CALLS: dict[str, dict[str, object]] = {
    "first page": {},
    "by words": {"text": "lights 49"},
    "by a word of most": {"text": "road"},
    "what is missing": {"missing": True},
    "a rare quality": {"quality": "2160p", "limit": 50},
    "a common quality": {"quality": "1080p", "limit": 50},
    "far behind": {"cursor": "40000"},
    "series": {"kind": "series"},
    "series, 50 of them": {"kind": "series", "limit": 50},
}


async def measure() -> list[Figure]:
    """The calls, and the waits of somebody else's writes."""
    with tempfile.TemporaryDirectory() as home:
        async with ledgers.opened(Path(home), location=located(Path(home), None)) as ledger:
            files = await ledger.write(_works)
            waited = await _taken_in(ledger, files[:ADOPTED])
            await ledger.write(partial(_put, files=files[ADOPTED:]))
            await bring_up_to_date(ledger)
            figures = [Figure("wait beside an adoption", "ms", waited, WAIT_MS, "<= 1.00")]
            registry = Registry(declared_in(query), ledger, svcs.Container(svcs.Registry()))
            for name, arguments in CALLS.items():
                took: list[float] = []
                plain: list[float] = []
                for number in range(ROUNDS + 1):  # the first one warms up
                    both = await _timed(registry, arguments), await _plain(ledger, arguments)
                    if number:
                        took.append(both[0])
                        plain.append(both[1])
                slow, floor = quantiles(took, n=20)[-1], median(plain)
                figures += [
                    Figure(f"query: {name}, p95", "ms", slow, BAR_MS, "<= 1.00"),
                    Figure(f"query: {name}, by SQL", "ms", median(took), floor, "<= 20.00"),
                ]
            return figures


def _works(tx: Transaction) -> list[Adoptable]:
    """Write the works of the library down; its files."""
    files: list[Adoptable] = []
    rows: list[dict[str, object]] = []
    for number in range(FILMS):
        id_ = _add(rows, WorkKind.FILM, f"The Long Road {number}", number, ())
        quality = "Bluray-2160p" if number % 50 == 0 else "WEBDL-1080p"
        files.append(_file(f"Films/{number}.mkv", id_, None, (), quality))
    seasons = tuple(Season(at + 1, episode_count=EPISODES) for at in range(SEASONS))
    for number in range(SERIES):
        id_ = _add(rows, WorkKind.SERIES, f"Harbour Lights {number}", number, seasons)
        for season in range(1, SEASONS + 1):
            for episode in range(1, EPISODES + 1):
                if number % 10 or (season, episode) != (2, 3):
                    where = f"Series/{number}/{season}/{episode}.mkv"
                    files.append(_file(where, id_, season, (episode,), "WEBDL-1080p"))
    tx.conn.execute(work_table.insert(), rows)
    return files


def _add(
    rows: list[dict[str, object]],
    kind: WorkKind,
    title: str,
    number: int,
    seasons: tuple[Season, ...],
) -> str:
    work = Work(WorkKey("tmdb", kind, str(number)), title, 1950 + number % 70, seasons=seasons)
    facts = {"key": str(work.key), "kind": kind, "title": title, "year": work.year}
    rows.append({**facts, "id": new_id("work"), "body": work_json(work), "fetched_at": _AT})
    return str(rows[-1]["id"])


def _file(
    path: str, work: str, season: int | None, episodes: tuple[int, ...], quality: str
) -> Adoptable:
    return Adoptable(path, 1, 10**9, len(path), 0, work, season, episodes, quality)


def _put(tx: Transaction, files: list[Adoptable]) -> None:
    """The files with their slots, and the records of those that were placed from here."""
    shelf_works.touch(tx, {one.work for one in files})
    records: dict[tuple[str, int | None], RecordRow] = {}
    rows: list[dict[str, object]] = []
    slots: list[dict[str, object]] = []
    for number, one in enumerate(files):
        placed = bool(one.episodes) or not number % PLACED
        kept = records.setdefault((one.work, one.season), _record(one.work)) if placed else None
        id_ = new_id("asset")
        rows.append(_asset(one, id_, "plan_bench" if kept is None else kept.id))
        if kept is not None:
            kept.placements.append(
                {"folder": LIBRARY, "target": one.path, "episodes": [*one.episodes]}
            )
        for work, season, episode in one.slots:
            place = {"work": work, "season": season, "episode": episode, "asset": id_}
            slots.append({**place, "id": new_id("slot"), "state": "satisfied", "revision": 1})
    tx.conn.execute(asset.insert(), rows)
    tx.conn.execute(slot.insert(), slots)
    tx.conn.execute(record.insert(), [_verified(one) for one in records.values()])


def _asset(file: Adoptable, id_: str, record_: str) -> dict[str, object]:
    streams = {"width": 1920, "height": 1080, "video_codec": "AVC", "audio": [{"codec": "AAC"}]}
    row = AssetRow(
        id=id_,
        path=f"{LIBRARY}/{file.path}",
        work=file.work,
        season=file.season,
        episode=file.episodes[0] if file.episodes else None,
        quality=file.quality,
        size=file.size,
        device=file.device,
        inode=file.inode,
        streams=streams,
        record=record_,
        seen_at=_AT,
        probed_at=_AT,
    )
    return {name: getattr(row, name) for name in AssetRow.__dataclass_fields__}


def _record(work: str) -> RecordRow:
    id_ = new_id("rec")
    return RecordRow(id_, id_, "dl_bench", work, None, "verified", [], [], None, None, _AT, _AT)


def _verified(one: RecordRow) -> dict[str, object]:
    """The record, with each of its files seen at a media server."""
    checks = tuple(
        Check(CheckKind.SEEN, str(each["target"]), "den", True, item="1", title="It", shown_at=_AT)
        for each in one.placements
    )
    row = {name: getattr(one, name) for name in RecordRow.__dataclass_fields__}
    told = Verification(len(checks), _AT, _AT, checks)
    return {**row, "verification": verification_json(told)}


async def _taken_in(ledger: Ledger, files: list[Adoptable]) -> float:
    """Adopt them as a large adoption is; the longest milliseconds of another's write."""
    plan, waits = new_id("plan"), [0.0]
    ending = Ending(LIBRARY, "bench", _AT, [], 0, 0, "library:bench", {}, "")

    async def somebody_else() -> None:
        while True:
            begun = time.perf_counter()
            await ledger.write(lambda _: None)
            waits.append((time.perf_counter() - begun) * 1000)
            await anyio.sleep(0.005)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(somebody_else)
        await write_parts(ledger, plan, LIBRARY, files, ending)
        await take_parts(ledger, plan)
        tasks.cancel_scope.cancel()
    return max(waits)


async def _timed(registry: Registry, arguments: Mapping[str, object]) -> float:
    id_ = new_id("call")
    call = Call("inventory.query", dict(arguments), owner("bench"), id_, id_)
    begun = time.process_time()
    outcome = await registry.invoke(call)
    took = (time.process_time() - begun) * 1000
    assert isinstance(outcome, Succeeded), outcome
    return took


async def _plain(ledger: Ledger, given: Mapping[str, object]) -> float:
    """The same page and its total, read by SQL alone."""
    words = str(given.get("text", "")).split()
    where = [shelf_work.c.sort_title.contains(word) for word in words]
    if "kind" in given:
        where.append(shelf_work.c.kind == given["kind"])
    if "quality" in given:
        where.append(shelf_work.c.qualities.contains(str(given["quality"])))
    if "missing" in given:
        where.append(shelf_work.c.gaps > 0)
    start, limit = int(str(given.get("cursor", 0))), int(str(given.get("limit", 20)))

    def read(conn: sa.Connection) -> None:
        order = (shelf_work.c.sort_title, shelf_work.c.year, shelf_work.c.work)
        page = sa.select(shelf_work.c.work).where(*where).order_by(*order)
        ids = list(conn.execute(page.offset(start).limit(limit)).scalars())
        conn.execute(sa.select(sa.func.count()).select_from(shelf_work).where(*where)).scalar_one()
        conn.execute(sa.select(asset).where(asset.c.work.in_(ids)).limit(FILES_OF_A_PAGE)).all()
        conn.execute(sa.select(slot).where(slot.c.work.in_(ids)).limit(FILES_OF_A_PAGE)).all()

    begun = time.process_time()
    await ledger.read(read)
    return (time.process_time() - begun) * 1000


_AT = ledgers.Clock().now()
