"""Offers that come again count as published when they were the first time."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from capabilities.kernel.context import Context
from capabilities.rules.delaying import dated
from capabilities.rules.found import Found
from ledger.stores import releases


async def as_first_seen(offers: Sequence[Found], now: datetime, context: Context) -> list[Found]:
    """The offers, each with the earliest publication time that is known of it.

    One that says it comes from the future was published when it was found first, so that a delay
    does not begin anew with every search.
    """
    seen = await context.ledger.read(
        lambda conn: [releases.first_published(conn, one.indexer, one.guid) for one in offers]
    )
    return [_since(dated(one, now), first) for one, first in zip(offers, seen, strict=True)]


def _since(found: Found, first: datetime | None) -> Found:
    if first is None or (found.published is not None and found.published <= first):
        return found
    return replace(found, published=first)
