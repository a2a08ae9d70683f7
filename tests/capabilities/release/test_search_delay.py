from datetime import datetime, timedelta

import pytest

from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from tests.scene import KEY, OWNER, Scene
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL


async def _delayed(scene: Scene, minutes_ago: int, *, seconds: int = 0) -> tuple[Offer, datetime]:
    """An offer of the film under a policy that lets releases wait for two hours."""
    await scene.publish(AcquisitionPolicy(delay_minutes=120))
    now = scene.ledger.now().replace(second=0, microsecond=0)
    published = now - timedelta(minutes=minutes_ago, seconds=seconds)
    torrent = scene.stage.seed.torrent_bytes
    offer = Offer(RELEASE, GB // 3, torrent=torrent, tmdb_id=SINTEL, published=published)
    return offer, published + timedelta(hours=2)


@pytest.mark.anyio
async def test_what_waits_is_shown_with_its_time(scene: Scene) -> None:
    offer, ready = await _delayed(scene, 30)
    async with scene.offering(offer) as house:
        found = await house.answer("release.search", work=await house.work())
    (shown,) = found["candidates"]
    (waits,) = found["choice"]["waiting"]
    assert not shown["accepted"]
    assert (waits["release"], waits["targets"]["names"]) == (shown["release"], ["film"])
    assert waits["until"] == ready.isoformat(timespec="minutes")
    assert found["choice"]["uncovered"]["count"] == 0


@pytest.mark.anyio
async def test_an_owner_who_searches_lifts_the_delay_for_nobody_else(scene: Scene) -> None:
    offer, ready = await _delayed(scene, 30)
    async with scene.offering(offer) as house:
        release = await house.identified()
        (hers,) = (await house.candidates(OWNER)).values()
        refused = await house.refusal(Code.PRECONDITION, "download.plan", release=release)
        assert await house.answer("download.plan", OWNER, release=await house.id_of(release))
    assert hers["accepted"]
    assert hers["take"]["targets"]["names"] == ["film"]
    assert f"it waits for better ones until {ready:%Y-%m-%d %H:%M}" in refused.sentence
    assert refused.needs["ready_at"] == ready.isoformat(timespec="seconds")


@pytest.mark.anyio
async def test_a_delay_that_is_over_refuses_no_plan(scene: Scene) -> None:
    offer, _ = await _delayed(scene, 30)
    async with scene.offering(offer) as house:
        release = await house.identified()
        await house.refusal(Code.PRECONDITION, "download.plan", release=release)
        scene.base.time.ahead = timedelta(minutes=91)
        assert await house.answer("download.plan", KEY, release=release)


@pytest.mark.anyio
async def test_an_inspection_says_of_a_delay_what_holds_now_and_for_whoever_asks(
    scene: Scene,
) -> None:
    offer, _ = await _delayed(scene, 30)
    async with scene.offering(offer) as house:
        release = await house.release()
        hers = await house.id_of(release)

        async def accepted(by: Actor = KEY) -> bool:
            given = release if by is KEY else hers
            told = await house.answer("release.inspect", by, release=given)
            return bool(told["judged"]["accepted"])

        assert [await accepted(), await accepted(OWNER)] == [False, True]
        scene.base.time.ahead = timedelta(minutes=91)
        assert await accepted()


@pytest.mark.anyio
async def test_the_minute_that_is_told_is_not_before_the_delay_is_over(scene: Scene) -> None:
    offer, ready = await _delayed(scene, 30, seconds=59)
    async with scene.offering(offer) as house:
        (waits,) = (await house.answer("release.search", work=await house.work()))["choice"][
            "waiting"
        ]
    told = datetime.fromisoformat(waits["until"])
    assert timedelta() < told - ready < timedelta(minutes=1)
