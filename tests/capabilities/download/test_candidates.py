from dataclasses import replace
from datetime import timedelta

import pytest

from capabilities.download.candidates import LATELY, NEXT_PLAN, cause_of, others
from ledger.clock import new_id
from ledger.stores import downloads
from ledger.stores.downloads import DownloadRow
from tests.scene import KEY, OWNER, Scene
from world.indexer_feed import Offer

pytestmark = pytest.mark.anyio

GOOD = "Sintel.2010.1080p.BluRay.x264-GOOD"
SINTEL = 45745


def offer(title: str) -> Offer:
    return Offer(title, 1 << 20, tmdb_id=SINTEL, magnet=f"magnet:?xt=urn:btih:{'cd' * 20}")


async def known_besides(scene: Scene, row: DownloadRow) -> list[str]:
    now = scene.ledger.now()
    return [one.title for one in await scene.read(lambda conn: others(conn, row, now))]


async def test_what_the_last_search_found_besides_is_what_could_be_taken(scene: Scene) -> None:
    row = await scene.submitted()
    assert GOOD not in await known_besides(scene, row)
    async with scene.offering(offer(GOOD)) as house:
        await house.candidates()
    known = await known_besides(scene, row)
    assert GOOD in known
    assert row.name not in known


async def test_what_was_found_long_ago_is_not(scene: Scene) -> None:
    row = await scene.submitted()
    async with scene.offering(offer(GOOD)) as house:
        await house.candidates()
    scene.base.time.ahead += LATELY + timedelta(days=1)
    assert await known_besides(scene, row) == []


async def test_a_cause_goes_back_to_what_was_chosen_first(scene: Scene) -> None:
    first = await scene.submitted()
    second = replace(
        first, id=new_id("dl"), info_hash="ef" * 20, hash_v1=None, plan="plan_second", facts={}
    )
    await scene.write(lambda tx: downloads.add(tx, second))
    await scene.turn(first.id, "failed", facts={NEXT_PLAN: second.plan})
    cause = await scene.read(lambda conn: cause_of(conn, second))
    assert [row.id for row in cause.rows] == [second.id, first.id]
    assert (cause.replaced, cause.by_hand) == (1, False)


async def test_what_the_owner_planned_was_picked_by_hand(scene: Scene) -> None:
    plan = (await scene.drafted(by=OWNER))["plan"]
    answer = await scene.answer("download.submit", OWNER, plan=plan)
    row = await scene.download(await scene.id_of(answer["download"], OWNER))
    cause = await scene.read(lambda conn: cause_of(conn, row))
    assert (cause.by_hand, cause.targets) == (True, {(0, 0)})


async def test_what_somebody_else_planned_was_not(scene: Scene) -> None:
    row = await scene.submitted(by=KEY)
    assert not (await scene.read(lambda conn: cause_of(conn, row))).by_hand
