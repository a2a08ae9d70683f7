"""Publish a draft as the next version of its policy."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.kernel.targets import Target
from capabilities.policy.kinds import PolicyKind
from capabilities.policy.policy_plan import PLAN_TYPE, PolicyPlan, policy_plan
from capabilities.policy.publishing import Publication, foreseen, publish
from ledger.stores import plans, policies
from ledger.stores.plans import Plan, PlanState


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
    plan = await _plan(given.plan, context)
    if given.payload_hash is not None and given.payload_hash != plan.payload_hash:
        raise HaltError(
            Refused(
                Code.CONFLICT,
                "The draft is not the one you mean: its hash differs. Nothing was published.",
                {"payload_hash": plan.payload_hash, "revision": plan.revision},
            )
        )
    wanted = policy_plan(plan)
    facts = {"plan": plan.id, "kind": wanted.kind, "base_version": wanted.base_version}
    return Target("policy", f"policy:{wanted.kind}", facts, plan.pin)


async def check(given: Input, target: Target, context: Context) -> None:
    """Refuse a draft that was published or overtaken, before anyone is asked about it."""
    del given
    plan = await _plan(str(target.facts["plan"]), context)
    if plan.state is not PlanState.DRAFT:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"This draft is {plan.state}; it cannot be published again.",
                {"do": "Make a new one with policy__preview."},
            )
        )
    wanted = policy_plan(plan)
    published = await context.ledger.read(lambda conn: policies.published(conn, wanted.kind))
    if published is None or published.version != wanted.base_version:
        raise HaltError(
            Refused(
                Code.CONFLICT,
                f"The {wanted.kind} policy was published anew since this draft was made; what it "
                "would change is no longer known. Nothing was published.",
                {"do": "Make a new draft with policy__preview."},
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
    """Validate once more, and let version, grants and audit become durable together."""
    plan = await _plan(given.plan, context)
    wanted = policy_plan(plan)
    made = await context.ledger.read(lambda conn: foreseen(conn, wanted))
    context.stage(lambda tx: publish(tx, context, plan, made))
    output = Output(
        kind=wanted.kind,
        version=made.version,
        retired=wanted.base_version,
        grants_made=[id_ for id_, _ in made.granted],
        grants_lapsed=list(made.lapsing),
    )
    return Succeeded(output, _sentence(wanted, made))


async def _plan(given: str, context: Context) -> Plan:
    id_ = await context.resolve("plan", given)
    plan = await context.ledger.read(lambda conn: plans.by_id(conn, id_))
    if plan is None or plan.type != PLAN_TYPE:
        raise HaltError(
            Failed(
                Code.NOT_FOUND,
                f"There is no policy draft {given[:60]!r}.",
                "Make one with policy__preview.",
            )
        )
    return plan


def _sentence(wanted: PolicyPlan, made: Publication) -> str:
    parts = [f"Version {made.version} of the {wanted.kind} policy is in force."]
    if made.granted:
        parts.append(f"{len(made.granted)} grants were made with it.")
    if made.lapsing:
        parts.append(f"{len(made.lapsing)} grants of the version before have ended.")
    return " ".join(parts)
