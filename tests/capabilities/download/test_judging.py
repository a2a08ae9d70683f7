from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from capabilities.download.drafting import Known
from capabilities.download.grounds import grounds
from capabilities.download.judging import judged
from capabilities.kernel.actors import Actor
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.reasons import Rule
from capabilities.rules.stored import found_from, found_json
from capabilities.rules.verdicts import Judgement
from ledger.stores import blocklist, releases
from ledger.stores.blocklist import NewBlock
from tests.capabilities.download.known import context, known
from tests.scene import KEY, OWNER, Scene
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

OLD = "Sintel.2010.720p.WEB-DL.x264-OPEN"
DELAY = AcquisitionPolicy(delay_minutes=60)


async def verdict(
    scene: Scene, release: Known, policy: AcquisitionPolicy | None = None, by: Actor = KEY
) -> Judgement:
    """What is said of it now, under this policy or a new home's."""
    found = await grounds(release, context(scene))
    under = replace(found, policy=policy or AcquisitionPolicy())
    return await judged(found_from(release.row.found), release, under, context(scene, by))


def renamed(release: Known, title: str, **identity: Any) -> Known:
    """The same under another title, and perhaps identified by somebody else."""
    found = found_json(replace(found_from(release.row.found), title=title))
    record = {**(release.row.identity or {}), **identity}
    return replace(release, row=replace(release.row, title=title, found=found, identity=record))


@pytest.mark.anyio
async def test_what_contradicts_the_work_that_is_meant_refuses_it(scene: Scene) -> None:
    release = await known(scene)
    assert (await verdict(scene, release)).accepted
    wrong = renamed(release, RELEASE.replace("2010", "1999"))
    against = (await verdict(scene, wrong)).rejections
    assert {one.rule for one in against} == {Rule.IDENTITY}
    other = renamed(release, "Nothing.Like.It.2010.1080p.BluRay.x264-OPEN")
    bare = replace(found_from(other.row.found), external_ids={})
    other = replace(other, row=replace(other.row, found=found_json(bare)))
    (reason,) = (await verdict(scene, other)).rejections
    assert reason.sentence == "nothing in the name points at this work"


@pytest.mark.anyio
async def test_the_owners_word_for_the_work_is_not_contradicted(scene: Scene) -> None:
    release = renamed(await known(scene), RELEASE.replace("2010", "1999"))
    hers = renamed(release, release.row.title, by="owner:ada", grade="by the owner")
    assert (await verdict(scene, hers)).accepted
    assert not (await verdict(scene, release)).accepted


@pytest.mark.anyio
async def test_a_grade_that_is_not_taken_any_more_refuses_it(scene: Scene) -> None:
    release = renamed(await known(scene), RELEASE, grade="C")
    (reason,) = (await verdict(scene, release)).rejections
    assert (reason.rule, reason.token) == (Rule.IDENTITY, "C")


async def offered(scene: Scene, old_title: str = OLD) -> Known:
    """A young release that was found together with an old one."""
    now = scene.ledger.now()
    offers = [
        Offer(
            title,
            GB // 3,
            torrent=scene.stage.seed.torrent_bytes,
            tmdb_id=SINTEL,
            published=now - timedelta(minutes=minutes),
        )
        for title, minutes in ((old_title, 90), (RELEASE, 5))
    ]
    async with scene.offering(*offers) as house:
        return await known(house, await house.identified())


@pytest.mark.anyio
async def test_an_older_one_that_is_acceptable_now_ends_the_wait(scene: Scene) -> None:
    release = await offered(scene)
    assert (await verdict(scene, release, DELAY)).accepted
    block = NewBlock("a fake", title=OLD)
    await scene.write(lambda tx: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada"))
    (reason,) = (await verdict(scene, release, DELAY)).rejections
    assert reason.rule is Rule.DELAY
    assert (await verdict(scene, release, DELAY, OWNER)).accepted


@pytest.mark.anyio
async def test_an_older_one_that_the_last_search_did_not_find_ends_nothing(scene: Scene) -> None:
    release = await offered(scene)
    scene.base.time.ahead = timedelta(minutes=1)
    young = scene.ledger.now() - timedelta(minutes=5)
    torrent = scene.stage.seed.torrent_bytes
    offer = Offer(RELEASE, GB // 3, torrent=torrent, tmdb_id=SINTEL, published=young)
    async with scene.offering(offer) as house:
        await house.candidates()
    row = await scene.read(lambda conn: releases.by_id(conn, release.row.id))
    assert row is not None
    assert not (await verdict(scene, replace(release, row=row), DELAY)).accepted


@pytest.mark.anyio
async def test_an_older_one_of_another_work_ends_nothing(scene: Scene) -> None:
    release = await offered(scene, "Sintel.1999.720p.WEB-DL.x264-OPEN")
    assert not (await verdict(scene, release, DELAY)).accepted
