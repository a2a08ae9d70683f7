"""Which file on the shelf holds an episode, also one that holds several."""

import sqlalchemy as sa

from ledger.stores.verifications import placings
from ledger.tables.media import asset


def holding(conn: sa.Connection, work: str, season: int, episode: int) -> str | None:
    """The biggest file that holds a film (0, 0) or an episode.

    A file with several episodes is known by its first one; the further ones are in the record
    that placed it.
    """
    where = asset.c.season.is_(None) if not episode else asset.c.season == season
    asked = sa.select(asset.c.id, asset.c.path, asset.c.episode, asset.c.record)
    rows = conn.execute(asked.where(asset.c.work == work, where).order_by(asset.c.size.desc()))
    found = rows.all()
    if not episode:
        return found[0].id if found else None
    earlier = {row.record for row in found if row.episode is not None and row.episode < episode}
    further = {
        f"{one['folder']}/{one['target']}"
        for record in placings(conn, earlier)
        for one in record.placements
        if episode in one.get("episodes", ())
    }
    return next((row.id for row in found if row.episode == episode or row.path in further), None)
