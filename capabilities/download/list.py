"""List downloads."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.paging import Cursor, Page, page, start_of
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted
from ledger.stores import downloads, works
from ledger.stores.downloads import DownloadRow


class Input(BaseModel, extra="forbid"):
    """Which downloads."""

    status: Annotated[
        str | None,
        Field(description="One state word only, e.g. downloading.", max_length=20),
    ] = None
    work: Annotated[
        str | None, Field(description="Only downloads of this work, e.g. work:2.", max_length=60)
    ] = None
    query: Annotated[str | None, Field(description="Words of the name.", max_length=200)] = None
    limit: Annotated[int, Field(description="Most downloads to answer.", ge=1, le=50)] = 20
    cursor: Cursor = None


class DownloadFacts(BaseModel):
    """A download in words: no hashes, no raw bytes."""

    download: str
    title: str
    work: str | None
    state: str
    percent: float
    size_gb: float
    client: str
    last_error: str | None


class Output(BaseModel):
    """Downloads, newest first, and how many are in each state."""

    downloads: list[DownloadFacts]
    counts: dict[str, int]
    page: Page


@capability(
    "download.list",
    version=1,
    title="List downloads",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ACQUIRE,
    use_when="See the downloads: state, percent, size and last error, newest first, with counts "
    "for each state.",
    not_when="For one download in depth use download__inspect.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=10,
    example={"status": "downloading"},
)
async def list_(given: Input, context: Context) -> Outcome[Output]:
    """Read one page of downloads."""
    start = start_of(given.cursor)
    work = None if given.work is None else await context.resolve("work", given.work)
    rows = await context.ledger.read(lambda conn: downloads.listing(conn, work=work))
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.state] = counts.get(row.state, 0) + 1
    wanted = [row for row in rows if _matches(row, given)]
    shown = wanted[start : start + given.limit]
    references = await context.refer("dl", *[row.id for row in shown])
    titles = await context.ledger.read(lambda conn: works.many(conn, {row.work for row in shown}))
    facts = [
        DownloadFacts(
            download=reference,
            title=cleaned(row.name),
            work=cleaned(titles[row.work].title) if row.work in titles else None,
            state=row.state,
            percent=percent(row),
            size_gb=round(row.size / 1e9, 2),
            client=row.client,
            last_error=row.last_error,
        )
        for row, reference in zip(shown, references, strict=True)
    ]
    output = Output(downloads=facts, counts=counts, page=page(len(wanted), start, len(facts)))
    return Succeeded(output, f"{counted(len(wanted), 'download')}.")


def _matches(row: DownloadRow, given: Input) -> bool:
    if given.status is not None and row.state != given.status:
        return False
    words = (given.query or "").casefold().split()
    return all(word in row.name.casefold() for word in words)


def percent(row: DownloadRow) -> float:
    """How much of what was wanted has passed its hash, 0 to 100."""
    return 0.0 if row.size == 0 else round(100 * row.done / row.size, 1)
