"""Take a library into the inventory as it stands."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.inventory.adopting import look
from capabilities.inventory.adoption_plan import PLAN_TYPE, adoption_plan
from capabilities.inventory.unclear import new_videos_key, unclear_key, unclear_titles
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.stored_plan import PlanKind
from capabilities.kernel.targets import Reach, Target
from capabilities.rules.adoption import Adoptable, Adoption
from ledger.clock import new_id
from ledger.stores import assets, decisions, libraries, plans
from ledger.stores.plans import Plan, PlanState
from ledger.stores.shelf import AssetRow
from ledger.writer import Transaction

PLANS = PlanKind(
    PLAN_TYPE,
    "adoption plan",
    "plan",
    maker="inventory__plan",
    fresh=PlanState.FROZEN,
    used_up="it is not carried out again",
)


class Input(BaseModel, extra="forbid"):
    """Which plan; the hash, if given, must be its own."""

    plan: Annotated[
        str, Field(description="The plan reference that inventory__plan gave.", max_length=60)
    ]
    payload_hash: Annotated[
        str | None,
        Field(description="The plan's payload hash, to be sure it has not changed.", max_length=64),
    ] = None


class Output(BaseModel):
    """What is in the inventory now; ``slots`` are films and episodes that had no file before."""

    folder: str
    files: int
    works: int
    slots: int
    unclear: int


async def target_of(given: Input, context: Context) -> Target:
    """The library, pinned to the plan."""
    plan = await PLANS.find(context, given.plan)
    PLANS.refuse_changed(plan, given.payload_hash)
    wanted = adoption_plan(plan)
    facts = {"plan": plan.id, "folder": wanted.folder, "files": wanted.files}
    return Target(
        "library", f"library:{wanted.folder}", facts, plan.pin, Reach(folder=wanted.folder)
    )


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse a plan that was carried out already."""
    del given
    PLANS.refuse_used(await PLANS.find(context, str(target.facts["plan"])))


@capability(
    "inventory.adopt",
    version=1,
    title="Adopt a library",
    kind=Kind.EXECUTE,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope="inventory.adopt",
    toolset=Toolset.ADMIN,
    plan=PLAN_TYPE,
    target=target_of,
    check=check,
    use_when="Carry out a plan of inventory__plan: its files are recorded where they are, and the "
    "films and episodes they hold count as there. Needs the owner's approval.",
    not_when="It moves and changes no file, and takes nothing that the plan calls unclear.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=44,
    example={"plan": "plan:2"},
)
async def adopt(given: Input, context: Context) -> Outcome[Output]:
    """See the library once more; what is not as it was planned is a conflict."""
    plan = await PLANS.find(context, given.plan)
    wanted = adoption_plan(plan)
    standing = await look(Path(wanted.folder), context)
    made = standing.adoption
    if made is None or made.fingerprint != wanted.fingerprint:
        return Failed(
            Code.CONFLICT,
            "The library, or what its titles are taken for, is not what it was when the plan was "
            "made. Nothing was taken in.",
            PLANS.anew,
        )
    slots = _filled(made.files)
    context.stage(lambda tx: _take_in(tx, plan, made, context))
    unclear = sum(one.files for one in made.unclear)
    output = Output(
        folder=wanted.folder,
        files=len(made.files),
        works=len(made.titles),
        slots=len(slots),
        unclear=unclear,
    )
    left = f" {unclear} are left, see `matinee decisions`." if unclear else ""
    return Succeeded(output, f"{len(made.files)} videos are in the inventory now.{left}")


def _filled(files: list[Adoptable]) -> dict[tuple[str, int, int], Adoptable]:
    """Which file fills a slot: of several the biggest."""
    filled: dict[tuple[str, int, int], Adoptable] = {}
    for one in sorted(files, key=lambda file: (file.size, file.path)):
        filled |= dict.fromkeys(one.slots, one)
    return filled


def _take_in(tx: Transaction, plan: Plan, made: Adoption, context: Context) -> None:
    """Files, slots, the library, and the question about what is left."""
    at, wanted = context.ledger.now(), adoption_plan(plan)
    known = assets.below(tx.conn, wanted.folder)
    rows = {
        one.path: _row(one, wanted.folder, plan.id, at)
        for one in made.files
        if f"{wanted.folder}/{one.path}" not in known
    }
    assets.put_many(tx, list(rows.values()))
    filled = _filled([one for one in made.files if one.path in rows])
    assets.satisfy(tx, {place: rows[one.path].id for place, one in filled.items()})
    libraries.adopt(tx, wanted.folder, by=str(context.actor), at=at)
    plans.move(tx, plan.id, PlanState.DONE)
    if made.unclear:
        decisions.raise_(tx, unclear_titles(wanted.folder, made.unclear), at)
    else:
        _close(tx, unclear_key(wanted.folder), "every title is told", at)
    _close(tx, new_videos_key(wanted.folder), "they were looked at", at)


def _close(tx: Transaction, cause: str, resolution: str, at: datetime) -> None:
    decisions.close_for(tx, cause, by="system:inventory", resolution=resolution, at=at)


def _row(one: Adoptable, folder: str, record: str, at: datetime) -> AssetRow:
    return AssetRow(
        id=new_id("asset"),
        path=f"{folder}/{one.path}",
        work=one.work,
        season=one.season,
        episode=one.episodes[0] if one.episodes else None,
        quality=one.quality,
        size=one.size,
        device=one.device,
        inode=one.inode,
        streams={},
        record=record,
        seen_at=at,
        mtime_ns=one.mtime_ns,
    )
