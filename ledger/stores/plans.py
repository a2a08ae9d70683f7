"""Plans: what is proposed, exactly, so that an approval can bind to it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ledger.stores.approvals import PlanPin
from ledger.stores.rows import one, select, values
from ledger.tables.media import plan
from ledger.writer import Transaction


class PlanState(StrEnum):
    """The life of a plan."""

    DRAFT = "draft"
    RESERVED = "reserved"
    SUBMITTED = "submitted"
    SUPERSEDED = "superseded"
    FROZEN = "frozen"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Plan:
    """A row of the ledger; ``card`` is what the owner is shown, built from fields only."""

    id: str
    type: str
    state: PlanState
    revision: int
    payload_hash: str
    payload: dict[str, Any]
    card: dict[str, Any]
    parent: str | None
    run: str | None
    created_by: str
    created_at: datetime

    @property
    def pin(self) -> PlanPin:
        """What an approval of this plan binds to."""
        return PlanPin(self.type, self.id, self.payload_hash, self.revision)


def payload_hash(payload: Mapping[str, object]) -> str:
    """SHA-256 of the payload's canonical JSON (sorted keys, no spaces, UTF-8), in hexadecimal."""
    canonical = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def by_id(conn: sa.Connection, id_: str) -> Plan | None:
    """The plan with this id."""
    return one(conn, plan, Plan, id=id_)


def of_run(conn: sa.Connection, run: str) -> list[Plan]:
    """The plans one run made, oldest first."""
    return values(
        Plan, conn.execute(select(plan, Plan, plan.c.run == run).order_by(plan.c.created_at))
    )


def children(conn: sa.Connection, parent: str) -> list[Plan]:
    """Plans that follow from another one."""
    return values(Plan, conn.execute(select(plan, Plan, plan.c.parent == parent)))


def in_state(conn: sa.Connection, type_: str, state: PlanState) -> list[Plan]:
    """The plans of one type that are in a state, oldest first."""
    where = (plan.c.type == type_, plan.c.state == state)
    return values(Plan, conn.execute(select(plan, Plan, *where).order_by(plan.c.created_at)))


def add(tx: Transaction, new: Plan) -> None:
    """Store a plan; its hash is computed from its payload here, whatever the caller held."""
    tx.conn.execute(
        plan.insert().values(
            id=new.id,
            type=new.type,
            state=new.state,
            revision=new.revision,
            payload_hash=payload_hash(new.payload),
            payload=new.payload,
            card=new.card,
            parent=new.parent,
            run=new.run,
            created_by=new.created_by,
            created_at=new.created_at,
        )
    )


def move(tx: Transaction, id_: str, state: PlanState) -> None:
    """Change a plan's state; its payload never changes (a changed plan is a new plan)."""
    tx.conn.execute(plan.update().where(plan.c.id == id_).values(state=state))
