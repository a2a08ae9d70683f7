"""Looks at libraries, adoptions that go on, and the works of the shelf in order."""

import sqlalchemy as sa
from alembic import op

import ledger.tables.schema

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_TOGETHER = 500


def upgrade() -> None:
    """Go forward; there is no way back but a backup."""
    _looks()
    op.create_table(
        "shelf_work",
        sa.Column("work", sa.String(length=48), nullable=False),
        sa.Column("kind", ledger.tables.schema.Words(), nullable=False),
        sa.Column("sort_title", ledger.tables.schema.Words(), nullable=False),
        sa.Column("year", sa.BigInteger(), nullable=False),
        sa.Column("stale", sa.Boolean(), nullable=False),
        sa.Column("gaps", sa.BigInteger(), nullable=False),
        sa.Column("airs_next", ledger.tables.schema.Words(), nullable=True),
        sa.Column("qualities", ledger.tables.schema.Words(), nullable=False),
        sa.Column("standing", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("work", name=op.f("pk_shelf_work")),
    )
    with op.batch_alter_table("shelf_work", schema=None) as batch_op:
        batch_op.create_index("ix_shelf_work_airs_next", ["airs_next"], unique=False)
        batch_op.create_index(
            "ix_shelf_work_listed",
            ["sort_title", "year", "work", "kind", "stale", "gaps", "airs_next", "qualities"],
            unique=False,
        )
        batch_op.create_index(
            "ix_shelf_work_stale",
            ["stale"],
            unique=False,
            sqlite_where=sa.text("stale IS 1"),
            postgresql_where=sa.text("stale IS true"),
        )
    with op.batch_alter_table("asset", schema=None) as batch_op:
        batch_op.create_index(
            "ix_asset_placed", ["work", "season", "episode", "quality"], unique=False
        )
    with op.batch_alter_table("slot", schema=None) as batch_op:
        batch_op.create_index("ix_slot_asset", ["asset"], unique=False)
    _fill()


def _looks() -> None:
    op.create_table(
        "survey",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("path", ledger.tables.schema.Words(), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.Column("answered", sa.BigInteger(), nullable=False),
        sa.Column("heard", sa.BigInteger(), nullable=False),
        sa.Column("unsettled", sa.Boolean(), nullable=False),
        sa.Column("seen", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("fault", ledger.tables.schema.Words(), nullable=True),
        sa.Column("begun_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("ended_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_survey")),
        sa.UniqueConstraint("path", name=op.f("uq_survey_path")),
    )
    op.create_table(
        "adoption_part",
        sa.Column("plan", sa.String(length=48), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("body", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("plan", "n", name=op.f("pk_adoption_part")),
    )


def _fill() -> None:
    """Every work of the shelf; SQL has no way of its own to fold the case of all scripts."""
    conn = op.get_bind()
    rows = conn.execute(
        sa.text(
            "SELECT id, kind, title, year FROM work"
            " WHERE id IN (SELECT work FROM asset UNION SELECT work FROM slot)"
        )
    ).fetchall()
    insert = sa.text(
        "INSERT INTO shelf_work"
        " (work, kind, sort_title, year, stale, gaps, qualities, standing)"
        " VALUES (:work, :kind, :sort_title, :year, :stale, 0, '', '{}')"
    )
    for first in range(0, len(rows), _TOGETHER):
        conn.execute(
            insert,
            [
                {
                    "work": row.id,
                    "kind": row.kind,
                    "sort_title": row.title.casefold(),
                    "year": row.year or 0,
                    "stale": True,
                }
                for row in rows[first : first + _TOGETHER]
            ],
        )
