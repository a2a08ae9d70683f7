"""Torrent files and magnets that somebody gives: they go the same way as what indexers offer."""

from typing import Final

from capabilities.adapters.downloader.torrent_file import Torrent
from capabilities.kernel.context import Context
from capabilities.release.standard import standard
from capabilities.release.verdict import stored_verdict
from capabilities.rules.found import Found
from capabilities.rules.stored import found_json
from ledger.stores import releases
from ledger.stores.releases import NewRelease, ReleaseRow
from ledger.writer import Transaction

BY_HAND: Final = "given by hand"
"""In place of an indexer's name."""


async def keep_by_hand(torrent: Torrent, context: Context) -> ReleaseRow | None:
    """Keep what was given as a release of its own, for whoever may plan with it; else None."""
    if not context.actor.may("plan"):
        return None
    by = await standard(None, context)
    found = Found(
        title=torrent.name,
        indexer=BY_HAND,
        guid=torrent.hashes.key,
        info_hash=torrent.hashes.key,
        size=torrent.size,
    )
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
