"""Rows that a test needs to be there; what it does not care about is filled in."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from ledger.stores import plans, runs
from ledger.stores.claims import NewClaim
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction


def new_claim(**changed: Any) -> NewClaim:
    """A claim to be written, of a client's submission that follows no plan."""
    new = NewClaim(
        capability="download.submit",
        version=1,
        actor="key:local",
        principal="key:local",
        run=None,
        request="r",
        call_id="c",
        fingerprint="f",
        key="k",
        natural_key=None,
        worker="w",
        target=None,
        plan=None,
        plan_hash=None,
        plan_revision=None,
        authority=None,
    )
    return replace(new, **changed)


def new_plan(id_: str, payload: Mapping[str, Any], at: datetime, **changed: Any) -> Plan:
    """A plan to be written, drafted by a client for an acquisition."""
    plan = Plan(
        id=id_,
        type="acquisition",
        state=PlanState.DRAFT,
        revision=1,
        payload_hash=plans.payload_hash(payload),
        payload=dict(payload),
        card={"title": "Sintel"},
        parent=None,
        run=None,
        created_by="key:local",
        created_at=at,
    )
    return replace(plan, **changed)


def add_run(
    tx: Transaction,
    id_: str,
    at: datetime,
    *,
    by: str = "owner:ada",
    options: Mapping[str, object] | None = None,
) -> None:
    """Write a queued run for a goal that the owner, or a client, has set."""
    runs.add(
        tx,
        id_=id_,
        goal="Get it",
        actor=by,
        principal=by,
        trigger="user",
        options=options or {},
        at=at,
    )
