"""Look at one download in depth."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.adapters.downloader.port import Downloaders
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import Failed, Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy_json import from_json
from capabilities.rules.seeding import SeedingGoals
from ledger.database import Snapshot
from ledger.stores import downloads, plans, policies, shelf, tasks, works
from ledger.stores.downloads import DownloadRow
from ledger.stores.shelf import RecordRow
from ledger.stores.tasks import TaskRow

HASH_LENGTHS = (40, 64)


class Input(BaseModel, extra="forbid"):
    """Which download."""

    download: Annotated[
        str,
        Field(
            description="A download reference (dl:3), or an info-hash, v1 or v2, any case.",
            max_length=64,
        ),
    ]


class TaskFacts(BaseModel):
    """A task of this download."""

    task: str
    kind: str
    state: str
    last_error: str | None


class PlacedFacts(BaseModel):
    """One file: its source below the download folder, its target below the library."""

    source: str
    target: str


class RecordFacts(BaseModel):
    """An attempt to place it."""

    state: str
    files: list[PlacedFacts]
    last_error: str | None


class Output(BaseModel):
    """A download, its plan, tasks and records."""

    download: str
    title: str
    work: str | None
    state: str
    percent: float
    size_gb: float
    client: str
    rate_mb_s: float | None
    peers: int | None
    elsewhere: list[str]
    plan: str
    plan_state: str | None
    tasks: list[TaskFacts]
    records: list[RecordFacts]
    seeding: str | None
    last_error: str | None


@capability(
    "download.inspect",
    version=1,
    title="Inspect a download",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ACQUIRE,
    use_when="See one download in depth: state and speed as its client reports them now, its "
    "plan, its tasks, and what was placed on the shelf.",
    not_when="For an overview use download__list.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=30,
    example={"download": "dl:1"},
)
async def inspect(given: Input, context: Context) -> Outcome[Output]:
    """Read our rows, and ask the clients what they see."""
    row = await _row(given.download, context)
    if row is None:
        return Failed(Code.NOT_FOUND, f"There is no download {given.download[:64]!r}.")
    about, records, plan, work = await context.ledger.read(lambda conn: _around(conn, row))
    goals = await context.ledger.read(_goals)
    live = await _live(row, goals, context)
    (reference,) = await context.refer("dl", row.id)
    (plan_reference,) = await context.refer("plan", row.plan)
    task_references = await context.refer("task", *[each.id for each in about])
    output = Output(
        download=reference,
        title=cleaned(row.name),
        work=None if work is None else cleaned(work),
        state=live.pop("state", row.state),
        percent=live.pop("percent", 0.0 if row.size == 0 else round(100 * row.done / row.size, 1)),
        size_gb=round(row.size / 1e9, 2),
        client=row.client,
        rate_mb_s=live.get("rate_mb_s"),
        peers=live.get("peers"),
        elsewhere=live.get("elsewhere", []),
        plan=plan_reference,
        plan_state=plan,
        tasks=[
            TaskFacts(task=name, kind=each.kind, state=each.state, last_error=each.last_error)
            for each, name in zip(about, task_references, strict=True)
        ],
        records=[_record(each) for each in records],
        seeding=live.get("seeding"),
        last_error=row.last_error,
    )
    return Succeeded(output, f"{output.title}: {output.state}, {output.percent:.0f} %.")


async def _row(given: str, context: Context) -> DownloadRow | None:
    if len(given) in HASH_LENGTHS and all(sign in "0123456789abcdef" for sign in given.lower()):
        return await context.ledger.read(lambda conn: downloads.by_hash(conn, given))
    id_ = await context.resolve("dl", given)
    return await context.ledger.read(lambda conn: downloads.by_id(conn, id_))


def _around(
    conn: Snapshot, row: DownloadRow
) -> tuple[list[TaskRow], list[RecordRow], str | None, str | None]:
    plan = plans.by_id(conn, row.plan)
    work = works.by_id(conn, row.work)
    return (
        tasks.of_subject(conn, row.id),
        shelf.records_of(conn, row.id),
        None if plan is None else plan.state,
        None if work is None else work.title,
    )


def _goals(conn: Snapshot) -> SeedingGoals:
    stored = policies.published(conn, "acquisition")
    return SeedingGoals() if stored is None else from_json(AcquisitionPolicy, stored.body).seeding


async def _live(row: DownloadRow, goals: SeedingGoals, context: Context) -> dict[str, Any]:
    """What the clients see now; empty where they cannot be asked, and the record stands."""
    clients = context.part(Downloaders, "download client")
    seen: dict[str, Any] = {"elsewhere": []}
    for client in clients.clients:
        try:
            transfer = await client.transfer(row.info_hash)
        except WorldFaultError:
            continue
        if transfer is None:
            continue
        if client.name != row.client:
            seen["elsewhere"].append(client.name)
            continue
        seen["rate_mb_s"] = round(transfer.down_rate / 1e6, 2)
        seen["peers"] = transfer.peers
        if transfer.complete:
            seen["seeding"] = goals.progress(transfer.ratio, transfer.seeding_s)
        if row.completed_at is None:
            wanted = transfer.wanted_bytes
            seen["state"] = transfer.state.value
            seen["percent"] = round(100 * transfer.done_bytes / wanted, 1) if wanted else 0.0
    return seen


def _record(row: RecordRow) -> RecordFacts:
    return RecordFacts(
        state=row.state,
        files=[
            PlacedFacts(source=cleaned(str(each["source"])), target=str(each["target"]))
            for each in row.placements
        ],
        last_error=row.last_error,
    )
