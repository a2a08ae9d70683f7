"""What stands on the shelf, and what is missing there."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Final

from pydantic import BaseModel, Field

from capabilities.inventory.overview import Overview, Standing, overviews, standings
from capabilities.inventory.shown import Shown, Told, told_of
from capabilities.inventory.stream_words import told
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.paging import Cursor, Page, page, start_of
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted
from capabilities.rules.works import WorkKind
from ledger.database import Snapshot
from ledger.stores import assets, shelf_works
from ledger.stores.assets import Files
from ledger.stores.shelf import AssetRow
from ledger.stores.shelf_works import Narrowing

FILES_SHOWN: Final = 10
"""Files of each work of a page, at most."""
FILES_OF_A_PAGE: Final = 200
"""Shared out among its works: a larger page shows fewer files of each."""
MOST_FILES: Final = 1_000
"""Files of a work that was asked for by itself."""


class Input(BaseModel, extra="forbid"):
    """Which part of the shelf."""

    work: Annotated[
        str | None, Field(description="Only this work, e.g. work:1.", max_length=60)
    ] = None
    kind: Annotated[WorkKind | None, Field(description="Only films or only series.")] = None
    text: Annotated[str | None, Field(description="Words of the title.", max_length=200)] = None
    quality: Annotated[
        str | None, Field(description="Only files of this quality, e.g. 1080p.", max_length=40)
    ] = None
    missing: Annotated[
        bool, Field(description="Only works with something wanted that is not there.")
    ] = False
    limit: Annotated[int, Field(description="Most works to answer.", ge=1, le=50)] = 20
    cursor: Cursor = None


class FileFacts(BaseModel):
    """One file on the shelf, with the time at which it was seen to be as told.

    ``streams`` is what the file itself says, or why it cannot be read, and ``read_at`` when. A look
    that finds a file unchanged leaves both times. ``episodes`` are those of a file with several,
    ``shown`` the media servers that showed it.
    """

    path: str
    season: int | None
    episode: int | None
    quality: str
    size_gb: float
    seen_at: datetime
    streams: str | None = None
    read_at: datetime | None = None
    episodes: list[int] | None = None
    shown: list[Shown] | None = None


class WorkOnShelf(BaseModel):
    """A work and its files; gaps by season (``{"1": [4, 5]}``), film gaps under ``0``.

    What has not aired is no gap. Ask for one work to be told all its files.
    """

    work: str
    title: str
    year: int | None
    kind: WorkKind
    slots: dict[str, int]
    files: list[FileFacts]
    files_left_out: int = 0
    gaps: dict[str, list[int]]


class Output(BaseModel):
    """Works by title."""

    works: list[WorkOnShelf]
    page: Page


@capability(
    "inventory.query",
    version=1,
    title="Query the library",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.LIBRARY,
    use_when="See what is in the library: files with their real path and quality, slots and "
    "their state, and gaps by season.",
    not_when="For works that are not in the library use catalog__lookup.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=10,
    example={"text": "Sintel"},
)
async def query(given: Input, context: Context) -> Outcome[Output]:
    """Read one page of the shelf from the ledger; a placed file is recorded when verified."""
    start = start_of(given.cursor)
    only = None if given.work is None else await context.resolve("work", given.work)
    narrowing = Narrowing(
        work=only,
        kind=given.kind,
        words=tuple((given.text or "").casefold().split()),
        quality=given.quality,
        missing_on=context.ledger.now().date() if given.missing else None,
    )
    today = context.ledger.now().date()
    held = await context.ledger.read(lambda conn: _page(conn, narrowing, start, given.limit, today))
    references = await context.refer("work", *[one.id for one in held.works])
    facts = [
        _facts(one, reference, held.files.get(one.id, _NONE), held.told)
        for one, reference in zip(held.works, references, strict=True)
    ]
    output = Output(works=facts, page=page(held.total, start, len(facts)))
    return Succeeded(output, f"{counted(held.total, 'work')}.")


@dataclass(frozen=True, slots=True)
class _Page:
    total: int
    works: list[Standing]
    files: Mapping[str, Files]
    told: Mapping[str, Told]


_NONE: Final = Files([], 0, set())


def _page(conn: Snapshot, narrowing: Narrowing, start: int, limit: int, today: date) -> _Page:
    also = _fresh(conn, narrowing, today)
    listing = shelf_works.page(conn, narrowing, start=start, limit=limit, also=also)
    seen = standings(conn, listing.ids, today)
    most = MOST_FILES if narrowing.work is not None else min(FILES_SHOWN, FILES_OF_A_PAGE // limit)
    files = assets.of_works(conn, seen, quality=narrowing.quality, most=most)
    first = [file for of_work in files.values() for file in of_work.first]
    told = told_of(conn, first, set[str]().union(*(one.further for one in files.values())))
    works = [seen[id_] for id_ in listing.ids if id_ in seen]
    return _Page(listing.total, works, files, told)


def _fresh(conn: Snapshot, narrowing: Narrowing, today: date) -> list[str]:
    """Works that changed since their summary was computed, and match by what holds now."""
    if narrowing.quality is None and narrowing.missing_on is None:
        return []
    found = overviews(conn, shelf_works.stale(conn), today)
    return [
        id_
        for id_, one in found.items()
        if (narrowing.missing_on is None or one.gaps.targets)
        and (narrowing.quality is None or _has(one, narrowing.quality))
    ]


def _has(overview: Overview, quality: str) -> bool:
    return any(quality.casefold() in one.casefold() for one in overview.qualities)


def _facts(
    one: Standing, reference: str, files: Files, told_of_files: Mapping[str, Told]
) -> WorkOnShelf:
    return WorkOnShelf(
        work=reference,
        title=cleaned(one.title),
        year=one.year,
        kind=WorkKind(one.kind),
        slots=dict(one.slots),
        files=[_file(file, told_of_files[file.id]) for file in files.first],
        files_left_out=files.matching - len(files.first),
        gaps=dict(one.gaps),
    )


def _file(file: AssetRow, besides: Told) -> FileFacts:
    return FileFacts(
        path=file.path,
        season=file.season,
        episode=file.episode,
        quality=file.quality,
        size_gb=round(file.size / 1e9, 2),
        seen_at=file.seen_at,
        streams=told(file.streams),
        read_at=file.probed_at,
        episodes=list(besides.episodes) if len(besides.episodes) > 1 else None,
        shown=list(besides.shown) or None,
    )
