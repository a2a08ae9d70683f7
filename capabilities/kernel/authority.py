"""By whose word an act may happen, looked up at the moment of acting. In doubt: not at all."""

from dataclasses import dataclass
from datetime import datetime

from capabilities.kernel.actors import Actor
from capabilities.kernel.spec import Kind, Spec
from capabilities.kernel.targets import Target
from ledger.database import Snapshot
from ledger.stores import approvals, claims, plans, policies
from ledger.stores.approvals import ApprovalState
from ledger.stores.claims import ClaimState
from ledger.stores.plans import Plan

IMPORT_JOB = "import"
POLICY_OF_PROPOSAL = {"identity.resolve": "identity"}


@dataclass(frozen=True, slots=True)
class Granted:
    """Authority, and where it comes from: ``owner:…``, ``policy:…`` or an approval's id."""

    source: str | None
    approval: str | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """No authority; ``why`` is for a person."""

    why: str


def find(
    conn: Snapshot, spec: Spec, actor: Actor, target: Target | None, at: datetime
) -> Granted | Missing:
    """What allows ``actor`` to do this now, read inside the caller's transaction."""
    if spec.kind not in {Kind.PROPOSE, Kind.EXECUTE}:
        return Granted(None)
    if actor.decides:
        return Granted(str(actor))
    if spec.kind is Kind.PROPOSE:
        return _by_policy(conn, spec)
    if target is None or target.pin is None:
        return Missing("it has no plan that an approval could bind to")
    approval = approvals.living(conn, target.pin, at)
    if approval is not None and approval.capability == spec.id:
        return Granted(approval.id, approval.id)
    if actor.kind == "system" and actor.id == IMPORT_JOB:
        return _by_parent_plan(conn, target)
    return Missing("nobody has approved this plan yet")


def _by_policy(conn: Snapshot, spec: Spec) -> Granted | Missing:
    kind = POLICY_OF_PROPOSAL.get(spec.id)
    published = policies.published(conn, kind) if kind is not None else None
    if published is None:
        return Missing("no published policy allows it")
    return Granted(f"policy:{published.kind}:v{published.version}")


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
    by_hand = _owner_of(conn, parent)
    if by_hand is not None:
        return Granted(by_hand)
    return Missing("the acquisition it belongs to was never approved")


def _owner_of(conn: Snapshot, parent: Plan) -> str | None:
    """The owner who submitted exactly this acquisition by hand, which needed no approval."""
    claim = claims.by_key(conn, f"plan:{parent.id}:{parent.revision}")
    if claim is None or claim.state is not ClaimState.SUCCEEDED:
        return None
    by_hand = (claim.authority or "").startswith("owner:")
    return claim.authority if by_hand and claim.plan_hash == parent.payload_hash else None
