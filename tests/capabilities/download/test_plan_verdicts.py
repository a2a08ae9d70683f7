from datetime import timedelta

import pytest

from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from ledger.stores.grants import Scope
from tests.capabilities.release.signal_hill import (
    ended,
    hill,
    on_offer,
    on_the_air,
    searched,
)
from tests.scene import KEY, OWNER, Scene, run_of
from world.indexer_feed import Offer
from world.metadata_works import KnownSeries
from world.stage import GB, RELEASE, SINTEL


@pytest.mark.anyio
async def test_the_policy_that_is_in_force_counts_not_the_one_of_the_search(scene: Scene) -> None:
    release = await scene.identified()
    await scene.publish(AcquisitionPolicy(refused_groups=("OPEN",)))
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert "OPEN" in refused.sentence
    await scene.publish(AcquisitionPolicy())
    assert await scene.answer("download.plan", release=release)


@pytest.mark.anyio
async def test_a_grade_that_is_not_taken_any_more_is_not_planned(scene: Scene) -> None:
    async with scene.offering(
        Offer(RELEASE, GB // 3, torrent=scene.stage.seed.torrent_bytes)
    ) as house:
        release = await house.identified()
        await scene.publish(IdentityPolicy(accepted=(Grade.A,)))
        refused = await house.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert "known by grade B only" in refused.sentence


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, run_of("run_1")], ids=str)
async def test_a_search_by_words_makes_no_release_acceptable(scene: Scene, by: Actor) -> None:
    await scene.grant("download.submit", Scope())
    show = on_the_air(scene.ledger.now().date())
    async with hill(scene, show, on_offer(scene, "S01", tmdb_id=show.id)) as house:
        work = await house.work(by, id_=f"tmdb:series:{show.id}")
        (found,) = (await house.candidates(by, work=work, season=1)).values()
        assert (await house.answer("identity.resolve", by, release=found["release"]))["accepted"]
        (words,) = (await house.candidates(by, query="Signal Hill S01")).values()
        assert (words["release"], words["accepted"]) == (found["release"], True)
        refused = await house.refusal(
            Code.PRECONDITION, "download.plan", by, release=words["release"]
        )
        assert "it claims all of season 1" in refused.sentence
        assert await house.answer(
            "download.plan", OWNER, release=await house.id_of(words["release"], by)
        )


@pytest.mark.anyio
async def test_a_finale_is_measured_by_its_own_length(scene: Scene) -> None:
    show = ended(3).model_dump()
    show["seasons"][0]["episodes"][2]["runtime"] = 150
    offers = [on_offer(scene, f"S01E0{number}", 12, episode=number) for number in (1, 3)]
    async with hill(scene, KnownSeries.model_validate(show), *offers) as house:
        found = {each["title"]: each for each in (await searched(house))["candidates"]}
        assert [found[offer.title]["accepted"] for offer in offers] == [False, True]
        first, finale = (found[offer.title]["release"] for offer in offers)
        for release in (first, finale):
            await house.answer("identity.resolve", release=release)
        refused = await house.refusal(Code.PRECONDITION, "download.plan", release=first)
        assert await house.answer("download.plan", release=finale)
    assert "500.0 MB/min is more than" in refused.sentence


@pytest.mark.anyio
async def test_what_has_waited_long_enough_for_a_better_one_ends_its_wait(scene: Scene) -> None:
    await scene.publish(AcquisitionPolicy(delay_minutes=120))
    now = scene.ledger.now().replace(second=0, microsecond=0)
    torrent = scene.stage.seed.torrent_bytes
    titles = {"Sintel.2010.720p.WEB-DL.x264-OPEN": 130, RELEASE: 5}
    offers = [
        Offer(
            title,
            GB // 3,
            torrent=torrent,
            tmdb_id=SINTEL,
            published=now - timedelta(minutes=minutes),
        )
        for title, minutes in titles.items()
    ]
    async with scene.offering(offers[1]) as alone:
        release = await alone.identified()
        await alone.refusal(Code.PRECONDITION, "download.plan", release=release)
    async with scene.offering(*offers) as house:
        assert (await house.candidates())[RELEASE]["accepted"]
        assert await house.answer("download.plan", release=release)
