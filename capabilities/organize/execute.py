"""Place the files of a frozen plan on the shelf."""

from typing import Annotated

import svcs
from anyio import to_thread
from pydantic import BaseModel, Field

from capabilities.adapters.media_server.port import MediaServers
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.freezing import Frozen, frozen_from, same
from capabilities.adapters.shelf.placements import Mode, Placement
from capabilities.adapters.shelf.probes import probe_placements
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel import fault_points
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import LostAnswerError, WorldFaultError
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.probing import Finding
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.stored_plan import PlanKind
from capabilities.kernel.targets import Target
from capabilities.organize.conclusion import Concluded, conclude
from capabilities.organize.holding import held_by
from capabilities.organize.import_plan import (
    PLAN_TYPE,
    OrganizePlan,
    attempt_token,
    natural_key,
    organize_plan,
    reach_of,
)
from capabilities.organize.letting_go import refuse_seeding
from capabilities.organize.mounted import refuse_unmounted
from capabilities.organize.opened_folders import opened_folders
from capabilities.organize.placing import Work
from capabilities.organize.written import expected, not_written, on_shelf, with_written
from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted
from capabilities.rules.works import WorkKind
from ledger.clock import new_id
from ledger.stores import downloads, shelf
from ledger.stores.plans import Plan, PlanState
from ledger.stores.shelf import RecordRow
from ledger.writer import Transaction

PLANS = PlanKind(
    PLAN_TYPE,
    "organise plan",
    "plan",
    maker="organize__plan",
    fresh=PlanState.FROZEN,
    used_up="it is not carried out again",
)


class Input(BaseModel, extra="forbid"):
    """Which plan."""

    plan: Annotated[
        str, Field(description="The plan reference that organize__plan gave.", max_length=60)
    ]


class Output(BaseModel):
    """What stands on the shelf now, relative to the library.

    ``copied`` says of files that were to be linked or cloned why they were copied; ``replaced`` are
    those that went into the recycle folder, ``written`` the NFO files of ours beside them.
    """

    record: str
    library: str
    files: list[str]
    mode: Mode
    copied: str | None = None
    replaced: list[str] = []
    written: list[str] = []


async def target_of(given: Input, context: Context) -> Target:
    """The files to be placed, pinned to the plan."""
    plan = await PLANS.find(context, given.plan)
    wanted = organize_plan(plan)
    facts = {
        "plan": plan.id,
        "library": wanted.kind.value,
        "mode": wanted.mode.value,
        "token": attempt_token(plan.id),
        "or_copied": Mode.COPY in wanted.ways[1:],
        "files": [{**file.source.model_dump(), "target": file.target} for file in wanted.files],
        "written": expected(wanted.written),
    }
    return Target("placements", natural_key(wanted.info_hash), facts, plan.pin, reach_of(wanted))


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse a plan that was carried out, or whose sources are not what they were."""
    del given
    plan = await PLANS.find(context, str(target.facts["plan"]))
    PLANS.refuse_used(plan)
    wanted = organize_plan(plan)
    folders = _library_as_planned(wanted, context)
    await refuse_seeding(wanted, context)
    async with roots.opened(folders.downloads, "the download folder") as sources:
        changed = [
            file.source.path
            for file in wanted.files
            if not await to_thread.run_sync(
                _unchanged, sources, file.source.path, file.source.frozen()
            )
        ]
    if changed:
        raise HaltError(
            Refused(
                Code.CONFLICT,
                f"{len(changed)} of the files changed since the plan was frozen, "
                f"{cleaned(changed[0])} first. Nothing was done.",
                {"do": PLANS.anew},
            )
        )


def _unchanged(sources: Root, path: str, frozen: Frozen) -> bool:
    try:
        return same(frozen, frozen_from(sources.status(path)))
    except NotFoundError:
        return False


async def probe(target: Target, parts: svcs.Container) -> Finding:
    """Judge every file of the claim by what stands at its target."""
    folders = parts.get(Folders)
    kind = WorkKind(str(target.facts["library"]))
    mode = Mode(str(target.facts["mode"]))
    placements = [
        Placement(
            Frozen(one["device"], one["inode"], one["size"], one["mtime_ns"], 1),
            one["target"],
            mode,
            origin=one.get("path"),
            or_copied=mode is not Mode.MOVE and target.facts.get("or_copied") is True,
        )
        for one in target.facts["files"]
    ]
    token = str(target.facts.get("token", ""))
    async with roots.opened(folders.library(kind), f"the library {folders.name(kind)}") as library:
        try:
            async with roots.opened(folders.downloads, "the download folder") as sources:
                found = await probe_placements(library, placements, sources=sources, token=token)
        except WorldFaultError:  # what needs no source can be judged without
            found = await probe_placements(library, placements, token=token)
        return await with_written(library, target.facts.get("written", ()), found)


async def adopt(target: Target, finding: Finding, context: Context) -> Outcome[Output]:
    """Place what an interrupted attempt had not come to, verify and record all of it."""
    del finding
    return await _carry_out(await PLANS.find(context, str(target.facts["plan"])), context)


@capability(
    "organize.execute",
    version=1,
    title="Place files in the library",
    kind=Kind.EXECUTE,
    effect=Effect.WORLD,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope="organize.execute",
    toolset=Toolset.ORGANIZE,
    plan=PLAN_TYPE,
    target=target_of,
    check=check,
    probe=probe,
    adopt=adopt,
    use_when="Carry out a plan made by organize__plan: place, verify and record its files. Needs "
    "the owner's approval, unless it follows add-only from an approved acquisition.",
    not_when="A finished download of an approved plan is imported without this call.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=3600,
    example={"plan": "plan:2"},
)
async def execute(given: Input, context: Context) -> Outcome[Output]:
    """Place every file under the record's journal."""
    return await _carry_out(await PLANS.find(context, given.plan), context)


def _library_as_planned(wanted: OrganizePlan, context: Context) -> Folders:
    """The folders, if the library still is the one that was approved."""
    folders = context.part(Folders, "library")
    if str(folders.library(wanted.kind)) != wanted.folder:
        raise HaltError(
            Refused(
                Code.CONFLICT,
                "The library folder is another one since this plan was frozen. Nothing was done.",
                {"do": PLANS.anew},
            )
        )
    return folders


async def _carry_out(plan: Plan, context: Context) -> Outcome[Output]:
    wanted = organize_plan(plan)
    folders = _library_as_planned(wanted, context)
    held = await held_by(context)
    record = await _record(plan, wanted, context)
    fault_points.at("record_opened")
    try:
        async with opened_folders(folders, wanted) as (sources, library, others):
            await refuse_unmounted(library, context)
            token = attempt_token(plan.id)
            work = Work(
                context.ledger, record, token, wanted, sources, library, held, others=others
            )
            standing = await work.carry_out()
            ours = await on_shelf(library, wanted.written)
    except LostAnswerError:
        raise  # a look settles it, and the record goes on from there
    except (WorldFaultError, HaltError) as ended:
        sentence = _said(ended)
        context.stage(lambda tx: _failed(tx, context, record, sentence))
        raise
    shown = context.part_if_configured(MediaServers)
    servers = [] if shown is None else [server.name for server in shown.showing(wanted.kind)]
    concluded = Concluded(plan, record, standing, ours)
    context.stage(lambda tx: conclude(tx, context.ledger, concluded, servers=servers))
    return await _told(wanted, concluded, context)


async def _told(wanted: OrganizePlan, concluded: Concluded, context: Context) -> Outcome[Output]:
    standing, ours = concluded.standing, concluded.written
    (reference,) = await context.refer("rec", concluded.record)
    why = next((one.why for one in standing if one.why is not None), None)
    output = Output(
        record=reference,
        library=Folders.name(wanted.kind),
        files=[one.file.target for one in standing],
        mode=wanted.mode,
        copied=why,
        replaced=wanted.replaces,
        written=[one.file.target for one in ours],
    )
    sentences = [
        f"{counted(len(standing), 'file')} placed in {output.library} by {wanted.mode}.",
        *([why] if why is not None else []),
        *([f"{counted(len(ours), 'NFO file')} written."] if ours else []),
        *not_written(wanted.written, ours),
    ]
    if wanted.old:
        sentences.append(f"{counted(len(wanted.old), 'file')} went into the recycle folder.")
    return Succeeded(output, " ".join(sentences))


async def _record(plan: Plan, wanted: OrganizePlan, context: Context) -> str:
    """The record of this plan: one attempt continues what a dead one began."""

    def write(tx: Transaction) -> str:
        known = shelf.record_of_plan(tx.conn, plan.id)
        if known is not None:
            return known.id
        row = downloads.by_id(tx.conn, wanted.download)
        new = RecordRow(
            id=new_id("rec"),
            plan=plan.id,
            download=wanted.download,
            work=wanted.work,
            run=None if row is None else row.run,
            state="running",
            journal=[],
            placements=[],
            verification=None,
            last_error=None,
            created_at=context.ledger.now(),
            ended_at=None,
        )
        shelf.open_record(tx, new)
        return new.id

    return await context.ledger.write(write)


def _said(ended: WorldFaultError | HaltError) -> str:
    return ended.sentence if isinstance(ended, WorldFaultError) else ended.outcome.sentence


def _failed(tx: Transaction, context: Context, record: str, sentence: str) -> None:
    shelf.change_record(
        tx, record, state="failed", last_error=sentence, ended_at=context.ledger.now()
    )
