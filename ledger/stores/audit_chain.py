"""The chains that audit rows hang on: one for each writer, each link bound to the one before.

A link's hash is the SHA-256 of canonical JSON (keys sorted, no spaces, ASCII): the previous hash,
the chain, the link, and every column of the row that is not null. A chain opens with the newest
link that there was; several processes may write at once, each only to its own chain. What holds of
a chain is proved by `ledger.stores.audit_proof`.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from ledger.tables.effects import audit, audit_chain
from ledger.writer import Transaction

START = "start"
"""What the very first chain opens with."""

HASHED = tuple(column.name for column in audit.c if column.name not in {"seq", "hash"})

_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode

_HEAD = sa.select(audit_chain.c.links, audit_chain.c.head).where(
    audit_chain.c.id == sa.bindparam("of")
)
_GROW = (
    audit_chain.update()
    .where(audit_chain.c.id == sa.bindparam("of"))
    .values(links=sa.bindparam("now_links"), head=sa.bindparam("now_head"))
)
_NEWEST = (
    sa.select(audit.c.chain, audit.c.link, audit.c.hash)
    .where(audit.c.chain.is_not(None))
    .order_by(audit.c.seq.desc())
    .limit(1)
)


def reference(chain: str, link: int, hash_: str) -> str:
    """One link of one chain, as a chain names the link that it opens with."""
    return f"{chain}:{link}:{hash_}"


def link_hash(previous: str, row: Mapping[str, Any]) -> str:
    """The hash of a row, its chain and link included; ``previous`` is that of the link before."""
    held = {name: row[name] for name in HASHED if row[name] is not None}
    whole = {**held, "at": _spelled(row["at"]), "previous": previous}
    return hashlib.sha256(_canonical(whole).encode("ascii")).hexdigest()


def linked(tx: Transaction, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows as links of the writer's chain, whose record grows in the same transaction."""
    chain = tx.writer
    end = tx.conn.execute(_HEAD, {"of": chain}).first()
    opening = _opening(tx.conn) if end is None else ""
    link, head = (0, opening) if end is None else (end.links, end.head)
    made: list[dict[str, Any]] = []
    for row in rows:
        link += 1
        bound = {**row, "summary": _as_read(row["summary"]), "chain": chain, "link": link}
        head = link_hash(head, bound)
        made.append({**bound, "hash": head})
    if end is None:
        tx.conn.execute(
            audit_chain.insert().values(
                id=chain, opened_with=opening, opened_at=rows[0]["at"], links=link, head=head
            )
        )
    else:
        tx.conn.execute(_GROW, {"of": chain, "now_links": link, "now_head": head})
    return made


def _opening(conn: sa.Connection) -> str:
    newest = conn.execute(_NEWEST).first()
    return START if newest is None else reference(*newest)


def _spelled(at: datetime) -> str:
    """In UTC, to the microsecond, which is what both databases keep."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _as_read(document: object) -> Any:
    """A document as it will come back: keys are strings, sequences are lists, NaN is refused."""
    return json.loads(json.dumps(document, allow_nan=False)) if document else {}
