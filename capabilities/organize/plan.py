"""Freeze what an import would do: every file operation, by name, size and inode."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Annotated, Any

from anyio import to_thread
from pydantic import BaseModel, Field

from capabilities.adapters.downloader.port import FileProgress
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.granting import chosen
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.organize.import_plan import (
    PLAN_TYPE,
    FrozenSource,
    LeftFile,
    OrganizePlan,
    PlannedFile,
    reach_of,
)
from capabilities.organize.known import Known, known_around
from capabilities.organize.sources import approved, finished, frozen
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.importing import ImportPlan, Role, plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.organize_policy import OrganizeMode
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.wording import counted
from capabilities.rules.works import WorkKind
from ledger.clock import new_id
from ledger.stores import decisions, plans
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.grants import Grant
from ledger.stores.plans import Plan, PlanState

SHOWN = 30
EXECUTE = "organize.execute"
NOT_APPROVED = "the plan of this download did not ask for it"
TAKEN = "a file of that name is in the library already; nothing is replaced"


class Input(BaseModel, extra="forbid"):
    """Which download."""

    download: Annotated[str, Field(description="A finished download, e.g. dl:1.", max_length=60)]


class FileFacts(BaseModel):
    """One file operation; the target is relative to the library."""

    source: str
    target: str
    role: str


class LeftFacts(BaseModel):
    """One file that stays, and why."""

    path: str
    why: str


class Output(BaseModel):
    """A frozen plan: nothing is placed."""

    plan: str
    revision: int
    payload_hash: str
    library: str
    mode: str
    files: list[FileFacts]
    left: list[LeftFacts]
    replaces: list[str]
    requires_approval: bool


@capability(
    "organize.plan",
    version=1,
    title="Plan an import",
    kind=Kind.PREVIEW,
    effect=Effect.OURS,
    replay=Replay.SAFE,
    dedupe=Dedupe.CALL,  # a plan that the world has overtaken must not be answered again
    scope="plan",
    toolset=Toolset.ORGANIZE,
    use_when="Freeze how a finished download would be placed in the library: every file with its "
    "target, and every file left out, with the reason.",
    not_when="A finished download of an approved plan is imported without it; use it when that "
    "import needs the owner.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=44,
    example={"download": "dl:1"},
)
async def plan(given: Input, context: Context) -> Outcome[Output]:
    """Sort the files out, freeze their sources, keep the plan."""
    known = await known_around(given.download, context)
    transfer = await finished(known.row, context)
    fetched, besides = approved(transfer, known.parent)
    files = [DownloadedFile(file.path, file.size) for file in fetched]
    known = await known.dated(files, context)
    sorted_out = plan_import(
        files,
        Identity(Grade.A, known.work),
        known.name,
        known.policy,
        runtime=known.work.runtime_minutes,
        counting=await known.counting(files, context),
        words=known.identity.words,
    )
    await _refuse_dangers(sorted_out, known, context)
    payload = await _payload(sorted_out, besides, known, context)
    made = _plan(payload, known, context)
    context.stage(lambda tx: plans.add(tx, made))
    (reference,) = await context.refer("plan", made.id)
    output = Output(
        plan=reference,
        revision=made.revision,
        payload_hash=made.payload_hash,
        library=Folders.name(payload.kind),
        mode=payload.mode,
        files=[
            FileFacts(source=cleaned(each.source.path), target=each.target, role=each.role)
            for each in payload.files[:SHOWN]
        ],
        left=[LeftFacts(path=cleaned(each.path), why=each.why) for each in payload.left[:SHOWN]],
        replaces=payload.replaces,
        requires_approval=not await _is_allowed(payload, context),
    )
    return Succeeded(output, f"Frozen: {counted(len(payload.files), 'file')} to place.")


async def _is_allowed(payload: OrganizePlan, context: Context) -> bool:
    """Whether the caller could carry it out now: by hand, or under a grant."""
    if context.actor.decides:
        return True
    reach, at = reach_of(payload), context.ledger.now()
    grant = await context.ledger.read(lambda conn: chosen(conn, EXECUTE, reach, at))
    return isinstance(grant, Grant)


async def _refuse_dangers(sorted_out: ImportPlan, known: Known, context: Context) -> None:
    if not sorted_out.needs_decision:
        return
    dangers = {cleaned(one.path): one.reason for one in sorted_out.dangers}
    new = NewDecision(
        DecisionKind.DANGEROUS_CONTENT,
        f"import:{known.row.id}",
        f"{cleaned(known.row.name)} holds dangerous files; nothing of it was imported",
        Severity.HIGH,
        evidence={"dangerous": dangers},
        options=offered(Option.RETRY, Option.DISMISS),
        run=known.row.run,
        subject=known.row.id,
    )
    decision = await context.ledger.write(
        lambda tx: decisions.raise_(tx, new, context.ledger.now())
    )
    raise HaltError(
        Refused(
            Code.PRECONDITION,
            "The download holds dangerous files, so nothing of it is imported without the owner.",
            {"dangerous": dangers, "decision": decision},
        )
    )


async def _payload(
    sorted_out: ImportPlan, besides: Sequence[FileProgress], known: Known, context: Context
) -> OrganizePlan:
    folders = context.part(Folders, "library")
    kind = known.work.key.kind
    library_path = folders.library(kind)
    async with (
        roots.opened(folders.downloads, "the download folder") as sources,
        roots.opened(library_path, f"the library {folders.name(kind)}") as library,
    ):
        files, taken = await _placed(sorted_out, known, sources, library)
    left = [
        *(LeftFile(path=each.path, why=each.why) for each in sorted_out.left),
        *taken,
        *(LeftFile(path=each.path, why=NOT_APPROVED) for each in besides),
    ]
    _refuse_nothing(files, left)
    parent = known.parent.payload
    return OrganizePlan(
        download=known.row.id,
        info_hash=known.row.info_hash,
        work=known.row.work,
        kind=kind,
        quality=str(parent.get("quality", "unknown")),
        folder=str(library_path),
        files=files,
        left=left,
        replaces=[],
        add_only=known.policy.mode is not OrganizeMode.MOVE,
        import_={**parent["import"], "root": str(library_path)},
    )


async def _placed(
    sorted_out: ImportPlan, known: Known, sources: Root, library: Root
) -> tuple[list[PlannedFile], list[LeftFile]]:
    """Each file with its frozen source, and those whose names the library has for others."""
    kind = known.work.key.kind
    held = await frozen([each.source for each in sorted_out.placements], sources)
    files, taken = list[PlannedFile](), list[LeftFile]()
    for each in sorted_out.placements:
        target = each.target.relative_to(known.policy.root_of(kind))
        if await to_thread.run_sync(_taken, library, str(target), held[each.source]):
            taken.append(LeftFile(path=each.source, why=TAKEN))
            continue
        season, episodes = _numbers(target, kind)
        files.append(
            PlannedFile(
                source=held[each.source],
                target=str(target),
                role=each.role.value,
                season=season,
                episodes=episodes,
            )
        )
    return files, taken


def _taken(library: Root, target: str, source: FrozenSource) -> bool:
    """Whether another file has the name; one that an earlier attempt placed is this very file."""
    try:
        now = library.status(target)
    except NotFoundError:
        return False
    return (now.st_dev, now.st_ino) != (source.device, source.inode)


def _numbers(target: PurePosixPath, kind: WorkKind) -> tuple[int, list[int]]:
    """Season and episodes, read from the name that the preset gave the file."""
    if kind is WorkKind.FILM:
        return 0, []
    name = parse(target.name)
    return (name.seasons[0] if name.seasons else 0), list(name.episodes)


def _refuse_nothing(files: list[PlannedFile], left: list[LeftFile]) -> None:
    if any(each.role == Role.VIDEO for each in files):
        return
    whys = [each.why for each in left]
    why = TAKEN if TAKEN in whys else next(iter(whys), "it has no files")
    raise HaltError(
        Refused(
            Code.PRECONDITION,
            f"Nothing in this download can be placed: {why}.",
            {"left": {cleaned(each.path): each.why for each in left[:SHOWN]}},
        )
    )


def _plan(payload: OrganizePlan, known: Known, context: Context) -> Plan:
    body = payload.payload()
    return Plan(
        id=new_id("plan"),
        type=PLAN_TYPE,
        state=PlanState.FROZEN,
        revision=1,
        payload_hash=plans.payload_hash(body),
        payload=body,
        card=_card(payload, known, context),
        parent=known.parent.id,
        run=known.row.run,
        created_by=str(context.actor),
        created_at=context.ledger.now(),
    )


def _card(payload: OrganizePlan, known: Known, context: Context) -> dict[str, Any]:
    library = Folders.name(payload.kind)
    return {
        "title": f"Place {titled(known.work.title, known.work.year)} in {library}",
        "changes": [f"{each.target} by {payload.mode}" for each in payload.files[:SHOWN]],
        "left": [f"{cleaned(each.path)}: {each.why}" for each in payload.left[:SHOWN]],
        "from": {"release": cleaned(known.row.name), "client": known.row.client},
        "asked_by": str(context.actor),
        "files": len(payload.files),
    }
