"""What must hold in every ledger, whatever happened to it: a checker over whole histories.

The crash harness, the tests with several workers and any test that likes may run it at the end.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import combinations

import sqlalchemy as sa

from ledger.stores import approvals, claims
from ledger.stores.approvals import Approval, ApprovalState
from ledger.stores.claims import UNSETTLED, Claim, ClaimState
from ledger.stores.rows import select, values
from ledger.tables.effects import approval, audit, invocation, owner_grant
from ledger.tables.runs import event

SETTLED = (ClaimState.SUCCEEDED, ClaimState.FAILED)
USABLE = (ApprovalState.APPROVED, ApprovalState.CONSUMED)


def check_history(conn: sa.Connection) -> list[str]:
    """Every violation in the ledger behind ``conn``, as a sentence; an empty list is a pass.

    Looked at: two claims on one thing at one time, settlements without or with more than one
    audit row per attempt, approvals that were used without a success, successes by authority
    that was dead when it was claimed, and gaps in the events of a run. What retention removed is
    judged by the audit rows that stay.
    """
    held = values(Claim, conn.execute(select(invocation, Claim)))
    return [
        *_overlaps(held),
        *_settlements(conn, held),
        *_uses(conn),
        *_authority(conn, held),
        *_gaps(conn),
    ]


def _overlaps(held: Iterable[Claim]) -> Iterator[str]:
    about: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in held:
        if claim.natural_key is not None:
            about[claim.natural_key].append(claim)
    for key, those in about.items():
        for one, other in combinations(sorted(those, key=lambda claim: claim.claimed_at), 2):
            if _at_once(one, other):
                yield f"{one.id} and {other.id} were both under way on {key}."


def _at_once(one: Claim, other: Claim) -> bool:
    """Whether two claims on one thing were open at one moment; ``one`` began first.

    A claim that was tried again has lost the times of its earlier attempts.
    """
    if one.state in UNSETTLED and other.state in UNSETTLED:
        return True
    return _end(one) > other.claimed_at and _end(other) > one.claimed_at


def _end(claim: Claim) -> datetime:
    return claim.settled_at or datetime.max.replace(tzinfo=claim.claimed_at.tzinfo)


def _settlements(conn: sa.Connection, held: Iterable[Claim]) -> Iterator[str]:
    rows = conn.execute(
        sa.select(audit.c.invocation, audit.c.summary).where(
            audit.c.action == "settled", audit.c.outcome.in_(SETTLED)
        )
    )
    told = Counter((row.invocation, row.summary.get("attempt")) for row in rows)
    for claim in held:
        over = claim.attempt if claim.state in SETTLED else claim.attempt - 1
        for attempt in range(1, claim.attempt + 1):
            expected, found = int(attempt <= over), told[claim.id, attempt]
            if found != expected:
                yield (
                    f"Attempt {attempt} of {claim.id} ({claim.state}) has {found} audit rows of "
                    f"its settlement, not {expected}."
                )
        if (claim.settled_at is None) != (claim.state in UNSETTLED):
            yield f"{claim.id} is {claim.state} and was settled at {claim.settled_at}."


def _uses(conn: sa.Connection) -> Iterator[str]:
    used = approval.c.state == ApprovalState.CONSUMED
    for each in values(Approval, conn.execute(select(approval, Approval, used))):
        if each.consumed_by is None or not _succeeded(conn, each.consumed_by):
            yield f"{each.id} was used up by {each.consumed_by}, which did not succeed."


def _succeeded(conn: sa.Connection, id_: str) -> bool:
    claim = claims.by_id(conn, id_)
    if claim is not None:
        return claim.state is ClaimState.SUCCEEDED
    audited = sa.select(audit.c.seq).where(
        audit.c.invocation == id_,
        audit.c.action == "settled",
        audit.c.outcome == ClaimState.SUCCEEDED,
    )
    return conn.execute(audited.limit(1)).first() is not None


def _authority(conn: sa.Connection, held: Iterable[Claim]) -> Iterator[str]:
    for claim in held:
        if claim.state is ClaimState.SUCCEEDED and claim.authority is not None:
            why = _dead_approval(conn, claim) or _dead_grant(conn, claim)
            if why is not None:
                yield f"{claim.id} succeeded by {claim.authority}, {why}."


def _dead_approval(conn: sa.Connection, claim: Claim) -> str | None:
    found = approvals.by_id(conn, claim.authority or "")
    if found is None:
        return None
    if found.state not in USABLE and (found.decided_at or found.created_at) <= claim.claimed_at:
        return f"which was {found.state} by then"
    if found.plan != claim.plan:
        follows = found.state is ApprovalState.CONSUMED
        return None if follows else "which is about another plan and was never used for it"
    return None if found.expires_at > claim.claimed_at else "which had run out"


def _dead_grant(conn: sa.Connection, claim: Claim) -> str | None:
    found = conn.execute(
        sa.select(owner_grant.c.expires_at, owner_grant.c.withdrawn_at).where(
            owner_grant.c.id == claim.authority
        )
    ).first()
    if found is None:
        return None
    if found.withdrawn_at is not None and found.withdrawn_at <= claim.claimed_at:
        return "which had been withdrawn"
    over = found.expires_at is not None and found.expires_at <= claim.claimed_at
    return "which had run out" if over else None


def _gaps(conn: sa.Connection) -> Iterator[str]:
    counted = conn.execute(
        sa.select(
            event.c.run,
            sa.func.count().label("rows"),
            sa.func.count(event.c.run_seq.distinct()).label("numbers"),
            sa.func.min(event.c.run_seq).label("first"),
            sa.func.max(event.c.run_seq).label("last"),
        )
        .where(event.c.run.is_not(None))
        .group_by(event.c.run)
    )
    for row in counted:
        if (row.first, row.rows, row.numbers) != (1, row.last, row.last):
            yield (
                f"The events of {row.run} go from {row.first} to {row.last} in {row.rows} rows "
                f"with {row.numbers} numbers."
            )
