from dataclasses import replace

import pytest

from capabilities.download.acceptance import refuse_rejected, refuse_size
from capabilities.download.drafting import Known
from capabilities.kernel.actors import Actor
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError
from capabilities.rules.stored import work_from
from ledger.stores import policies, releases, works
from tests.scene import KEY, OWNER, Scene

GB = 10**9


def context(scene: Scene, by: Actor = KEY) -> Context:
    return Context(by, scene.ledger, scene.parts, "request", "call")


async def known(scene: Scene) -> Known:
    row_id = await scene.id_of(await scene.release())
    work_id = await scene.work_id()
    row = await scene.read(lambda conn: releases.by_id(conn, row_id))
    work = await scene.read(lambda conn: works.by_id(conn, work_id))
    policy = await scene.read(lambda conn: policies.published(conn, "acquisition"))
    assert row is not None
    assert work is not None
    assert policy is not None
    return Known(row, work_id, work_from(work.body), policy, policy)


@pytest.mark.anyio
async def test_the_size_is_held_against_the_running_time_to_the_byte(scene: Scene) -> None:
    release = await known(scene)
    most = 400_000_000 * 15
    refuse_size(release, most, context(scene))
    with pytest.raises(HaltError, match=r"more than 400\.0 MB/min"):
        refuse_size(release, most + 15, context(scene))
    refuse_size(release, most + 15, context(scene, OWNER))


@pytest.mark.anyio
async def test_without_a_tier_or_a_running_time_a_size_says_nothing(scene: Scene) -> None:
    release = await known(scene)
    unknown = replace(release, work=replace(release.work, runtime_minutes=None))
    refuse_size(unknown, 900 * GB, context(scene))
    odd = replace(release, row=replace(release.row, title="Sintel.2010.HDCAM"))
    refuse_size(odd, 900 * GB, context(scene))


@pytest.mark.anyio
async def test_what_was_never_judged_wants_a_search(scene: Scene) -> None:
    release = await known(scene)
    with pytest.raises(HaltError, match="policy changed"):
        refuse_rejected(replace(release.row, judgement=None), release.acquisition, context(scene))


@pytest.mark.anyio
async def test_the_reasons_of_a_rejection_are_told_clean(scene: Scene) -> None:
    release = await known(scene)
    judged = {
        "policy_version": 1,
        "accepted": False,
        "reasons": [{"rule": "group", "sentence": 'the group "E\u202evil" is refused'}],
    }
    row = replace(release.row, judgement=judged)
    with pytest.raises(HaltError, match='the group "E vil" is refused'):
        refuse_rejected(row, release.acquisition, context(scene))
    refuse_rejected(row, release.acquisition, context(scene, OWNER))
