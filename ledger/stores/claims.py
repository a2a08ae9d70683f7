"""Claims: an effect is written down before it happens and settled once.

The states are running, succeeded, failed, pending and unknown. A claim is identified by its key;
a settlement must carry the claim's token, so that a worker that was overtaken changes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id, new_token
from ledger.stores.rows import select, value, values
from ledger.tables.effects import invocation
from ledger.writer import Transaction

NOT_DONE = "verified_not_done"
"""The evidence mark of a claim that a probe found undone: its key may be claimed again."""
TRY_AGAIN = "may_be_tried_again"
"""The mark of a failure whose handler said so: an attempt under the same key goes on from it."""


class ClaimState(StrEnum):
    """What is known about an effect."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    PENDING = "pending"
    UNKNOWN = "unknown"


UNSETTLED = (ClaimState.RUNNING, ClaimState.UNKNOWN, ClaimState.PENDING)


@dataclass(frozen=True, slots=True)
class NewClaim:
    """What is written before an effect; ``target`` is typed and redacted, never raw input."""

    capability: str
    version: int
    actor: str
    principal: str
    run: str | None
    request: str
    call_id: str
    fingerprint: str
    key: str
    natural_key: str | None
    worker: str
    target: Mapping[str, object] | None
    plan: str | None
    plan_hash: str | None
    plan_revision: int | None
    authority: str | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A row of the ledger."""

    id: str
    capability: str
    version: int
    actor: str
    principal: str
    run: str | None
    request: str
    call_id: str
    fingerprint: str
    key: str
    natural_key: str | None
    state: ClaimState
    token: str
    worker: str
    attempt: int
    target: dict[str, Any] | None
    plan: str | None
    plan_hash: str | None
    plan_revision: int | None
    authority: str | None
    result: dict[str, Any] | None
    code: str | None
    sentence: str | None
    evidence: dict[str, Any] | None
    claimed_at: datetime
    settled_at: datetime | None

    @property
    def free_again(self) -> bool:
        """The same key may try again: a probe found nothing done, or the handler said so."""
        evidence = self.evidence or {}
        free = evidence.get(NOT_DONE) is True or evidence.get(TRY_AGAIN) is True
        return self.state == ClaimState.FAILED and free


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a claim ends."""

    state: ClaimState
    result: Mapping[str, object] | None = None
    code: str | None = None
    sentence: str | None = None
    evidence: Mapping[str, object] | None = None


def by_id(conn: sa.Connection, id_: str) -> Claim | None:
    """The claim with this id."""
    return _one(conn, invocation.c.id == id_)


def by_key(conn: sa.Connection, key: str) -> Claim | None:
    """The claim that holds this idempotency key."""
    return _one(conn, invocation.c.key == key)


def by_call(conn: sa.Connection, principal: str, call_id: str) -> Claim | None:
    """The claim that one call of a principal wrote."""
    return _one(conn, invocation.c.principal == principal, invocation.c.call_id == call_id)


def by_request(conn: sa.Connection, request: str) -> Claim | None:
    """The newest claim booked under a request."""
    return _one(conn, invocation.c.request == request)


def unsettled_on(conn: sa.Connection, natural_key: str) -> Claim | None:
    """The newest claim that is running, unknown or pending on the same thing in the world."""
    return _one(conn, invocation.c.natural_key == natural_key, invocation.c.state.in_(UNSETTLED))


def in_state(conn: sa.Connection, state: ClaimState, *, limit: int = 200) -> list[Claim]:
    """Claims in ``state``, oldest first."""
    rows = conn.execute(
        select(invocation, Claim, invocation.c.state == state)
        .order_by(invocation.c.claimed_at)
        .limit(limit)
    )
    return values(Claim, rows)


def of_run(conn: sa.Connection, run: str) -> list[Claim]:
    """All claims of one run, oldest first."""
    rows = conn.execute(
        select(invocation, Claim, invocation.c.run == run).order_by(invocation.c.claimed_at)
    )
    return values(Claim, rows)


def newest(conn: sa.Connection, *, limit: int = 50) -> list[Claim]:
    """The newest claims, those of unknown outcome first."""
    rows = conn.execute(
        select(invocation, Claim)
        .order_by(invocation.c.state != ClaimState.UNKNOWN, invocation.c.claimed_at.desc())
        .limit(limit)
    )
    return values(Claim, rows)


def claim(tx: Transaction, new: NewClaim, at: datetime) -> Claim:
    """Write a claim; the caller has looked, in this transaction, that its key is free.

    A key whose earlier attempt was verified as not done is taken over as the next attempt.
    """
    earlier = by_key(tx.conn, new.key)
    changing = {
        **{name: getattr(new, name) for name in NewClaim.__dataclass_fields__},
        "state": ClaimState.RUNNING,
        "token": new_token(),
        "claimed_at": at,
        "settled_at": None,
        "result": None,
        "code": None,
        "sentence": None,
        "evidence": None,
    }
    if earlier is not None:
        tx.conn.execute(
            invocation.update()
            .where(invocation.c.id == earlier.id)
            .values(**changing, attempt=earlier.attempt + 1)
        )
        id_ = earlier.id
    else:
        id_ = new_id("inv")
        tx.conn.execute(invocation.insert().values(id=id_, attempt=1, **changing))
    return value(Claim, tx.conn.execute(select(invocation, Claim, invocation.c.id == id_)).one())


def settle(tx: Transaction, id_: str, token: str, end: Settlement, at: datetime) -> bool:
    """End a claim; false, and nothing changed, when the token is no longer the claim's."""
    done = tx.conn.execute(
        invocation.update()
        .where(invocation.c.id == id_, invocation.c.token == token)
        .where(invocation.c.state.in_(UNSETTLED))
        .values(
            state=end.state,
            result=end.result,
            code=end.code,
            sentence=end.sentence,
            evidence=end.evidence,
            settled_at=None if end.state in UNSETTLED else at,
        )
    )
    return done.rowcount == 1


def disown(tx: Transaction, worker: str) -> list[str]:
    """Make every running claim of other workers than ``worker`` unknown, under a new token.

    For the process that holds the home's lock: whoever wrote those claims is dead, and a late
    settlement of theirs matches nothing any more.
    """
    left = tx.conn.execute(
        sa.select(invocation.c.id).where(
            invocation.c.state == ClaimState.RUNNING, invocation.c.worker != worker
        )
    ).scalars()
    ids = list(left)
    for id_ in ids:
        make_unknown(tx, id_, "the process that began it ended before it could be settled")
    return ids


def make_unknown(tx: Transaction, id_: str, sentence: str) -> None:
    """Take a running claim from its worker: from now on only a probe or a person settles it."""
    tx.conn.execute(
        invocation.update()
        .where(invocation.c.id == id_, invocation.c.state == ClaimState.RUNNING)
        .values(state=ClaimState.UNKNOWN, token=new_token(), sentence=sentence)
    )


def _one(conn: sa.Connection, *where: sa.ColumnElement[bool]) -> Claim | None:
    row = conn.execute(
        select(invocation, Claim, *where).order_by(invocation.c.claimed_at.desc()).limit(1)
    ).first()
    return None if row is None else value(Claim, row)
