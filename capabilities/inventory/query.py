"""What stands on the shelf, and what is missing there."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.inventory.stream_words import told
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.paging import Cursor, Page, page, start_of
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.outside_text import cleaned
from capabilities.rules.stored import work_from
from capabilities.rules.wording import counted
from capabilities.rules.works import WorkKind
from ledger.database import Snapshot
from ledger.stores import shelf, works
from ledger.stores.shelf import AssetRow, SlotRow
from ledger.stores.works import WorkRow


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
    """One file on the shelf, with the time it was last seen.

    ``streams`` is what the file itself says, or why it cannot be read, and ``read_at`` when.
    """

    path: str
    season: int | None
    episode: int | None
    quality: str
    size_gb: float
    seen_at: datetime
    streams: str | None = None
    read_at: datetime | None = None


class WorkOnShelf(BaseModel):
    """A work and its files; gaps by season (``{"1": [4, 5]}``), film gaps under ``0``."""

    work: str
    title: str
    year: int | None
    kind: WorkKind
    slots: dict[str, int]
    files: list[FileFacts]
    gaps: dict[str, list[int]]


class Output(BaseModel):
    """Works by title."""

    works: list[WorkOnShelf]
    page: Page


@dataclass(frozen=True, slots=True)
class _Shelf:
    works: dict[str, WorkRow]
    assets: dict[str, list[AssetRow]]
    slots: dict[str, list[SlotRow]]


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
    held = await context.ledger.read(lambda conn: _held(conn, only))
    wanted = [row for row in _by_title(held) if _matches(row, given, held)]
    shown = wanted[start : start + given.limit]
    references = await context.refer("work", *[row.id for row in shown])
    facts = [
        _facts(row, reference, held, given)
        for row, reference in zip(shown, references, strict=True)
    ]
    output = Output(works=facts, page=page(len(wanted), start, len(facts)))
    return Succeeded(output, f"{counted(len(wanted), 'work')}.")


def _held(conn: Snapshot, work: str | None) -> _Shelf:
    assets: defaultdict[str, list[AssetRow]] = defaultdict(list)
    for asset in shelf.assets(conn, work=work):
        assets[asset.work].append(asset)
    slots: defaultdict[str, list[SlotRow]] = defaultdict(list)
    for slot in shelf.slots(conn, work=work):
        slots[slot.work].append(slot)
    return _Shelf(works.many(conn, {*assets, *slots}), assets, slots)


def _by_title(held: _Shelf) -> Sequence[WorkRow]:
    return sorted(held.works.values(), key=lambda row: (row.title.casefold(), row.year or 0))


def _matches(row: WorkRow, given: Input, held: _Shelf) -> bool:
    words = (given.text or "").casefold().split()
    files = held.assets.get(row.id, [])
    return (
        (given.kind is None or row.kind == given.kind)
        and all(word in row.title.casefold() for word in words)
        and (given.quality is None or any(_of_quality(file, given.quality) for file in files))
        and (not given.missing or bool(_gaps(row, held)))
    )


def _of_quality(file: AssetRow, quality: str) -> bool:
    return quality.casefold() in file.quality.casefold()


def _gaps(row: WorkRow, held: _Shelf) -> dict[str, list[int]]:
    """What is wanted (a slot, or an episode of a season that has one) and not there."""
    slots = held.slots.get(row.id, [])
    there = {(file.season or 0, file.episode or 0) for file in held.assets.get(row.id, [])}
    # A file that holds two episodes is named by its first one; its slots know both.
    there |= {(slot.season, slot.episode) for slot in slots if slot.state == "satisfied"}
    wanted = {(slot.season, slot.episode) for slot in slots}
    touched = {season for season, _ in wanted | there if season}
    for season in work_from(row.body).seasons:
        if season.number in touched:
            wanted |= {(season.number, number + 1) for number in range(season.episode_count)}
    gaps: dict[str, list[int]] = {}
    for season_number, episode in sorted(wanted - there):
        gaps.setdefault(str(season_number), []).append(episode)
    return gaps


def _facts(row: WorkRow, reference: str, held: _Shelf, given: Input) -> WorkOnShelf:
    files = held.assets.get(row.id, [])
    states: dict[str, Any] = {}
    for slot in held.slots.get(row.id, []):
        states[slot.state] = states.get(slot.state, 0) + 1
    return WorkOnShelf(
        work=reference,
        title=cleaned(row.title),
        year=row.year,
        kind=WorkKind(row.kind),
        slots=states,
        files=[
            FileFacts(
                path=file.path,
                season=file.season,
                episode=file.episode,
                quality=file.quality,
                size_gb=round(file.size / 1e9, 2),
                seen_at=file.seen_at,
                streams=told(file.streams),
                read_at=file.probed_at,
            )
            for file in files
            if given.quality is None or _of_quality(file, given.quality)
        ],
        gaps=_gaps(row, held),
    )
