"""All tables together; importing this module is what declares them."""

import sqlalchemy as sa

from ledger.tables import (
    access,
    contacts,
    effects,
    libraries,
    media,
    runs,
    schema,
    work_to_do,
    workers,
)

FAMILIES = (access, contacts, effects, libraries, media, runs, work_to_do, workers)


def declared() -> sa.MetaData:
    """The tables that migrations from zero must arrive at, exactly."""
    return schema.metadata
