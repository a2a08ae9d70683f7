"""Publishing, in one transaction: the version, the grants it makes and ends, the audit."""

from collections.abc import Mapping
from dataclasses import dataclass

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.policy.automation_grants import document, grants_of
from capabilities.policy.bodies import valid
from capabilities.policy.policy_plan import PolicyPlan, policy_plan
from ledger.clock import new_id
from ledger.database import Snapshot
from ledger.stores import approvals, audit, grants, plans, policies
from ledger.stores.grants import NewGrant
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class Publication:
    """What publishing comes to, worked out before it is done.

    Attributes:
        granted: the grants it makes, with the ids that they will have.
        lapsing: ids of the grants that end with the version before.
    """

    version: int
    granted: tuple[tuple[str, NewGrant], ...]
    lapsing: tuple[str, ...]


def foreseen(conn: Snapshot, wanted: PolicyPlan) -> Publication:
    """What publishing a draft would come to now.

    Raises:
        HaltError: refused; the draft, or what it was compared with, is no longer what it was.
    """
    published, draft = policies.published(conn, wanted.kind), policies.draft(conn, wanted.kind)
    fresh = published is not None and published.version == wanted.base_version
    if draft is None or draft.body != wanted.body or not fresh:
        raise HaltError(
            Refused(
                Code.CONFLICT,
                f"The {wanted.kind} policy, or its draft, changed since this was drafted. Nothing "
                "was published.",
                {"do": "Make a new draft with policy__preview."},
            )
        )
    policy = valid(wanted.kind, wanted.body)
    return Publication(
        version=draft.version,
        granted=tuple((new_id("grant"), grant) for grant in grants_of(policy, draft.version)),
        lapsing=tuple(
            grant.id for grant in grants.bound_to(conn, wanted.kind, wanted.base_version)
        ),
    )


def publish(tx: Transaction, context: Context, plan: Plan, made: Publication) -> None:
    """Do it, whole or not at all.

    Raises:
        HaltError: refused; something changed since it was worked out.
    """
    wanted, at = policy_plan(plan), context.ledger.now()
    now = foreseen(tx.conn, wanted)
    if (now.version, now.lapsing) != (made.version, made.lapsing):
        sentence = "Grants changed while this was published. Nothing was published; call it again."
        raise HaltError(Refused(Code.CONFLICT, sentence))
    policies.publish_draft(tx, wanted.kind, made.version, at)
    plans.move(tx, plan.id, PlanState.DONE)
    by = _owner(tx, context, plan)
    for id_, grant in made.granted:
        grants.add(tx, grant, by, at, id_=id_)
        _noted(tx, context, "grant made", by=by, grant=id_, summary=document(grant))
    reason = f"version {wanted.base_version} of the {wanted.kind} policy is retired"
    for id_ in made.lapsing:
        grants.withdraw(tx, id_, by=by, reason=reason, at=at)
        _noted(tx, context, "grant withdrawn", by=by, grant=id_, summary={"reason": reason})
    summary = {
        "kind": wanted.kind,
        "version": made.version,
        "from_version": wanted.from_version,
        "plan": plan.id,
    }
    _noted(tx, context, "policy published", by=by, summary=summary)


def _owner(tx: Transaction, context: Context, plan: Plan) -> str:
    """Whose word it is: the owner's who calls, or who approved exactly this."""
    if context.actor.decides:
        return str(context.actor)
    approval = approvals.living(tx.conn, plan.pin, context.ledger.now())
    if approval is None or approval.decided_by is None:
        raise HaltError(Refused(Code.NEEDS_APPROVAL, "Nobody has approved this. Nothing was done."))
    return approval.decided_by


def _noted(
    tx: Transaction,
    context: Context,
    action: str,
    *,
    by: str,
    summary: Mapping[str, object],
    grant: str | None = None,
) -> None:
    audit.write(
        tx,
        audit.Entry(
            context.ledger.now(),
            by,
            action,
            capability="policy.apply",
            authority=grant,
            run=context.run,
            summary=summary,
        ),
    )
