"""Claims as they are listed and counted for people."""

from dataclasses import dataclass

import sqlalchemy as sa

from ledger.stores.claims import UNKNOWN_FIRST, Claim, ClaimState
from ledger.stores.rows import select, values
from ledger.tables.effects import invocation


@dataclass(frozen=True, slots=True)
class Sought:
    """Which claims are listed; what is None is not asked for."""

    state: ClaimState | None = None
    capability: str | None = None
    run: str | None = None


def listing(
    conn: sa.Connection, sought: Sought, *, limit: int = 50, offset: int = 0
) -> tuple[list[Claim], int]:
    """Claims, those of unknown outcome first and then the newest, and how many there are in all."""
    where = [
        invocation.c[name] == wanted
        for name in Sought.__dataclass_fields__
        if (wanted := getattr(sought, name)) is not None
    ]
    rows = conn.execute(
        select(invocation, Claim, *where)
        .order_by(*UNKNOWN_FIRST, invocation.c.id)
        .limit(limit)
        .offset(offset)
    )
    total = conn.execute(sa.select(sa.func.count()).select_from(invocation).where(*where))
    return values(Claim, rows), total.scalar_one()


def totals(conn: sa.Connection) -> dict[ClaimState, int]:
    """How many claims are in each state; states of none are left out."""
    rows = conn.execute(sa.select(invocation.c.state, sa.func.count()).group_by(invocation.c.state))
    return {ClaimState(state): number for state, number in rows}
