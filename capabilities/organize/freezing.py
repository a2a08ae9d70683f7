"""Freezing an import: what goes where, with the sources as they are now."""

from collections.abc import Sequence
from dataclasses import dataclass

from anyio import to_thread

from capabilities.adapters.downloader.port import FileProgress, Transfer
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.spelling import Spelling
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.organize.card import card
from capabilities.organize.durations import durations
from capabilities.organize.import_plan import PLAN_TYPE, LeftFile, OrganizePlan, PlannedFile
from capabilities.organize.known import Known
from capabilities.organize.letting_go import why_movable
from capabilities.organize.mounted import refuse_unmounted
from capabilities.organize.nfo_files import NfoFiles, nfo_files
from capabilities.organize.old_files import other_libraries
from capabilities.organize.rivals import Scene, Settled, settle
from capabilities.organize.sources import approved, finished, frozen
from capabilities.organize.unidentified import refuse_nothing
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.import_plan import ImportPlan
from capabilities.rules.importing import plan_import
from capabilities.rules.organize_policy import OrganizeMode
from capabilities.rules.outside_text import cleaned
from ledger.clock import new_id
from ledger.stores import decisions, plans
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.plans import Plan, PlanState

NOT_APPROVED = "the plan of this download did not ask for it"


@dataclass(frozen=True, slots=True)
class _Download:
    """A finished download with its files sorted out; `besides` is what nobody approved."""

    known: Known
    transfer: Transfer
    sorted_out: ImportPlan
    besides: Sequence[FileProgress]


async def freeze_import(
    known: Known, context: Context, *, replace: bool = False
) -> tuple[Plan, OrganizePlan]:
    """The plan of an import, which is still to be stored.

    It takes the place of files in the library where ``replace`` or the approved acquisition says
    so, and where these are better.

    Raises:
        HaltError: refused or failed; nothing can be placed, or not without the owner.
        WorldFaultError: the client, a disk or the metadata source did not answer.
    """
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
        durations=await _durations(files, transfer, known, context),
    )
    await _refuse_dangers(sorted_out, known, context)
    replace = replace or known.parent.payload["import"].get("replace") is True
    download = _Download(known, transfer, sorted_out, besides)
    payload = await _payload(download, context, replace=replace)
    return _plan(payload, known, context), payload


async def _durations(
    files: Sequence[DownloadedFile], transfer: Transfer, known: Known, context: Context
) -> dict[str, float]:
    folders = context.part_if_configured(Folders)
    runtime = known.work.runtime_minutes
    return {} if folders is None else await durations(files, transfer, folders, runtime)


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


async def _payload(download: _Download, context: Context, *, replace: bool) -> OrganizePlan:
    known, folders = download.known, context.part(Folders, "library")
    kind = known.work.key.kind
    library_path = folders.library(kind)
    async with (
        roots.opened(folders.downloads, "the download folder") as sources,
        roots.opened(library_path, f"the library {folders.name(kind)}") as library,
    ):
        await refuse_unmounted(library, context)
        candidates = await _candidates(download, sources, library)
        async with other_libraries(folders, library) as libraries:
            settled = await settle(
                candidates, Scene(known, sources, library, libraries, context, replace)
            )
        left = _left(download, settled)
        refuse_nothing(settled.files, left)
        beside = NfoFiles()
        if known.policy.nfo:
            beside = await to_thread.run_sync(
                nfo_files, known.work, settled.files, settled.old, library
            )
    moves = known.policy.mode is OrganizeMode.MOVE
    asked = context.actor.decides
    return _frozen_import(
        known,
        settled,
        beside,
        left,
        folder=str(library_path),
        moved_because=why_movable(download.transfer, asked=asked) if moves else None,
    )


def _left(download: _Download, settled: Settled) -> list[LeftFile]:
    """What of the download stays there, and why."""
    return [
        *(
            LeftFile(path=each.path, why=each.why, unidentified=each.unidentified)
            for each in download.sorted_out.left
        ),
        *settled.left,
        *(LeftFile(path=each.path, why=NOT_APPROVED) for each in download.besides),
    ]


def _frozen_import(
    known: Known,
    settled: Settled,
    beside: NfoFiles,
    left: Sequence[LeftFile],
    *,
    folder: str,
    moved_because: str | None,
) -> OrganizePlan:
    parent, moves = known.parent.payload, known.policy.mode is OrganizeMode.MOVE
    return OrganizePlan(
        download=known.row.id,
        info_hash=known.row.info_hash,
        work=known.row.work,
        kind=known.work.key.kind,
        quality=str(parent.get("quality", "unknown")),
        folder=folder,
        files=settled.files,
        written=beside.written,
        left=[*left, *beside.left],
        replaces=[one.was.path for one in settled.old],
        add_only=not moves and not settled.old,
        import_={**parent["import"], "root": folder},
        old=settled.old,
        moved_because=moved_because,
    )


async def _candidates(download: _Download, sources: Root, library: Root) -> list[PlannedFile]:
    """Each file with its frozen source and its name, as the library spells it."""
    known, placements = download.known, download.sorted_out.placements
    root = known.policy.root_of(known.work.key.kind)
    wanted = [each.target.relative_to(root) for each in placements]
    targets = await to_thread.run_sync(lambda: list(map(Spelling(library).of, wanted)))
    held = await frozen([each.source for each in placements], sources, download.transfer)
    return [
        PlannedFile(
            source=held[each.source],
            target=str(target),
            role=each.role.value,
            season=each.season,
            episodes=list(each.episodes),
        )
        for each, target in zip(placements, targets, strict=True)
    ]


def _plan(payload: OrganizePlan, known: Known, context: Context) -> Plan:
    body = payload.payload()
    return Plan(
        id=new_id("plan"),
        type=PLAN_TYPE,
        state=PlanState.FROZEN,
        revision=1,
        payload_hash=plans.payload_hash(body),
        payload=body,
        card=card(payload, known, context),
        parent=known.parent.id,
        run=known.row.run,
        created_by=str(context.actor),
        created_at=context.ledger.now(),
    )
