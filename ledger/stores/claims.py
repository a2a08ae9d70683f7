"""Claims: an effect is written down before it happens and settled once.

The states are running, succeeded, failed, pending and unknown. A claim is identified by its key;
a settlement must carry the claim's token, so that a worker that was overtaken changes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ledger.clock import new_id, new_token
from ledger.prepared import Prepared
from ledger.stores.rows import one, select, value, values
from ledger.tables.effects import invocation
from ledger.writer import Transaction

NOT_DONE = "verified_not_done"
"""The evidence mark of a claim that a probe found undone: its key may be claimed again."""
TRY_AGAIN = "may_be_tried_again"
"""The mark of a failure whose handler said so: an attempt under the same key goes on from it."""
LEFT_PARTLY = "left_partly_done"
"""The mark of a failure that left something behind in the world, so that it took of a budget."""


class ClaimState(StrEnum):
    """What is known about an effect."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    PENDING = "pending"
    UNKNOWN = "unknown"


UNSETTLED = (ClaimState.RUNNING, ClaimState.UNKNOWN, ClaimState.PENDING)
UNKNOWN_FIRST = (
    sa.case((invocation.c.state == ClaimState.UNKNOWN, 0), else_=1),
    invocation.c.claimed_at.desc(),
)


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
    bytes_reserved: int | None = None


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
    bytes_reserved: int | None = None

    @property
    def free_again(self) -> bool:
        """The same key may try again: a probe found nothing done, or the handler said so."""
        evidence = self.evidence or {}
        free = evidence.get(NOT_DONE) is True or evidence.get(TRY_AGAIN) is True
        return self.state == ClaimState.FAILED and free

    @property
    def left_partly(self) -> bool:
        """Something of it, or of an earlier attempt at it, was left behind in the world."""
        return (self.evidence or {}).get(LEFT_PARTLY) is True


class Held(NamedTuple):
    """A claim as somebody holds it: nobody else's token is good."""

    id: str
    token: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a claim ends."""

    state: ClaimState
    result: Mapping[str, object] | None = None
    code: str | None = None
    sentence: str | None = None
    evidence: Mapping[str, object] | None = None


# Statements of every effect's way, built once: building one costs more than running it.
_UNDECIDED = dict.fromkeys(("settled_at", "result", "code", "sentence", "evidence"))
_INSERT_UNLESS_THERE = Prepared(
    {
        dialect: insert(invocation).on_conflict_do_nothing(index_elements=["key"])
        for dialect, insert in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
    },
    columns=tuple(Claim.__dataclass_fields__),
)
_OPEN = sa.or_(*(invocation.c.state == state for state in UNSETTLED))
_SETTLE = Prepared(
    dict.fromkeys(
        ("sqlite", "postgresql"),
        invocation.update()
        .where(invocation.c.id == sa.bindparam("of"), invocation.c.token == sa.bindparam("under"))
        .where(_OPEN)
        .values({name: sa.bindparam(f"now_{name}") for name in ("state", *_UNDECIDED)}),
    )
)


def _newest(*where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    return select(invocation, Claim, *where).order_by(invocation.c.claimed_at.desc()).limit(1)


_BY_CALL = _newest(
    invocation.c.principal == sa.bindparam("principal"),
    invocation.c.call_id == sa.bindparam("call_id"),
)
_BY_REQUEST = _newest(invocation.c.request == sa.bindparam("request"))
_UNSETTLED_ON = _newest(invocation.c.natural_key == sa.bindparam("natural_key"), _OPEN)


def by_id(conn: sa.Connection, id_: str) -> Claim | None:
    """The claim with this id."""
    return one(conn, invocation, Claim, id=id_)


def by_key(conn: sa.Connection, key: str) -> Claim | None:
    """The claim that holds this idempotency key."""
    return one(conn, invocation, Claim, key=key)


def by_call(conn: sa.Connection, principal: str, call_id: str) -> Claim | None:
    """The claim that one call of a principal wrote."""
    return _first(conn, _BY_CALL, principal=principal, call_id=call_id)


def by_request(conn: sa.Connection, request: str) -> Claim | None:
    """The newest claim booked under a request."""
    return _first(conn, _BY_REQUEST, request=request)


def unsettled_on(conn: sa.Connection, natural_key: str) -> Claim | None:
    """The newest claim that is running, unknown or pending on the same thing in the world."""
    return _first(conn, _UNSETTLED_ON, natural_key=natural_key)


def in_state(conn: sa.Connection, state: ClaimState, *, limit: int | None = None) -> list[Claim]:
    """Claims in ``state``, oldest first, all of them without a ``limit``."""
    rows = conn.execute(
        select(invocation, Claim, invocation.c.state == state)
        .order_by(invocation.c.claimed_at, invocation.c.id)
        .limit(limit)
    )
    return values(Claim, rows)


def running_of(conn: sa.Connection, worker: str) -> list[Held]:
    """The running claims of one worker, as they are held."""
    rows = conn.execute(
        sa.select(invocation.c.id, invocation.c.token).where(
            invocation.c.state == ClaimState.RUNNING, invocation.c.worker == worker
        )
    )
    return [Held(row.id, row.token) for row in rows]


def of_run(conn: sa.Connection, run: str) -> list[Claim]:
    """All claims of one run, oldest first."""
    rows = conn.execute(
        select(invocation, Claim, invocation.c.run == run).order_by(invocation.c.claimed_at)
    )
    return values(Claim, rows)


def newest(conn: sa.Connection, *, limit: int = 50) -> list[Claim]:
    """The newest claims, those of unknown outcome first."""
    rows = conn.execute(select(invocation, Claim).order_by(*UNKNOWN_FIRST).limit(limit))
    return values(Claim, rows)


def claim(tx: Transaction, new: NewClaim, at: datetime) -> Claim:
    """Write a claim; the caller has looked, in this transaction, that its key is free.

    A key whose earlier attempt was verified as not done is taken over as the next attempt; that an
    earlier one left something behind stays with it.
    """
    row: dict[str, Any] = {
        **{name: getattr(new, name) for name in NewClaim.__dataclass_fields__},
        "id": new_id("inv"),
        "attempt": 1,
        "state": ClaimState.RUNNING,
        "token": new_token(),
        "claimed_at": at,
        **_UNDECIDED,
    }
    if _INSERT_UNLESS_THERE.run(tx.conn, row) == 0:
        _take_over(tx, row)
    return Claim(**row)


def _take_over(tx: Transaction, row: dict[str, Any]) -> None:
    """Make ``row`` the next attempt of the claim that holds its key."""
    earlier = by_key(tx.conn, row["key"])
    if earlier is None:
        raise LookupError("a key is taken and free at one time")
    row |= {"id": earlier.id, "attempt": earlier.attempt + 1}
    if earlier.left_partly:
        row["evidence"] = {LEFT_PARTLY: True}
    tx.conn.execute(invocation.update().where(invocation.c.id == earlier.id).values(**row))


def settle(tx: Transaction, id_: str, token: str, end: Settlement, at: datetime) -> bool:
    """End a claim; false, and nothing changed, when the token is no longer the claim's."""
    done = _SETTLE.run(
        tx.conn,
        {
            "of": id_,
            "under": token,
            "now_state": end.state,
            "now_result": end.result,
            "now_code": end.code,
            "now_sentence": end.sentence,
            "now_evidence": end.evidence,
            "now_settled_at": None if end.state in UNSETTLED else at,
        },
    )
    return done == 1


def disown(tx: Transaction, worker: str) -> list[str]:
    """Make every running claim of other workers than ``worker`` unknown, under a new token.

    For the process that holds the home's lock: whoever wrote those claims is dead, and a late
    settlement of theirs matches nothing any more.
    """
    return _taken_from(tx, invocation.c.worker != worker)


def disown_worker(tx: Transaction, worker: str) -> list[str]:
    """Make every running claim of one dead worker unknown, under a new token; returns their ids.

    For whoever has seen that the worker no longer beats. A worker that was only asleep may wake
    up afterwards: what it then settles matches nothing and is kept as evidence.
    """
    return _taken_from(tx, invocation.c.worker == worker)


def _taken_from(tx: Transaction, whose: sa.ColumnElement[bool]) -> list[str]:
    left = tx.conn.execute(
        sa.select(invocation.c.id)
        .where(invocation.c.state == ClaimState.RUNNING, whose)
        .order_by(invocation.c.claimed_at, invocation.c.id)
    ).scalars()
    ids = list(left)
    for id_ in ids:
        make_unknown(tx, id_, "The process that began it ended before it could be settled.")
    return ids


def take_up(tx: Transaction, id_: str, token: str, worker: str) -> str | None:
    """Let ``worker`` carry on what an unknown claim began; returns the token it settles with.

    None when the claim is no longer unknown under ``token``: somebody else is at it.
    """
    fresh = new_token()
    taken = tx.conn.execute(
        invocation.update()
        .where(invocation.c.id == id_, invocation.c.token == token)
        .where(invocation.c.state == ClaimState.UNKNOWN)
        .values(state=ClaimState.RUNNING, token=fresh, worker=worker)
    )
    return fresh if taken.rowcount == 1 else None


def make_unknown(tx: Transaction, id_: str, sentence: str, token: str | None = None) -> None:
    """Take a running claim from its worker: from now on only a probe or a person settles it.

    With a ``token``, only from whoever holds it under that one: a claim that was settled or taken
    up in between is left alone.
    """
    held = [] if token is None else [invocation.c.token == token]
    tx.conn.execute(
        invocation.update()
        .where(invocation.c.id == id_, invocation.c.state == ClaimState.RUNNING, *held)
        .values(state=ClaimState.UNKNOWN, token=new_token(), sentence=sentence)
    )


def _first(conn: sa.Connection, newest_first: sa.Select[Any], **equal: object) -> Claim | None:
    row = conn.execute(newest_first, equal).first()
    return None if row is None else value(Claim, row)
