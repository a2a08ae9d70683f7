"""Runs that were begun for one decision, and what that alone allows them."""

from typing import Final

from capabilities.kernel.actors import Actor
from capabilities.kernel.targets import Target
from ledger.database import Snapshot
from ledger.stores import decisions, runs
from ledger.stores.decisions import WAITING
from ledger.stores.runs import OVER

IDENTIFY: Final = "identify"
ASSIGN: Final = "organize.assign_identity"


def trigger_of(decision: str) -> str:
    """What the row of an identification run says of why it was begun."""
    return f"{IDENTIFY}:{decision}"


def bound_decision(conn: Snapshot, actor: Actor, target: Target | None) -> str | None:
    """The decision by which an identification run may assign what it found.

    Only that one, only while it waits, and only while the run is under way. None for everybody
    else, and for every other act.
    """
    named = None if target is None else target.facts.get("decision")
    if actor.kind != "run" or not isinstance(named, str):
        return None
    run, asked = runs.by_id(conn, actor.id), decisions.by_id(conn, named)
    if run is None or asked is None or run.state in OVER or asked.state not in WAITING:
        return None
    return asked.id if run.trigger == trigger_of(asked.id) else None
