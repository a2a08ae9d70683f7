"""${message}."""

import sqlalchemy as sa
from alembic import op

import ledger.tables.schema

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Go forward; there is no way back but a backup."""
    ${upgrades if upgrades else "pass"}
