"""Blocks that a torrent runs into as the blocklist stands now, whatever its indexer calls it."""

from collections.abc import Sequence
from dataclasses import replace

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acquisition import Acquisition
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.by_hand import BY_HAND, as_offered
from capabilities.rules.found import Found
from capabilities.rules.outside_text import cleaned
from capabilities.rules.standing import Block, blocked_as
from capabilities.rules.stored import found_from
from ledger.stores import blocklist, releases
from ledger.stores.blocklist import BlockRow
from ledger.stores.releases import ReleaseRow


async def offered_as(row: ReleaseRow, hashes: InfoHashes | None, context: Context) -> list[Found]:
    """A release as it is judged; what was given by hand, then every offer of the same torrent.

    Args:
        row: the release.
        hashes: of its torrent, where it was opened.
        context: of the call.
    """
    found = found_from(row.found)
    if row.indexer != BY_HAND:
        return [found]
    names = {row.guid} if hashes is None else hashes.names()
    rows = await context.ledger.read(lambda conn: releases.naming(conn, names))
    offers = [found_from(one.found) for one in rows if one.indexer != BY_HAND]
    return [as_offered(found, offers, found.published or row.found_at), *offers]


async def blocks_on(
    offered: Sequence[Found], hashes: InfoHashes, work_id: str, context: Context
) -> list[BlockRow]:
    """The standing entries, for this work or for all, that hit a torrent under any offer of it."""
    standing = await context.ledger.read(lambda conn: blocklist.standing(conn, work_id))
    blocks = [Block(one.reason, one.info_hash, one.title, one.indexer) for one in standing]
    name = blocked_as(blocks, hashes.names()) or hashes.key
    real = [replace(found, info_hash=name) for found in offered]
    return [
        row
        for row, block in zip(standing, blocks, strict=True)
        if any(block.hits(one) for one in real)
    ]


async def refuse_newly_blocked(wanted: Acquisition, context: Context) -> None:
    """Let nothing be fetched that is blocked by what was not there when the owner planned it.

    What the plan names was planned by the owner in spite of that: nobody else can.

    Raises:
        HaltError: refused; it is on the blocklist by now.
    """
    row = await context.ledger.read(lambda conn: releases.by_id(conn, wanted.release))
    hashes = InfoHashes(wanted.hash_v1, wanted.hash_v2)
    plain = [Found(wanted.title, wanted.indexer, "")]
    offered = plain if row is None else await offered_as(row, hashes, context)
    hits = await blocks_on(offered, hashes, wanted.work, context)
    why = [one.reason for one in hits if one.id not in wanted.blocks_overruled]
    if why:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                "This release was put on the blocklist after it was planned: "
                f"{cleaned('; '.join(why))}. Nothing was done.",
                {"do": "Choose another release, or the owner plans it by hand again."},
            )
        )
