"""The house's switches: whether anything acts by itself, and whether anything acts at all."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa

from ledger.stores.rows import select, value
from ledger.tables.effects import house_switch
from ledger.writer import Transaction


class SwitchName(StrEnum):
    """``master``: off, nothing acts but the owner's own hand. ``read_only``: on, nothing acts."""

    MASTER = "master"
    READ_ONLY = "read_only"


USUAL = {SwitchName.MASTER: True, SwitchName.READ_ONLY: False}
"""How each stands until somebody turns it."""


@dataclass(frozen=True, slots=True)
class Switch:
    """How a switch stands; by whom, when and why is None until it was turned."""

    name: SwitchName
    on: bool
    set_by: str | None
    set_at: datetime | None
    reason: str | None


def get(conn: sa.Connection, name: SwitchName) -> Switch:
    """How one switch stands."""
    row = conn.execute(select(house_switch, Switch, house_switch.c.name == name)).first()
    return Switch(name, USUAL[name], None, None, None) if row is None else value(Switch, row)


def every(conn: sa.Connection) -> list[Switch]:
    """How all of them stand."""
    return [get(conn, name) for name in SwitchName]


def turn(
    tx: Transaction, name: SwitchName, *, on: bool, by: str, reason: str, at: datetime
) -> None:
    """Set a switch; what is set counts from the first claim after this commits."""
    columns = {"on": on, "set_by": by, "set_at": at, "reason": reason}
    known = tx.conn.execute(
        house_switch.update().where(house_switch.c.name == name).values(**columns)
    )
    if known.rowcount == 0:
        tx.conn.execute(house_switch.insert().values(name=name, **columns))
