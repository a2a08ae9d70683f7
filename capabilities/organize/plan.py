"""Freeze what an import would do: every file operation, by name, size and inode."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.context import Context
from capabilities.kernel.granting import chosen
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.organize.card import SHOWN
from capabilities.organize.freezing import freeze_import
from capabilities.organize.import_plan import OrganizePlan, reach_of
from capabilities.organize.known import known_around
from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted
from ledger.stores import plans
from ledger.stores.grants import Grant

EXECUTE = "organize.execute"


class Input(BaseModel, extra="forbid"):
    """Which download."""

    download: Annotated[str, Field(description="A finished download, e.g. dl:1.", max_length=60)]
    replace: Annotated[
        bool,
        Field(
            description="Replace files in the library that these are better than; they go into "
            "the recycle folder. Needs the owner's approval, or a grant that says so."
        ),
    ] = False


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
    """A frozen plan: nothing is placed.

    ``written`` are the NFO files of ours that will be written, relative to the library.
    """

    plan: str
    revision: int
    payload_hash: str
    library: str
    mode: str
    files: list[FileFacts]
    left: list[LeftFacts]
    replaces: list[str]
    requires_approval: bool
    written: list[str] = []


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
    made, payload = await freeze_import(known, context, replace=given.replace)
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
        written=[each.target for each in payload.written[:SHOWN]],
    )
    return Succeeded(output, f"Frozen: {counted(len(payload.files), 'file')} to place.")


async def _is_allowed(payload: OrganizePlan, context: Context) -> bool:
    """Whether the caller could carry it out now: by hand, or under a grant."""
    if context.actor.decides:
        return True
    reach, at = reach_of(payload), context.ledger.now()
    grant = await context.ledger.read(lambda conn: chosen(conn, EXECUTE, reach, at))
    return isinstance(grant, Grant)
