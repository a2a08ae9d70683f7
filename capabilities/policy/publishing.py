"""Publishing, in one transaction: the version, the grants it makes and ends, the audit."""

from collections.abc import Mapping
from dataclasses import dataclass

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.policy.automation_grants import document, grants_of
from capabilities.policy.bodies import valid
from capabilities.policy.policy_plan import policy_plan
from ledger.clock import new_id
from ledger.database import Snapshot
from ledger.stores import approvals, audit, grants, plans, policies
from ledger.stores.grants import NewGrant
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction

CHANGED = {"do": "Make a new draft with policy__preview."}


@dataclass(frozen=True, slots=True)
class Publication:
    """What publishing a draft does, worked out before it is done: what its plan froze, no more.

    Attributes:
        granted: the grants it makes, with the ids that they will have.
        lapsing: ids of the grants that end with the version before.
    """

    version: int
    granted: tuple[tuple[str, NewGrant], ...]
    lapsing: tuple[str, ...]


def foreseen(conn: Snapshot, plan: Plan) -> Publication:
    """What publishing a draft does.

    Raises:
        HaltError: conflict; done now it would do something else than its plan says.
    """
    _refuse_overtaken(conn, plan)
    wanted = policy_plan(plan)
    draft = policies.draft(conn, wanted.kind)
    if draft is None or (draft.version, draft.body) != (wanted.version, wanted.body):
        raise _conflict(f"The draft of the {wanted.kind} policy is another one by now.")
    granted = tuple(grants_of(valid(wanted.kind, wanted.body), draft.version))
    if [dict(document(grant)) for grant in granted] != wanted.grants:
        raise _conflict("It would grant something else than it was drafted with.")
    bound = [grant.id for grant in grants.bound_to(conn, wanted.kind, wanted.base_version)]
    if set(bound) != set(wanted.lapsing):
        raise _conflict(
            f"Other grants are bound to version {wanted.base_version} by now than those that this "
            "draft was to end."
        )
    ids = tuple((new_id("grant"), grant) for grant in granted)
    return Publication(version=draft.version, granted=ids, lapsing=tuple(bound))


def publish(tx: Transaction, context: Context, plan: Plan, made: Publication) -> None:
    """Do it, whole or not at all: exactly what the plan says, by the world as it is in ``tx``.

    Raises:
        HaltError: conflict; something changed since it was worked out. Needs approval, where
            nobody's word covers it any more.
    """
    wanted, at = policy_plan(plan), context.ledger.now()
    foreseen(tx.conn, plan)
    by = _owner(tx, context, plan)
    policies.publish_draft(tx, wanted.kind, made.version, at)
    plans.move(tx, plan.id, PlanState.DONE)
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


def _refuse_overtaken(conn: Snapshot, plan: Plan) -> None:
    """Leave a plan that is no draft any more, or was drafted against another version."""
    wanted, stored = policy_plan(plan), plans.by_id(conn, plan.id)
    if stored is None or stored.state is not PlanState.DRAFT or stored.pin != plan.pin:
        how = "gone" if stored is None else stored.state
        raise _conflict(f"This draft of the {wanted.kind} policy is {how} by now.")
    published = policies.published(conn, wanted.kind)
    if published is None or published.version != wanted.base_version:
        raise _conflict(f"The {wanted.kind} policy was published anew since this was drafted.")


def _conflict(sentence: str) -> HaltError:
    return HaltError(Refused(Code.CONFLICT, f"{sentence} Nothing was published.", CHANGED))


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
