"""Hand an approved plan's torrent to a download client."""

from typing import Annotated

import svcs
from anyio import to_thread
from pydantic import BaseModel, Field

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import AddRequest, Downloader, Downloaders
from capabilities.adapters.downloader.probes import probe_add
from capabilities.adapters.downloader.torrent_file import Torrent, read_torrent
from capabilities.adapters.shelf.folders import Folders
from capabilities.download.acquisition import (
    PLAN_TYPE,
    Acquisition,
    acquisition,
    natural_key,
    reach_of,
)
from capabilities.download.blocks import refuse_newly_blocked
from capabilities.download.rivals import refuse_overtaken, slots_unchanged
from capabilities.download.room import refuse_without_room
from capabilities.download.selection import indexes, refuse_lacking
from capabilities.download.submission import Submission, record_submission
from capabilities.kernel import fault_points
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.probing import Finding
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.stored_plan import PlanKind
from capabilities.kernel.targets import Target
from capabilities.rules.outside_text import cleaned
from capabilities.rules.under_way import ACTIVE
from ledger.clock import new_id
from ledger.database import Snapshot
from ledger.stores import downloads, releases
from ledger.stores.plans import Plan, PlanState

PLANS = PlanKind(
    PLAN_TYPE,
    "acquisition plan",
    "plan",
    maker="download__plan",
    fresh=PlanState.DRAFT,
    used_up="it cannot be submitted again",
)


class Input(BaseModel, extra="forbid"):
    """Which plan; the hash, if given, must be the plan's."""

    plan: Annotated[
        str, Field(description="The plan reference that download__plan gave.", max_length=60)
    ]
    payload_hash: Annotated[
        str | None,
        Field(description="The plan's payload hash, to be sure it has not changed.", max_length=64),
    ] = None


class Output(BaseModel):
    """Submitted is not downloaded, and not in the library."""

    download: str
    title: str
    client: str
    adopted: bool
    state: str = "submitted"


async def target_of(given: Input, context: Context) -> Target:
    """The torrent, pinned to the plan as it is stored now."""
    plan = await PLANS.find(context, given.plan)
    PLANS.refuse_changed(plan, given.payload_hash)
    wanted = acquisition(plan)
    facts = {
        "plan": plan.id,
        "info_hash": wanted.info_hash,
        "client": wanted.client,
        "bytes": wanted.size,
        "work": wanted.work_key,
    }
    return Target("torrent", natural_key(wanted.info_hash), facts, plan.pin, reach_of(wanted))


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse a plan that the world has overtaken, before anyone is asked about it."""
    del given
    plan = await PLANS.find(context, str(target.facts["plan"]))
    PLANS.refuse_used(plan)
    wanted = acquisition(plan)
    if await context.ledger.read(lambda conn: _under_way(conn, wanted)):
        return  # it is adopted: it takes no more room, and it is what changed the slots
    if not await context.ledger.read(lambda conn: slots_unchanged(conn, wanted)):
        raise HaltError(
            Refused(
                Code.CONFLICT,
                "The library changed since this plan was made; it is stale. Nothing was done.",
                {"do": PLANS.anew},
            )
        )
    await refuse_newly_blocked(wanted, context)
    await refuse_without_room(context, wanted.size)


async def probe(target: Target, parts: svcs.Container) -> Finding:
    """Look for the torrent in every client."""
    return await probe_add(parts.get(Downloaders), str(target.facts["info_hash"]))


async def adopt(target: Target, finding: Finding, context: Context) -> Outcome[Output]:
    """Record a torrent whose add was sent and whose answer was lost."""
    plan = await PLANS.find(context, str(target.facts["plan"]))
    wanted = acquisition(plan)
    client = str(finding.evidence["client"])
    hashes = InfoHashes(wanted.hash_v1, wanted.hash_v2)
    return await _recorded(plan, wanted, client, hashes, context, adopted=True)


@capability(
    "download.submit",
    version=1,
    title="Submit a download",
    kind=Kind.EXECUTE,
    effect=Effect.WORLD,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope="download.submit",
    toolset=Toolset.ACQUIRE,
    plan=PLAN_TYPE,
    target=target_of,
    check=check,
    probe=probe,
    adopt=adopt,
    use_when="Submit a plan made by download__plan. Needs the owner's approval of exactly that "
    "plan: without it the answer is needs_approval, and the same call is repeated afterwards.",
    not_when="Submitted is not downloaded, and downloaded is not in the library: follow it with "
    "download__inspect.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=True),
    timeout=40,
    example={"plan": "plan:1"},
)
async def submit(given: Input, context: Context) -> Outcome[Output]:
    """Add the torrent, or adopt it where a client has it already."""
    plan = await PLANS.find(context, given.plan)
    wanted = acquisition(plan)
    clients = context.part(Downloaders, "download client")
    there = await clients.find(wanted.info_hash)
    fault_points.at("looked")
    if there is not None:
        client, transfer = there
        refuse_lacking(wanted, client.name, transfer)
        return await _recorded(plan, wanted, client.name, transfer.hashes, context, adopted=True)
    raw, torrent = await _source(wanted, context)
    await refuse_newly_blocked(wanted, context)
    await refuse_overtaken(wanted, context)
    client = _client(clients, wanted.client)
    folders = context.part(Folders, "library")
    fault_points.at("before_send")
    hashes = await client.add(AddRequest(raw, folders.downloads, indexes(wanted, torrent)))
    fault_points.at("answered")
    return await _recorded(plan, wanted, client.name, hashes, context, adopted=False)


def _client(clients: Downloaders, name: str) -> Downloader:
    try:
        return clients.named(name)
    except LookupError as gone:
        raise HaltError(
            Failed(
                Code.PRECONDITION,
                f"The download client {name!r} of this plan is no longer configured.",
                PLANS.anew,
            )
        ) from gone


def _under_way(conn: Snapshot, wanted: Acquisition) -> bool:
    known = downloads.by_hash(conn, wanted.info_hash)
    return known is not None and known.state in ACTIVE


async def _source(wanted: Acquisition, context: Context) -> tuple[bytes, Torrent]:
    """The torrent file that was planned, and no other one that was fetched since."""
    raw = await context.ledger.read(lambda conn: releases.torrent(conn, wanted.release))
    torrent = None if raw is None else await to_thread.run_sync(read_torrent, raw)
    if raw is None or torrent is None or torrent.hashes.key != wanted.info_hash:
        raise HaltError(
            Failed(
                Code.PRECONDITION,
                "The torrent file of this plan is no longer kept, or another one came in its "
                "place. Nothing was done.",
                PLANS.anew,
            )
        )
    return raw, torrent


async def _recorded(
    plan: Plan,
    wanted: Acquisition,
    client: str,
    hashes: InfoHashes,
    context: Context,
    *,
    adopted: bool,
) -> Outcome[Output]:
    known = await context.ledger.read(lambda conn: downloads.by_hash(conn, hashes.key))
    id_ = new_id("dl") if known is None else known.id
    submission = Submission(id_, plan, wanted, client, hashes, adopted)
    context.stage(lambda tx: record_submission(tx, context.ledger, submission))
    (reference,) = await context.refer("dl", id_)
    title = cleaned(wanted.title)
    output = Output(download=reference, title=title, client=client, adopted=adopted)
    verb = "was there already and is followed now" if adopted else "was submitted"
    return Succeeded(
        output,
        f"{title} {verb}, in {client}. It is not downloaded yet, nor in the library.",
    )
