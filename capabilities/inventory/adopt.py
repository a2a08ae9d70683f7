"""Take a library into the inventory as it stands."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.inventory.adopting import Standing, look
from capabilities.inventory.adoption_plan import PLAN_TYPE, adoption_plan
from capabilities.inventory.looks import keep_seen
from capabilities.inventory.taking_in import (
    Ending,
    filling,
    is_small,
    take_all,
    write_parts,
)
from capabilities.inventory.unclear import SHOWN
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Pending, Succeeded
from capabilities.kernel.owing import ADOPT, owe
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.stored_plan import PlanKind
from capabilities.kernel.targets import Reach, Target
from capabilities.rules.adoption import Adoption
from ledger.stores import plans
from ledger.stores.plans import Plan, PlanState
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
    return Target("library", _key(wanted.folder), facts, plan.pin, Reach(folder=wanted.folder))


def _key(folder: str) -> str:
    return f"library:{folder}"


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
    """See the library once more; what is not as it was planned is a conflict.

    Many files are taken by background work, some at a time: the call is pending until the last of
    them is, and the same call tells it then. A death in between is gone on from.
    """
    plan = await PLANS.find(context, given.plan)
    wanted = adoption_plan(plan)
    standing = await _seen_anew(wanted.folder, context)
    made = standing.adoption
    if made is None or made.fingerprint != wanted.fingerprint:
        return Failed(
            Code.CONFLICT,
            "The library, or what its titles are taken for, is not what it was when the plan was "
            "made. Nothing was taken in.",
            PLANS.anew,
        )
    output = _output(wanted.folder, made)
    ending = _ending(output, made, standing, context)
    library = str(standing.library)
    if not is_small(made.files):
        await write_parts(context.ledger, plan.id, library, made.files, ending)
        context.stage(lambda tx: _begin(tx, plan, library, context))
        return Pending(
            plan.id,
            f"{len(made.files)} videos are being taken in, some at a time.",
            "the same call tells it once they are; `matinee claims` lists it",
        )
    at = context.ledger.now()
    context.stage(lambda tx: take_all(tx, plan.id, library, made.files, ending=ending, at=at))
    context.stage(lambda tx: keep_seen(tx, context.ledger, library))
    return Succeeded(output, ending.sentence)


async def _seen_anew(folder: str, context: Context) -> Standing:
    """The library now; a look that goes on when the call must end took nothing in."""
    try:
        return await look(Path(folder), context)
    except HaltError as halt:
        if not isinstance(halt.outcome, Pending):
            raise
        sentence = f"{halt.outcome.sentence} Nothing was taken in yet."
        hint = "Make the same call again; the look goes on meanwhile."
        raise HaltError(Failed(Code.UNAVAILABLE, sentence, hint, retry=True)) from None


def _output(folder: str, made: Adoption) -> Output:
    return Output(
        folder=folder,
        files=len(made.files),
        works=len(made.titles),
        slots=len(filling(made.files)),
        unclear=sum(one.files for one in made.unclear),
    )


def _ending(output: Output, made: Adoption, standing: Standing, context: Context) -> Ending:
    left = f" {output.unclear} are left, see `matinee decisions`." if output.unclear else ""
    return Ending(
        folder=output.folder,
        by=str(context.actor),
        seen_by=standing.seen_by,
        unclear=[asdict(one) for one in made.unclear[:SHOWN]],
        left=output.unclear,
        titles_left=len(made.unclear),
        natural_key=_key(output.folder),
        output=output.model_dump(mode="json"),
        sentence=f"{output.files} videos are in the inventory now.{left}",
    )


def _begin(tx: Transaction, plan: Plan, library: str, context: Context) -> None:
    """Let the parts be taken, and the library be looked at from then on."""
    plans.move(tx, plan.id, PlanState.RUNNING)
    owe(tx, context.ledger, ADOPT, plan.id)
    keep_seen(tx, context.ledger, library)
