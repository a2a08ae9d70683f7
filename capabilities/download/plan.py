"""Draft what a download would be: everything the owner will be asked to approve."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from capabilities.adapters.shelf.folders import Folders
from capabilities.download.acceptance import (
    Acceptance,
    accept,
    refuse_rejected,
    refuse_repeated,
)
from capabilities.download.acquisition import Acquisition, ReplacedFile, reach_of
from capabilities.download.better_copies import Replacing
from capabilities.download.contents import Contents, contents
from capabilities.download.drafting import Known, Renewal, draft, wanted
from capabilities.download.grounds import grounds
from capabilities.download.pack_choice import Choice, choose
from capabilities.download.room import GB, refuse_without_room
from capabilities.download.wanted_slots import counting_for, dated
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.granting import chosen
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.outside_text import cleaned
from capabilities.rules.stored import work_from
from capabilities.rules.usable_policy import usable_identity
from ledger.database import Snapshot
from ledger.stores import plans, policies, releases, works
from ledger.stores.grants import Grant
from ledger.stores.releases import ReleaseRow

FILES_SHOWN = 20
SUBMIT = "download.submit"


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
    replace_anyway: Annotated[
        bool,
        Field(
            description="Take it in place of a file that is as good or better. Only the owner may "
            "set this; what is an upgrade is planned without it."
        ),
    ] = False


class ReplacedFacts(BaseModel):
    """A file in the library that would go into the recycle folder; relative to the library."""

    path: str
    quality: str
    size_gb: float


class Output(BaseModel):
    """A draft: nothing is reserved, nothing is downloaded.

    ``not_fetched`` are the files of a pack that are not wanted. With the mode ``replace`` it is a
    better copy of what stands in the library, and ``replaces`` are the files that would go for it.
    """

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
    not_fetched: list[str]
    not_fetched_in_all: int
    mode: Literal["normal", "replace"]
    replaces: list[ReplacedFacts]
    replaces_in_all: int
    requires_approval: bool
    covered_by: str | None


@capability(
    "download.plan",
    version=1,
    title="Plan a download",
    kind=Kind.PREVIEW,
    effect=Effect.OURS,
    replay=Replay.SAFE,
    dedupe=Dedupe.CALL,  # a plan that the world has overtaken must not be answered again
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
    known = await dated(known, context)
    by = await grounds(known, context)
    known = replace(known, work=by.work)
    await refuse_rejected(known, by, context)
    inside = await contents(known.row, context)
    accepted = await accept(known, inside.hashes, inside.size, by, context)
    choice, acquired, covered_by = await _chosen(known, inside, accepted, given, context)
    refuse_repeated(accepted, context, replaces=bool(choice.replaced))
    free_after = await refuse_without_room(context, choice.inside.size)
    made = draft(
        acquired,
        known,
        accepted.judgement,
        free_after=free_after,
        remarks=choice.remarks,
        context=context,
    )
    context.stage(lambda tx: plans.add(tx, made))
    (reference,) = await context.refer("plan", made.id)
    (work,) = await context.refer("work", known.work_id)
    output = Output(
        plan=reference,
        revision=made.revision,
        payload_hash=made.payload_hash,
        title=cleaned(acquired.title),
        work=work,
        quality=acquired.quality,
        size_gb=round(acquired.size / GB, 3),
        free_after_gb=round(free_after / GB, 1),
        destination=Folders.name(acquired.kind),
        client=acquired.client,
        files=[cleaned(file.path) for file in acquired.files[:FILES_SHOWN]],
        files_left_out=max(len(acquired.files) - FILES_SHOWN, 0),
        not_fetched=[cleaned(file.path) for file in choice.inside.left_out[:FILES_SHOWN]],
        not_fetched_in_all=acquired.files_left_out,
        mode="replace" if acquired.may_replace else "normal",
        replaces=[_facts(file) for file in acquired.replaces[:FILES_SHOWN]],
        replaces_in_all=len(acquired.replaces),
        requires_approval=covered_by is None,
        covered_by=covered_by,
    )
    return Succeeded(output, f"Drafted: {'. '.join([made.card['title'], *choice.remarks])}.")


async def _chosen(
    known: Known, inside: Contents, accepted: Acceptance, given: Input, context: Context
) -> tuple[Choice, Acquisition, str | None]:
    """What is fetched of it, for what, and under whose word.

    What is missing is not kept waiting by what would be replaced with it: where a grant covers the
    one and not the other, only the one is planned.
    """
    counting = await counting_for(known, context)

    async def one(replacing: Replacing) -> tuple[Choice, Acquisition, str | None]:
        choice = await choose(known, inside, counting, context, replacing)
        anyway = replacing is Replacing.ANYTHING
        renewal = Renewal(choice.renewed > 0, anyway, choice.replaced)
        acquired = wanted(
            known, choice.inside, choice.slots, accepted.overruled, context, renewal=renewal
        )
        return choice, acquired, await _covered_by(acquired, context)

    found = await one(Replacing.ANYTHING if given.replace_anyway else Replacing.WORSE)
    choice, _, covered_by = found
    if covered_by is not None or not 0 < choice.renewed < len(choice.slots):
        return found
    try:
        without = await one(Replacing.NOTHING)
    except HaltError:
        return found  # nothing of it comes without replacing
    return found if without[2] is None else without


def _facts(file: ReplacedFile) -> ReplacedFacts:
    return ReplacedFacts(
        path=cleaned(file.path), quality=file.quality, size_gb=round(file.size / GB, 3)
    )


async def _covered_by(acquired: Acquisition, context: Context) -> str | None:
    """Whose word would allow it now: the owner's own, or a grant whose budget holds it."""
    if context.actor.decides:
        return str(context.actor)
    reach, at = reach_of(acquired), context.ledger.now()
    grant = await context.ledger.read(lambda conn: chosen(conn, SUBMIT, reach, at))
    return grant.id if isinstance(grant, Grant) else None


async def _known(given: Input, context: Context) -> Known:
    if given.confirm_unrecognised and not context.actor.decides:
        raise HaltError(Refused(Code.DENIED, "Only the owner may confirm an unrecognised release."))
    if given.replace_anyway and not context.actor.decides:
        sentence = "Only the owner may replace what is as good or better."
        raise HaltError(Refused(Code.DENIED, sentence))
    id_ = await context.resolve("rel", given.release)
    row = await context.ledger.read(lambda conn: releases.by_id(conn, id_))
    if row is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no release {given.release[:60]!r}."))
    work_id = _meant(row, given)
    return await context.ledger.read(lambda conn: _around(conn, row, work_id))


def _meant(row: ReleaseRow, given: Input) -> str:
    """The work it is for: as identified, unless it was found for another one since.

    Raises:
        HaltError: refused; it is for no work, or not identified as the one it is for.
    """
    identified = (row.identity or {}).get("work")
    meant = row.work or identified
    if meant is not None and (given.confirm_unrecognised or meant == identified):
        return str(meant)
    if identified is not None:
        sentence = "This release was identified as another work than it was searched for last."
        needs = {"do": "Call release__search with the work that it is."}
    else:
        sentence = "This release was not identified, so it is not planned."
        needs = {"do": "Call identity__resolve first.", "needs": "confirm_unrecognised"}
    raise HaltError(Refused(Code.PRECONDITION, sentence, needs))


def _around(conn: Snapshot, row: ReleaseRow, work_id: str) -> Known:
    work = works.by_id(conn, work_id)
    acquisition = policies.published(conn, "acquisition")
    organize = policies.published(conn, "organize")
    if work is None or acquisition is None or organize is None:
        raise HaltError(Refused(Code.PRECONDITION, "The home's policies are not published."))
    identity = usable_identity(policies.published(conn, "identity"))
    return Known(row, work_id, work_from(work.body), acquisition, organize, identity)
