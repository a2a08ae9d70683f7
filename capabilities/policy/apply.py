"""Publish a draft as the next version of its policy."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.stored_plan import PlanKind
from capabilities.kernel.targets import Target
from capabilities.policy.kinds import PolicyKind
from capabilities.policy.policy_plan import PLAN_TYPE, PolicyPlan, policy_plan
from capabilities.policy.publishing import Publication, foreseen, publish
from capabilities.rules.wording import counted
from ledger.stores import policies
from ledger.stores.plans import PlanState

DRAFTS = PlanKind(
    PLAN_TYPE,
    "policy draft",
    "draft",
    maker="policy__preview",
    fresh=PlanState.DRAFT,
    used_up="it cannot be published again",
    undone="Nothing was published.",
)


class Input(BaseModel, extra="forbid"):
    """Which draft; the hash, if given, must be its plan's."""

    plan: Annotated[
        str, Field(description="The plan reference that policy__preview gave.", max_length=60)
    ]
    payload_hash: Annotated[
        str | None,
        Field(description="The plan's payload hash, to be sure it has not changed.", max_length=64),
    ] = None


class Output(BaseModel):
    """A version in force; the grants are those of its owner, by id."""

    kind: PolicyKind
    version: int
    retired: int
    grants_made: list[str]
    grants_lapsed: list[str]


async def target_of(given: Input, context: Context) -> Target:
    """The policy, pinned to the draft as it is stored now."""
    plan = await DRAFTS.find(context, given.plan)
    DRAFTS.refuse_changed(plan, given.payload_hash)
    wanted = policy_plan(plan)
    facts = {"plan": plan.id, "kind": wanted.kind, "base_version": wanted.base_version}
    return Target("policy", f"policy:{wanted.kind}", facts, plan.pin)


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse a draft that was published or overtaken, before anyone is asked about it."""
    del given
    plan = await DRAFTS.find(context, str(target.facts["plan"]))
    DRAFTS.refuse_used(plan)
    wanted = policy_plan(plan)
    published = await context.ledger.read(lambda conn: policies.published(conn, wanted.kind))
    if published is None or published.version != wanted.base_version:
        raise HaltError(
            Refused(
                Code.CONFLICT,
                f"The {wanted.kind} policy was published anew since this draft was made; what it "
                "would change is no longer known. Nothing was published.",
                {"do": DRAFTS.anew},
            )
        )


@capability(
    "policy.apply",
    version=1,
    title="Publish a policy",
    kind=Kind.EXECUTE,
    effect=Effect.OURS,
    replay=Replay.NEVER,
    dedupe=Dedupe.REQUEST,
    scope="policy.apply",
    toolset=Toolset.ADMIN,
    plan=PLAN_TYPE,
    target=target_of,
    check=check,
    always_asks=True,
    use_when="Publish a draft made by policy__preview. It always needs the owner's approval of "
    "exactly that draft; grants bound to the version before lapse with it.",
    not_when="Not to try something out: policy__preview tells the consequences. Going back is a "
    "draft from an earlier version.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    timeout=20,
    example={"plan": "plan:1"},
)
async def apply(given: Input, context: Context) -> Outcome[Output]:
    """Let version, grants and audit become durable together, as the draft says or not at all."""
    plan = await DRAFTS.find(context, given.plan)
    wanted = policy_plan(plan)
    made = await context.ledger.read(lambda conn: foreseen(conn, plan))
    context.stage(lambda tx: publish(tx, context, plan, made))
    output = Output(
        kind=wanted.kind,
        version=made.version,
        retired=wanted.base_version,
        grants_made=[id_ for id_, _ in made.granted],
        grants_lapsed=list(made.lapsing),
    )
    return Succeeded(output, _sentence(wanted, made))


def _sentence(wanted: PolicyPlan, made: Publication) -> str:
    parts = [f"Version {made.version} of the {wanted.kind} policy is in force."]
    if made.granted:
        parts.append(f"{counted(len(made.granted), 'grant was', 'grants were')} made with it.")
    if made.lapsing:
        ended = counted(len(made.lapsing), "grant")
        have = "has" if len(made.lapsing) == 1 else "have"
        parts.append(f"{ended} of the version before {have} ended.")
    return " ".join(parts)
