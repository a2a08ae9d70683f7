"""Torrent files and magnets that somebody gives: they go the same way as what indexers offer."""

from capabilities.adapters.downloader.torrent_file import Torrent
from capabilities.kernel.context import Context
from capabilities.release.standard import standard
from capabilities.release.verdict import stored_verdict
from capabilities.rules.by_hand import BY_HAND, as_offered
from capabilities.rules.found import Found
from capabilities.rules.stored import found_from, found_json
from ledger.stores import releases
from ledger.stores.releases import NewRelease, ReleaseRow
from ledger.writer import Transaction


async def keep_by_hand(torrent: Torrent, context: Context) -> ReleaseRow | None:
    """Keep what was given as a release of its own, for whoever may plan with it; else None.

    It is kept with what indexers said of the same torrent, and is as old as its first giving.
    """
    if not context.actor.may("plan"):
        return None
    by = await standard(None, context)
    found = await _found(torrent, context)
    judgement = None if by is None else stored_verdict(found, by, context)

    def write(tx: Transaction) -> str:
        new = NewRelease(
            indexer=found.indexer,
            guid=found.guid,
            title=found.title,
            size=found.size,
            info_hash=found.info_hash,
            found=found_json(found),
            work=None,
            judgement=judgement,
        )
        id_ = releases.keep(tx, new, context.ledger.now())
        releases.keep_torrent(tx, id_, torrent.raw, torrent.hashes.key)
        return id_

    id_ = await context.ledger.write(write)
    return await context.ledger.read(lambda conn: releases.by_id(conn, id_))


async def _found(torrent: Torrent, context: Context) -> Found:
    key = torrent.hashes.key
    given = Found(title=torrent.name, indexer=BY_HAND, guid=key, info_hash=key, size=torrent.size)
    names = torrent.hashes.names()
    rows = await context.ledger.read(lambda conn: releases.naming(conn, names))
    now = context.ledger.now()
    first = await context.ledger.read(lambda conn: releases.first_published(conn, BY_HAND, key))
    offers = [found_from(row.found) for row in rows if row.indexer != BY_HAND]
    return as_offered(given, offers, now if first is None else first)
