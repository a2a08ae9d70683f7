"""Draft what a download would be: everything the owner will be asked to approve."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.shelf.folders import Folders
from capabilities.download.acquisition import (
    ACTIVE,
    PLAN_TYPE,
    Acquisition,
    WantedSlot,
)
from capabilities.download.contents import Contents, contents
from capabilities.download.room import GB, refuse_without_room
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy import OrganizePolicy
from capabilities.rules.policy_json import from_json
from capabilities.rules.stored import work_from
from capabilities.rules.works import Work, WorkKind
from ledger.clock import new_id
from ledger.database import Snapshot
from ledger.stores import downloads, plans, policies, releases, shelf, works
from ledger.stores.plans import Plan, PlanState
from ledger.stores.policies import PolicyRow
from ledger.stores.releases import ReleaseRow

FILES_SHOWN = 20


class Input(BaseModel, extra="forbid"):
    """Which release."""

    release: Annotated[
        str,
        Field(description="A release reference that identity__resolve accepted.", max_length=60),
    ]
    confirm_unrecognised: Annotated[
        bool,
        Field(description="Plan it although it was not identified. Only the owner may set this."),
    ] = False


class Output(BaseModel):
    """A draft: nothing is reserved, nothing is downloaded."""

    plan: str
    revision: int
    payload_hash: str
    title: str
    work: str
    quality: str
    size_gb: float
    free_after_gb: float
    destination: str
    client: str
    files: list[str]
    files_left_out: int
    requires_approval: bool
    covered_by: str | None


@dataclass(frozen=True, slots=True)
class _Known:
    row: ReleaseRow
    work_id: str
    work: Work
    acquisition: PolicyRow
    organize: PolicyRow


@capability(
    "download.plan",
    version=1,
    title="Plan a download",
    kind=Kind.PREVIEW,
    effect=Effect.OURS,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="plan",
    toolset=Toolset.ACQUIRE,
    use_when="Draft the download of a release: exact files, size, destination, free space after. "
    "Answers the plan reference that download__submit takes.",
    not_when="It reserves and downloads nothing. The release must have been accepted by "
    "identity__resolve and by the policy first.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=True),
    timeout=44,
    example={"release": "rel:1"},
)
async def plan(given: Input, context: Context) -> Outcome[Output]:
    """Open the release, check it against policy, library and disk, and freeze the draft."""
    known = await _known(given, context)
    _refuse_rejected(known, context)
    inside = await contents(known.row, context)
    slots = await _free_slots(known, context)
    free_after = await refuse_without_room(context, inside.size)
    wanted = _wanted(known, inside, slots, context)
    draft = _draft(wanted, known, free_after, context)
    context.stage(lambda tx: plans.add(tx, draft))
    (reference,) = await context.refer("plan", draft.id)
    (work,) = await context.refer("work", known.work_id)
    by_hand = context.actor.decides
    output = Output(
        plan=reference,
        revision=draft.revision,
        payload_hash=draft.payload_hash,
        title=cleaned(wanted.title),
        work=work,
        quality=wanted.quality,
        size_gb=round(wanted.size / GB, 3),
        free_after_gb=round(free_after / GB, 1),
        destination=Folders.name(wanted.kind),
        client=wanted.client,
        files=[cleaned(file.path) for file in wanted.files[:FILES_SHOWN]],
        files_left_out=max(len(wanted.files) - FILES_SHOWN, 0),
        requires_approval=not by_hand,
        covered_by=str(context.actor) if by_hand else None,
    )
    return Succeeded(output, f"Drafted: {draft.card['title']}.")


async def _known(given: Input, context: Context) -> _Known:
    if given.confirm_unrecognised and not context.actor.decides:
        raise HaltError(Refused(Code.DENIED, "Only the owner may confirm an unrecognised release."))
    id_ = await context.resolve("rel", given.release)
    row = await context.ledger.read(lambda conn: releases.by_id(conn, id_))
    if row is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no release {given.release[:60]!r}."))
    identified = row.identity is not None or given.confirm_unrecognised
    if row.work is None or not identified:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                "This release was not identified, so it is not planned.",
                {"do": "Call identity__resolve first.", "needs": "confirm_unrecognised"},
            )
        )
    return await context.ledger.read(lambda conn: _around(conn, row, str(row.work)))


def _around(conn: Snapshot, row: ReleaseRow, work_id: str) -> _Known:
    work = works.by_id(conn, work_id)
    acquisition = policies.published(conn, "acquisition")
    organize = policies.published(conn, "organize")
    if work is None or acquisition is None or organize is None:
        raise HaltError(Refused(Code.PRECONDITION, "The home's policies are not published."))
    return _Known(row, work_id, work_from(work.body), acquisition, organize)


def _refuse_rejected(known: _Known, context: Context) -> None:
    held = known.row.judgement or {}
    if held.get("policy_version") != known.acquisition.version:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                "The policy changed since this release was judged.",
                {"do": "Call release__search again."},
            )
        )
    if held.get("accepted") or context.actor.decides:
        return
    reasons = [reason["sentence"] for reason in held.get("reasons", [])]
    raise HaltError(
        Refused(
            Code.PRECONDITION,
            f"The policy rejects this release: {cleaned('; '.join(reasons))}.",
            {"do": "Choose an accepted candidate, or the owner plans it by hand."},
        )
    )


async def _free_slots(known: _Known, context: Context) -> list[WantedSlot]:
    """The slots it is for, at their revisions.

    Raises:
        HaltError: refused; they are filled, or something for them is on its way.
    """
    name = parse(known.row.title)
    numbers = _numbers(known.work, name)

    def look(conn: Snapshot) -> list[WantedSlot]:
        found = [(pair, shelf.slot_for(conn, known.work_id, *pair)) for pair in numbers]
        states = {slot.state for _, slot in found if slot is not None}
        if states == {"satisfied"} and len(found) == len([s for _, s in found if s is not None]):
            raise HaltError(
                Refused(
                    Code.PRECONDITION,
                    f"{known.work.title} is in the library already.",
                    {"do": "See inventory__query. Replacing it needs the owner."},
                )
            )
        running = downloads.listing(conn, states=ACTIVE, work=known.work_id)
        if "in_flight" in states and running:
            raise HaltError(
                Refused(
                    Code.CONFLICT,
                    f"{known.work.title} is being downloaded already: {running[0].name}.",
                    {"do": "Follow it with download__list."},
                )
            )
        return [
            WantedSlot(season=pair[0], episode=pair[1], revision=slot.revision if slot else 0)
            for pair, slot in found
        ]

    return await context.ledger.read(look)


def _numbers(work: Work, name: ReleaseName) -> list[tuple[int, int]]:
    if work.key.kind is WorkKind.FILM:
        return [(0, 0)]
    counts = {season.number: season.episode_count for season in work.seasons}
    seasons = name.seasons or (1,)
    if name.episodes:
        return [(seasons[0], number) for number in name.episodes]
    return [(season, number + 1) for season in seasons for number in range(counts.get(season, 0))]


def _wanted(
    known: _Known, inside: Contents, slots: list[WantedSlot], context: Context
) -> Acquisition:
    name = parse(known.row.title)
    clients = context.part(Downloaders, "download client")
    return Acquisition(
        release=known.row.id,
        title=known.row.title,
        indexer=known.row.indexer,
        work=known.work_id,
        work_key=str(known.work.key),
        work_title=known.work.title,
        year=known.work.year,
        kind=known.work.key.kind,
        source="magnet" if inside.torrent is None else "torrent",
        info_hash=inside.hashes.key,
        hash_v1=inside.hashes.v1,
        hash_v2=inside.hashes.v2,
        size=inside.size,
        files=list(inside.files),
        all_files=True,
        client=clients.default_name,
        quality=_quality(name),
        grade=str((known.row.identity or {}).get("grade", "unrecognised")),
        slots=slots,
        policy_version=known.acquisition.version,
        import_=_import(known, context),
    )


def _quality(name: ReleaseName) -> str:
    parts = [str(part) for part in (name.source, name.resolution) if part is not None]
    return " ".join(parts) or "unknown"


def _import(known: _Known, context: Context) -> dict[str, Any]:
    policy = from_json(OrganizePolicy, known.organize.body)
    folders = context.part(Folders, "library")
    return {
        "mode": policy.mode.value,
        "preset": policy.preset.value,
        "root": str(folders.library(known.work.key.kind)),
        "policy_version": known.organize.version,
    }


def _draft(wanted: Acquisition, known: _Known, free_after: int, context: Context) -> Plan:
    payload = wanted.payload()
    return Plan(
        id=new_id("plan"),
        type=PLAN_TYPE,
        state=PlanState.DRAFT,
        revision=1,
        payload_hash=plans.payload_hash(payload),
        payload=payload,
        card=_card(wanted, known, free_after, context),
        parent=None,
        run=context.run,
        created_by=str(context.actor),
        created_at=context.ledger.now(),
    )


def _card(wanted: Acquisition, known: _Known, free_after: int, context: Context) -> dict[str, Any]:
    """What the owner reads before deciding: fields only, no words of a model."""
    year = "" if wanted.year is None else f" ({wanted.year})"
    library = Folders.name(wanted.kind)
    return {
        "title": f"Download {wanted.work_title}{year}, {wanted.quality}, to {library}",
        "changes": [
            f"{wanted.size / GB:.2f} GB on the download disk, {free_after / GB:.1f} GB left after",
            f"then placed in {library} by {wanted.import_['mode']}; nothing is replaced",
        ],
        "from": {
            "indexer": wanted.indexer,
            "release": cleaned(wanted.title),
            "identity": f"grade {wanted.grade}",
            "verdict": [
                cleaned(reason["sentence"])
                for reason in (known.row.judgement or {}).get("reasons", [])
            ][:3],
        },
        "asked_by": str(context.actor),
        "files": len(wanted.files),
    }
