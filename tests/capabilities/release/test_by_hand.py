import base64
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest

from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from ledger.stores import blocklist, releases
from ledger.stores.blocklist import NewBlock
from tests.scene import KEY, OWNER, Scene, run_of
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

RUN = run_of("run_1")
NAMED = "Sintel 2010 1080p BluRay x264 OPEN"


async def given(scene: Scene, by: Actor = KEY) -> str:
    """The torrent file, given by hand and identified; a reference of it."""
    torrent = base64.b64encode(scene.stage.seed.torrent_bytes).decode()
    release = str((await scene.answer("release.inspect", by, torrent=torrent))["release"])
    assert (await scene.answer("identity.resolve", by, release=release))["accepted"]
    return release


@asynccontextmanager
async def offered(scene: Scene, **said: Any) -> AsyncGenerator[tuple[Scene, datetime]]:
    """The house after a search, whose indexer names the hash; and when it was published."""
    published = scene.ledger.now().replace(second=0, microsecond=0) - timedelta(minutes=30)
    seed = scene.stage.seed
    facts: dict[str, Any] = {"published": published, "info_hash": seed.v1, **said}
    offer = Offer(NAMED, GB // 3, torrent=seed.torrent_bytes, tmdb_id=SINTEL, **facts)
    async with scene.offering(offer) as house:
        await house.candidates()
        yield house, published


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, RUN], ids=str)
async def test_giving_a_torrent_gets_nobody_but_the_owner_round_a_delay(
    scene: Scene, by: Actor
) -> None:
    await scene.publish(AcquisitionPolicy(delay_minutes=120))
    before = scene.ledger.now()
    release = await given(scene, by)
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", by, release=release)
    told = datetime.fromisoformat(str(refused.needs["ready_at"]))
    assert timedelta(hours=2) <= told - before < timedelta(hours=2, minutes=2)
    scene.base.time.ahead = timedelta(minutes=90)
    await given(scene, by)
    await scene.refusal(Code.PRECONDITION, "download.plan", by, release=release)
    scene.base.time.ahead = timedelta(minutes=122)
    assert await scene.answer("download.plan", by, release=release)


@pytest.mark.anyio
async def test_what_the_owner_gave_waits_for_others_and_not_for_the_owner(scene: Scene) -> None:
    await scene.publish(AcquisitionPolicy(delay_minutes=120))
    hers = await given(scene, OWNER)
    id_ = await scene.id_of(hers, OWNER)
    await scene.refusal(Code.PRECONDITION, "download.plan", release=id_)
    assert await scene.answer("download.plan", OWNER, release=hers)


@pytest.mark.anyio
async def test_it_is_as_old_as_what_an_indexer_offers_of_it(scene: Scene) -> None:
    await scene.publish(AcquisitionPolicy(delay_minutes=120))
    async with offered(scene) as (house, published):
        release = await given(house)
        refused = await house.refusal(Code.PRECONDITION, "download.plan", release=release)
    ready = datetime.fromisoformat(str(refused.needs["ready_at"]))
    assert ready - published == timedelta(hours=2)


@pytest.mark.anyio
async def test_seeders_that_an_indexer_counts_are_counted_for_it(scene: Scene) -> None:
    await scene.publish(AcquisitionPolicy(least_seeders=5))
    assert await scene.answer("download.plan", release=await given(scene))
    async with offered(scene, seeders=2) as (house, _):
        release = await given(house)
        refused = await house.refusal(Code.PRECONDITION, "download.plan", release=release)
        assert await house.answer("download.plan", OWNER, release=await house.id_of(release))
    assert "2 seed it, and 5 is the least" in refused.sentence


@pytest.mark.anyio
@pytest.mark.parametrize("title", [RELEASE, NAMED])
async def test_a_title_that_is_blocked_at_an_indexer_is_blocked_given_by_hand(
    scene: Scene, title: str
) -> None:
    block = NewBlock("a fake", title=title, indexer="loopback")
    async with offered(scene) as (house, _):
        release = await given(house)
        await scene.write(lambda tx: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada"))
        refused = await house.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert "on the blocklist: a fake" in refused.sentence


@pytest.mark.anyio
async def test_a_torrent_that_was_given_is_one_release_whoever_gives_it(scene: Scene) -> None:
    first = await scene.id_of(await given(scene))
    assert await scene.id_of(await given(scene, OWNER), OWNER) == first
    row = await scene.read(lambda conn: releases.by_id(conn, first))
    assert row is not None
    assert (row.guid, row.info_hash) == (scene.stage.seed.v1, scene.stage.seed.v1)
