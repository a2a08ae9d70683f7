"""Excerpts of the ledger for whoever helps its owner: counts, and the newest rows of a few tables.

What a table's columns hold is known here: which of them are facts of the machinery, and which may
tell what the owner watches. No column is shown that is not named.
"""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ledger.tables.declared import declared
from ledger.tables.effects import audit, invocation
from ledger.tables.media import asset, download, release, work
from ledger.tables.runs import agent_run
from ledger.tables.work_to_do import decision, segment, task
from ledger.tables.workers import lease, worker


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A table's columns that may be shown, newest first by `order`.

    Attributes:
        facts: ids, states, codes and moments.
        telling: free text and documents, in which titles stand.
    """

    table: sa.Table
    order: str
    facts: tuple[str, ...]
    telling: tuple[str, ...] = ()


EXCERPTS = (
    Excerpt(
        audit,
        "seq",
        (
            "seq",
            "at",
            "actor",
            "action",
            "capability",
            "outcome",
            "authority",
            "invocation",
            "run",
            "chain",
            "link",
        ),
        ("summary",),
    ),
    Excerpt(
        invocation,
        "claimed_at",
        (
            "id",
            "capability",
            "version",
            "actor",
            "principal",
            "run",
            "state",
            "worker",
            "attempt",
            "plan",
            "plan_revision",
            "authority",
            "code",
            "bytes_reserved",
            "claimed_at",
            "settled_at",
        ),
        ("natural_key", "target", "result", "sentence", "evidence"),
    ),
    Excerpt(
        decision,
        "created_at",
        (
            "id",
            "kind",
            "severity",
            "state",
            "approval",
            "run",
            "created_at",
            "resolved_at",
            "resolved_by",
        ),
        ("title", "evidence", "options", "subject", "resolution"),
    ),
    Excerpt(
        task,
        "created_at",
        ("id", "kind", "state", "attempts", "next_try_at", "created_at", "ended_at"),
        ("subject", "steps", "last_error"),
    ),
    Excerpt(
        segment,
        "subject",
        ("kind", "subject", "n", "epoch", "tries", "state", "failures", "priority"),
        ("last_error",),
    ),
    Excerpt(worker, "started_at", tuple(worker.c.keys())),
    Excerpt(lease, "taken_at", tuple(lease.c.keys())),
)

_TITLES = (
    work.c.title,
    release.c.title,
    download.c.name,
    agent_run.c.goal,
    decision.c.title,
    asset.c.path,
)


def counts(conn: sa.Connection) -> dict[str, int]:
    """How many rows each table has."""
    return {
        table.name: conn.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        for table in declared().sorted_tables
    }


def newest(conn: sa.Connection, *, limit: int, titles: bool) -> dict[str, list[dict[str, Any]]]:
    """The newest rows of the tables that tell how the house works, by table.

    Without `titles` the columns in which titles may stand are left out.
    """
    return {each.table.name: _rows(conn, each, limit, titles=titles) for each in EXCERPTS}


def titles(conn: sa.Connection) -> set[str]:
    """Every text by which the ledger knows what the owner has, wants or asked for."""
    return {text for column in _TITLES for (text,) in conn.execute(sa.select(column).distinct())}


def database_version(conn: sa.Connection) -> str:
    """The database's kind and version."""
    numbers = conn.dialect.server_version_info or ()
    return f"{conn.dialect.name} {'.'.join(str(number) for number in numbers)}"


def _rows(
    conn: sa.Connection, excerpt: Excerpt, limit: int, *, titles: bool
) -> list[dict[str, Any]]:
    names = excerpt.facts + (excerpt.telling if titles else ())
    columns = [excerpt.table.c[name] for name in names]
    order = excerpt.table.c[excerpt.order].desc()
    found = conn.execute(sa.select(*columns).order_by(order).limit(limit))
    return [dict(zip(names, row, strict=True)) for row in found]
