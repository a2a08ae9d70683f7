"""Blocks that a torrent runs into as the blocklist stands now, whatever its indexer calls it."""

from dataclasses import replace

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acquisition import Acquisition
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.found import Found
from capabilities.rules.outside_text import cleaned
from capabilities.rules.standing import Block, blocked_as
from capabilities.rules.stored import found_from
from ledger.stores import blocklist, releases
from ledger.stores.blocklist import BlockRow
from ledger.stores.plans import Plan


async def blocks_on(
    found: Found, hashes: InfoHashes, work_id: str, context: Context
) -> list[BlockRow]:
    """The standing entries, for this work or for all, that hit an offer with these hashes."""
    standing = await context.ledger.read(lambda conn: blocklist.standing(conn, work_id))
    blocks = [Block(one.reason, one.info_hash, one.title, one.indexer) for one in standing]
    real = replace(found, info_hash=blocked_as(blocks, hashes.names()) or hashes.key)
    return [row for row, block in zip(standing, blocks, strict=True) if block.hits(real)]


async def refuse_blocked_since(plan: Plan, wanted: Acquisition, context: Context) -> None:
    """Let nothing be fetched that was blocked after its plan was made, whoever made it.

    What was blocked before was planned by the owner in spite of that: nobody else can.

    Raises:
        HaltError: refused; it is on the blocklist by now.
    """
    row = await context.ledger.read(lambda conn: releases.by_id(conn, wanted.release))
    found = Found(wanted.title, wanted.indexer, "") if row is None else found_from(row.found)
    hashes = InfoHashes(wanted.hash_v1, wanted.hash_v2)
    hits = await blocks_on(found, hashes, wanted.work, context)
    why = [one.reason for one in hits if one.created_at >= plan.created_at]
    if why:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                "This release was put on the blocklist after it was planned: "
                f"{cleaned('; '.join(why))}. Nothing was done.",
                {"do": "Choose another release, or the owner plans it by hand again."},
            )
        )
