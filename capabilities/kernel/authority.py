"""By whose word an act may happen, looked up at the moment of acting. In doubt: not at all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from capabilities.kernel import switches
from capabilities.kernel.actors import Actor
from capabilities.kernel.bound_runs import ASSIGN, bound_decision
from capabilities.kernel.call_plan import PLAN_TYPE
from capabilities.kernel.codes import Code
from capabilities.kernel.granting import OverBudget, chosen
from capabilities.kernel.outcomes import Refused
from capabilities.kernel.spec import Kind, Spec
from capabilities.kernel.targets import Reach, Target
from ledger.database import Snapshot
from ledger.stores import approvals, claims, grants, plans, policies
from ledger.stores.approvals import ApprovalState, PlanPin
from ledger.stores.claims import ClaimState
from ledger.stores.plans import Plan, PlanState

IMPORT_JOB = "import"
POLICY_OF_PROPOSAL = {"identity.resolve": "identity"}


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody is about to do.

    Attributes:
        pin: what an approval of it binds to: the target's own plan, or the plan of the call.
    """

    spec: Spec
    actor: Actor
    target: Target | None
    pin: PlanPin | None


@dataclass(frozen=True, slots=True)
class Granted:
    """Authority, and where it comes from.

    That is ``owner:…``, ``policy:…``, ``decision:…``, or an approval's or grant's id.

    Attributes:
        reserves: bytes that the claim takes from the day's budget of a grant.
    """

    source: str | None
    reserves: int | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """No authority; ``why`` is for a person. The owner's word would still allow it."""

    why: str
    code: Code = Code.NEEDS_APPROVAL
    needs: Mapping[str, object] = field(default_factory=dict[str, object])


def find(conn: Snapshot, act: Act, at: datetime) -> Granted | Missing | Refused:
    """What allows this now, read inside the caller's transaction.

    Refused is what no word of the owner about this act would change: a switch, a plan that is not
    there any more as it was, or the owner's no, which has been said.
    """
    if (barred := switches.barred(conn, act.spec, act.actor)) is not None:
        return barred
    if act.spec.kind not in {Kind.PROPOSE, Kind.EXECUTE}:
        return Granted(None)
    if (overtaken := _overtaken(conn, act.target)) is not None:
        return overtaken
    if act.actor.decides:
        return Granted(str(act.actor))
    if act.pin is not None and (no := declined(conn, act.spec, act.pin, at)) is not None:
        return no
    if act.spec.id == ASSIGN and (bound := bound_decision(conn, act.actor, act.target)):
        return Granted(f"decision:{bound}")
    word = _by_policy(conn, act.spec) if act.spec.kind is Kind.PROPOSE else _by_plan(conn, act, at)
    if isinstance(word, Granted) or act.spec.always_asks:
        return word
    return _by_grant(conn, act, at) or word


def declined(conn: Snapshot, spec: Spec, pin: PlanPin, at: datetime) -> Refused | None:
    """The owner's no to this exact plan, which no grant outweighs and about which none is asked.

    A changed plan is another one. The plan of a call cannot be changed, so the no to it stands for
    as long as the request would have: later the same words may well be another intent.
    """
    last = approvals.last_word(conn, spec.id, pin)
    if last is None or last.state is not ApprovalState.DECLINED:
        return None
    of_call = pin.type == PLAN_TYPE
    if of_call and last.expires_at <= at:
        return None
    why = (last.reason or "no reason was given").rstrip(".")
    until = f"{last.expires_at:%Y-%m-%d %H:%M} UTC"
    anew = f"It may be asked again after {until}." if of_call else "A changed plan may be asked."
    return Refused(
        Code.DENIED,
        f"The owner declined it: {why}. Nothing was done, and the owner is not asked again.",
        {"declined": last.id, "reason": last.reason, "who": "owner", "do": anew},
    )


def _overtaken(conn: Snapshot, target: Target | None) -> Refused | None:
    """Why the plan of a target is not to be carried out by anybody."""
    if target is None or target.pin is None:
        return None
    plan = plans.by_id(conn, target.pin.id)
    if plan is not None and plan.pin == target.pin and plan.state is not PlanState.SUPERSEDED:
        return None
    what = "is gone" if plan is None else "was changed or replaced by another one"
    return Refused(Code.CONFLICT, f"The plan {what}. Nothing was done.", {"do": "Make a new plan."})


def _by_policy(conn: Snapshot, spec: Spec) -> Granted | Missing:
    kind = POLICY_OF_PROPOSAL.get(spec.id)
    published = policies.published(conn, kind) if kind is not None else None
    if published is None:
        return Missing("no published policy allows it")
    return Granted(f"policy:{published.kind}:v{published.version}")


def _by_plan(conn: Snapshot, act: Act, at: datetime) -> Granted | Missing:
    if act.target is None or act.pin is None:
        return Missing("it has no plan that an approval could bind to")
    approval = approvals.living(conn, act.pin, at)
    if approval is not None and approval.capability == act.spec.id:
        return Granted(approval.id)
    if act.actor.kind == "system" and act.actor.id == IMPORT_JOB:
        return _by_parent_plan(conn, act.target)
    return Missing("nobody has approved this plan yet")


def _by_grant(conn: Snapshot, act: Act, at: datetime) -> Granted | Missing | None:
    reach = Reach() if act.target is None else act.target.reach
    match chosen(conn, act.spec.id, reach, at):
        case None:
            return None
        case OverBudget() as over:
            return Missing(over.why, Code.BUDGET_EXCEEDED, over.needs)
        case grant:
            return Granted(grant.id, reach.bytes)


def _by_parent_plan(conn: Snapshot, target: Target) -> Granted | Missing:
    """An approved acquisition covers the add-only import that it described, and nothing more."""
    plan = plans.by_id(conn, target.pin.id) if target.pin is not None else None
    parent = plans.by_id(conn, plan.parent) if plan is not None and plan.parent else None
    if plan is None or plan.pin != target.pin or parent is None:
        return Missing("this import follows from no approved acquisition")
    if plan.payload.get("add_only") is not True:
        return Missing("the import would replace or move something")
    described = parent.payload.get("import")
    if described is None or plan.payload.get("import") != described:
        return Missing("the import differs from what was approved with the acquisition")
    for approval in approvals.of_plan(conn, parent.id, ApprovalState.CONSUMED):
        same = (approval.payload_hash, approval.revision) == (
            parent.payload_hash,
            parent.revision,
        )
        if same:
            return Granted(approval.id)
    acquired = _without_approval(conn, parent)
    if acquired is not None:
        return Granted(acquired)
    return Missing("the acquisition it belongs to was never approved")


def _without_approval(conn: Snapshot, parent: Plan) -> str | None:
    """What stands for an acquisition that needed no approval of its own.

    The owner who submitted exactly this by hand; or the act itself, where a grant allowed it: the
    import that belongs to it takes nothing more from that grant's budget.
    """
    claim = claims.by_key(conn, f"plan:{parent.id}:{parent.revision}")
    if claim is None or claim.state is not ClaimState.SUCCEEDED or claim.authority is None:
        return None
    if claim.plan_hash != parent.payload_hash:
        return None
    if claim.authority.startswith("owner:"):
        return claim.authority
    return None if grants.by_id(conn, claim.authority) is None else claim.id
