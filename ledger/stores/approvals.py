"""Approvals: a person's yes to exactly one plan, good for one success."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import one, select, values
from ledger.tables.effects import approval
from ledger.tables.runs import agent_run
from ledger.writer import Transaction

WAITS_FOR = "waits_for"
"""Where a run's options keep the question that it waits for; it names the approval."""


class ApprovalState(StrEnum):
    """The life of an approval; only APPROVED is authority."""

    REQUESTED = "requested"
    APPROVED = "approved"
    DECLINED = "declined"
    CONSUMED = "consumed"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


OPEN = (ApprovalState.REQUESTED, ApprovalState.APPROVED)
"""What has not been decided against, used or ended."""


@dataclass(frozen=True, slots=True)
class PlanPin:
    """One exact plan: type, id, payload hash and revision."""

    type: str
    id: str
    payload_hash: str
    revision: int


@dataclass(frozen=True, slots=True)
class Approval:
    """A row of the ledger; ``card`` is what the person was shown."""

    id: str
    capability: str
    plan_type: str
    plan: str
    payload_hash: str
    revision: int
    state: ApprovalState
    requested_by: str
    run: str | None
    call_id: str | None
    card: dict[str, Any]
    created_at: datetime
    expires_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    consumed_by: str | None

    @property
    def pin(self) -> PlanPin:
        """The one plan that this is about."""
        return PlanPin(self.plan_type, self.plan, self.payload_hash, self.revision)

    def covers(self, pin: PlanPin, at: datetime) -> bool:
        """Whether this is a living yes to exactly ``pin``."""
        return self.state == ApprovalState.APPROVED and self.expires_at > at and self.pin == pin


@dataclass(frozen=True, slots=True)
class NewApproval:
    """What is asked of the owner."""

    capability: str
    pin: PlanPin
    requested_by: str
    run: str | None
    call_id: str | None
    card: dict[str, Any]
    expires_at: datetime


def by_id(conn: sa.Connection, id_: str) -> Approval | None:
    """The approval with this id."""
    return one(conn, approval, Approval, id=id_)


def of_plan(conn: sa.Connection, plan: str, *states: ApprovalState) -> list[Approval]:
    """Approvals of one plan in any of ``states``, newest first."""
    rows = conn.execute(
        select(approval, Approval, approval.c.plan == plan, approval.c.state.in_(states)).order_by(
            approval.c.created_at.desc()
        )
    )
    return values(Approval, rows)


def of_run(conn: sa.Connection, run: str, *states: ApprovalState) -> list[Approval]:
    """Approvals asked for by one run in any of ``states``."""
    rows = conn.execute(
        select(approval, Approval, approval.c.run == run, approval.c.state.in_(states))
    )
    return values(Approval, rows)


def listing(
    conn: sa.Connection,
    *,
    states: tuple[ApprovalState, ...] = (ApprovalState.REQUESTED,),
    limit: int = 20,
    offset: int = 0,
) -> tuple[list[Approval], int]:
    """Approvals in any of ``states``, newest first, and how many there are in all."""
    where = approval.c.state.in_(states)
    rows = conn.execute(
        select(approval, Approval, where)
        .order_by(approval.c.created_at.desc(), approval.c.id)
        .limit(limit)
        .offset(offset)
    )
    total = conn.execute(sa.select(sa.func.count()).select_from(approval).where(where))
    return values(Approval, rows), total.scalar_one()


def overdue(conn: sa.Connection, at: datetime) -> list[Approval]:
    """What is open still although its time has run out."""
    rows = conn.execute(
        select(approval, Approval, approval.c.state.in_(OPEN), approval.c.expires_at <= at)
    )
    return values(Approval, rows)


def waiting_runs(conn: sa.Connection, id_: str) -> list[str]:
    """The runs that wait for this approval; several do where they asked for the same plan."""
    asked = agent_run.c.options[(WAITS_FOR, "approval")].as_string()
    rows = conn.execute(sa.select(agent_run.c.id).where(asked == id_).order_by(agent_run.c.id))
    return list(rows.scalars())


def living(conn: sa.Connection, pin: PlanPin, at: datetime) -> Approval | None:
    """The approval that is authority for ``pin`` now."""
    return next(
        (a for a in of_plan(conn, pin.id, ApprovalState.APPROVED) if a.covers(pin, at)), None
    )


def last_word(conn: sa.Connection, capability: str, pin: PlanPin) -> Approval | None:
    """What the owner decided last about a capability under exactly ``pin``."""
    decided = (ApprovalState.APPROVED, ApprovalState.DECLINED, ApprovalState.CONSUMED)
    about = (each for each in of_plan(conn, pin.id, *decided) if each.pin == pin)
    return next((each for each in about if each.capability == capability), None)


def request(tx: Transaction, new: NewApproval, at: datetime) -> str:
    """Ask; asking again for the same plan, hash and revision gives the same request."""
    for waiting in of_plan(tx.conn, new.pin.id, ApprovalState.REQUESTED):
        if waiting.pin == new.pin and waiting.expires_at > at:
            return waiting.id
        end(tx, waiting.id, ApprovalState.LAPSED, "the plan changed or the time ran out", at)
    id_ = new_id("apr")
    tx.conn.execute(
        approval.insert().values(
            id=id_,
            capability=new.capability,
            plan_type=new.pin.type,
            plan=new.pin.id,
            payload_hash=new.pin.payload_hash,
            revision=new.pin.revision,
            state=ApprovalState.REQUESTED,
            requested_by=new.requested_by,
            run=new.run,
            call_id=new.call_id,
            card=new.card,
            created_at=at,
            expires_at=new.expires_at,
        )
    )
    return id_


def decide(
    tx: Transaction, id_: str, *, approved: bool, by: str, reason: str | None, at: datetime
) -> bool:
    """Record the owner's decision; false when somebody decided first or it is no longer open."""
    done = tx.conn.execute(
        approval.update()
        .where(approval.c.id == id_, approval.c.state == ApprovalState.REQUESTED)
        .values(
            state=ApprovalState.APPROVED if approved else ApprovalState.DECLINED,
            decided_by=by,
            decided_at=at,
            reason=reason,
        )
    )
    return done.rowcount == 1


def consume(tx: Transaction, id_: str, by_invocation: str) -> None:
    """Use an approval up; only a success does so."""
    tx.conn.execute(
        approval.update()
        .where(approval.c.id == id_, approval.c.state == ApprovalState.APPROVED)
        .values(state=ApprovalState.CONSUMED, consumed_by=by_invocation)
    )


def fulfil(tx: Transaction, held: Approval, *, by: str, invocation: str, at: datetime) -> None:
    """Use up what is open about a plan that was carried out otherwise; ``by`` needed no yes."""
    tx.conn.execute(
        approval.update()
        .where(approval.c.id == held.id, approval.c.state.in_(OPEN))
        .values(
            state=ApprovalState.CONSUMED,
            consumed_by=invocation,
            decided_by=held.decided_by or by,
            decided_at=held.decided_at or at,
        )
    )


def end(tx: Transaction, id_: str, state: ApprovalState, reason: str, at: datetime) -> None:
    """Withdraw or lapse what has not been used."""
    tx.conn.execute(
        approval.update()
        .where(
            approval.c.id == id_,
            approval.c.state.in_(OPEN),
        )
        .values(state=state, reason=reason, decided_at=at)
    )
