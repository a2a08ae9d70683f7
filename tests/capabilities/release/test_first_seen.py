from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from capabilities.kernel.context import Context
from capabilities.release.first_seen import as_first_seen
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.found import Found
from capabilities.rules.stored import found_json
from ledger.stores import releases
from ledger.stores.releases import NewRelease
from tests.scene import KEY, Scene
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

FOUND = Found("Sintel.2010", "loopback", "1")


async def keep(scene: Scene, found: Found) -> None:
    new = NewRelease(
        found.indexer, found.guid, found.title, None, None, found_json(found), None, None
    )
    await scene.write(lambda tx: releases.keep(tx, new, scene.ledger.now()))


async def seen(scene: Scene, found: Found, now: datetime) -> Found:
    context = Context(KEY, scene.ledger, scene.parts, "request", "call")
    (one,) = await as_first_seen([found], now, context)
    return one


@pytest.mark.anyio
async def test_a_delay_of_what_comes_from_the_future_ends(scene: Scene) -> None:
    await scene.publish(AcquisitionPolicy(delay_minutes=120))
    published = scene.ledger.now() + timedelta(days=10)
    torrent = scene.stage.seed.torrent_bytes
    offer = Offer(RELEASE, GB // 3, torrent=torrent, tmdb_id=SINTEL, published=published)
    async with scene.offering(offer) as house:
        for minutes, accepted in ((0, False), (60, False), (121, True)):
            scene.base.time.ahead = timedelta(minutes=minutes)
            (shown,) = (await house.candidates()).values()
            assert shown["accepted"] == accepted
    assert "which is to come" in shown["doubts"][0]


@pytest.mark.anyio
async def test_an_offer_is_as_old_as_it_ever_was(scene: Scene) -> None:
    now = scene.ledger.now()
    day = timedelta(days=1)
    assert await seen(scene, FOUND, now) == FOUND
    await keep(scene, replace(FOUND, published=now - 3 * day))
    bumped = replace(FOUND, published=now - day)
    assert (await seen(scene, bumped, now)).published == now - 3 * day
    assert (await seen(scene, FOUND, now)).published == now - 3 * day
    older = replace(FOUND, published=now - 5 * day)
    assert await seen(scene, older, now) == older
    other = replace(bumped, guid="2")
    assert await seen(scene, other, now) == other


@pytest.mark.anyio
async def test_a_time_to_come_is_doubted_and_the_first_time_counts(scene: Scene) -> None:
    now = scene.ledger.now()
    to_come = replace(FOUND, published=now + timedelta(days=2))
    first = await seen(scene, to_come, now)
    assert first.published == now
    await keep(scene, first)
    again = await seen(scene, to_come, now + timedelta(hours=3))
    assert again.published == now
    assert "which is to come" in again.doubts[0]
