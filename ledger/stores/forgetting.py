"""What the ledger may forget: claims whose story is over. Audit rows and events are kept."""

from datetime import datetime

import sqlalchemy as sa

from ledger.stores.claims import ClaimState
from ledger.stores.plans import PlanState
from ledger.tables.effects import invocation
from ledger.tables.media import plan
from ledger.tables.runs import agent_run
from ledger.writer import Transaction

FORGETTABLE = (ClaimState.SUCCEEDED, ClaimState.FAILED, ClaimState.PENDING)


def forget_claims(tx: Transaction, *, before: datetime | None, limit: int) -> int:
    """Delete at most ``limit`` claims that nothing needs any more; returns how many.

    Those of runs that are gone go whatever their age; those of no run go when they ended, or were
    accepted, before ``before``, and never without it. What is running or unknown always stays, and
    so does what an acquisition that is still under way rests on.
    """
    ended = sa.func.coalesce(invocation.c.settled_at, invocation.c.claimed_at)
    gone = sa.select(agent_run.c.id).where(agent_run.c.id == invocation.c.run)
    under_way = sa.select(plan.c.id).where(
        plan.c.id == invocation.c.plan, plan.c.state == PlanState.SUBMITTED
    )
    whose = sa.and_(invocation.c.run.is_not(None), ~gone.exists())
    if before is not None:
        whose |= sa.and_(invocation.c.run.is_(None), ended < before)
    old = (
        sa.select(invocation.c.id)
        .where(invocation.c.state.in_(FORGETTABLE), whose, ~under_way.exists())
        .order_by(invocation.c.claimed_at)
        .limit(limit)
    )
    ids = list(tx.conn.execute(old).scalars())
    if ids:
        tx.conn.execute(invocation.delete().where(invocation.c.id.in_(ids)))
    return len(ids)
