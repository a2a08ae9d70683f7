"""Keeping a draft: its version, its plan, and the card that its owner reads."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.policy.automation_grants import document
from capabilities.policy.automation_grants import told as allowed
from capabilities.policy.differences import FORMATS, NONE, ChangeFacts
from capabilities.policy.kinds import PolicyKind
from capabilities.policy.policy_plan import PLAN_TYPE, PolicyPlan, drafted, policy_plan
from capabilities.rules.wording import counted
from ledger.clock import new_id
from ledger.database import Snapshot
from ledger.stores import plans, policies
from ledger.stores.grants import Grant, NewGrant
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction

LINES = 12
FIELDS = 24


@dataclass(frozen=True, slots=True)
class Draft:
    """A valid body that may be published.

    Attributes:
        version: the number that it gets.
        base_version: the published version that it was compared with.
        from_version: the earlier version that it goes back to, where it does.
        grants: what publishing it grants.
        lapsing: the grants that end with the base version.
    """

    kind: PolicyKind
    body: dict[str, Any]
    version: int
    base_version: int
    from_version: int | None
    grants: Sequence[NewGrant]
    lapsing: Sequence[Grant]


def plan_of(draft: Draft, card: dict[str, Any], context: Context) -> Plan:
    """The plan to publish a draft."""
    payload = PolicyPlan(
        kind=draft.kind,
        base_version=draft.base_version,
        from_version=draft.from_version,
        principal=context.actor.principal,
        body=draft.body,
        version=draft.version,
        grants=[dict(document(grant)) for grant in draft.grants],
        lapsing=[grant.id for grant in draft.lapsing],
    ).model_dump(mode="json")
    return Plan(
        id=new_id("plan"),
        type=PLAN_TYPE,
        state=PlanState.DRAFT,
        revision=1,
        payload_hash=plans.payload_hash(payload),
        payload=payload,
        card=card,
        parent=None,
        run=context.run,
        created_by=str(context.actor),
        created_at=context.ledger.now(),
    )


def keep(tx: Transaction, context: Context, draft: Draft, plan: Plan) -> None:
    """Store a draft with its plan, in place of an earlier draft of its kind.

    Raises:
        HaltError: refused; see `refuse_anothers`. Conflict, where another draft took its number.
    """
    refuse_anothers(tx.conn, draft.kind, context)
    for earlier in plans.in_state(tx.conn, PLAN_TYPE, PlanState.DRAFT):
        if earlier.payload["kind"] == draft.kind:
            plans.move(tx, earlier.id, PlanState.SUPERSEDED)
    kept = policies.keep_draft(
        tx,
        draft.kind,
        draft.body,
        context.ledger.now(),
        by=str(context.actor),
        from_version=draft.from_version,
    )
    if kept.version != draft.version:
        sentence = (
            f"Another draft of the {draft.kind} policy was made meanwhile. Nothing was drafted."
        )
        raise HaltError(Refused(Code.CONFLICT, sentence, {"do": "Call policy__preview again."}))
    plans.add(tx, plan)


def refuse_anothers(conn: Snapshot, kind: PolicyKind, context: Context) -> None:
    """Leave alone what somebody else drafted; the owner may replace it.

    Otherwise somebody would publish what took its place unseen. A run replaces what runs of its
    principal drafted, and nothing that was made by hand, its own principal's neither. A draft that
    can no longer be published is nobody's.

    Raises:
        HaltError: refused; it names whose draft it is.
    """
    plan, published = drafted(conn, kind), policies.published(conn, kind)
    if plan is None or published is None or context.actor.decides:
        return
    held = policy_plan(plan)
    whose, mine = held.principal or plan.created_by, context.actor
    by_hand_for_run = mine.kind == "run" and plan.run is None
    is_mine = whose == mine.principal and not by_hand_for_run
    if is_mine or held.base_version != published.version:
        return
    raise HaltError(
        Refused(
            Code.CONFLICT,
            f"There is a draft of the {kind} policy already, made by {whose}. Nothing was drafted.",
            {
                "plan": plan.id,
                "made_by": whose,
                "do": "Ask the owner to publish it, or to replace it with a draft of their own.",
            },
        )
    )


def card_of(
    draft: Draft,
    changes: Sequence[ChangeFacts],
    told: Iterable[str],
    context: Context,
) -> dict[str, Any]:
    """What the owner reads before deciding: fields only, no words of a model.

    Args:
        draft: what would be published.
        changes: every field that differs.
        told: what would change of it, a line each.
        context: of whoever drafts.
    """
    back = "" if draft.from_version is None else f", as version {draft.from_version} was"
    lines = list(_changed(changes))
    lines += [f"grants {allowed(grant)}" for grant in draft.grants]
    lines += [f"ends the grant for {grant.action}" for grant in draft.lapsing[:LINES]]
    if len(draft.lapsing) > LINES:
        lines.append(f"ends {counted(len(draft.lapsing) - LINES, 'more grant')}")
    lines += told
    return {
        "title": f"Publish the {draft.kind} policy anew, in place of version "
        f"{draft.base_version}{back}",
        "changes": lines,
        "asked_by": str(context.actor),
    }


def _changed(changes: Sequence[ChangeFacts]) -> Iterator[str]:
    """Every field, and of the custom formats how many and the first few."""
    fields = [one for one in changes if not one.field.startswith(f"{FORMATS} ")]
    formats = [one for one in changes if one.field.startswith(f"{FORMATS} ")]
    yield from (f"{one.field}: {one.before} → {one.after}" for one in fields[:FIELDS])
    if len(fields) > FIELDS:
        rest = ", ".join(one.field for one in fields[FIELDS : FIELDS + LINES])
        yield f"and {counted(len(fields) - FIELDS, 'more field')}: {rest}"
    if not formats:
        return
    added = sum(one.before == NONE for one in formats)
    removed = sum(one.after == NONE for one in formats)
    changed = len(formats) - added - removed
    yield f"custom formats: {added} added, {removed} removed, {changed} changed"
    yield from (f"{one.field}: {one.before} → {one.after}" for one in formats[:LINES])
    if len(formats) > LINES:
        yield f"and {counted(len(formats) - LINES, 'more format')}"
