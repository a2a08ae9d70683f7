from dataclasses import replace

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acceptance import refuse_blocked, refuse_rejected, refuse_size
from capabilities.download.drafting import Known
from capabilities.kernel.actors import Actor
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError
from capabilities.rules.policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.stored import work_from
from ledger.stores import blocklist, policies, releases, works
from ledger.stores.blocklist import NewBlock
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
    return Known(row, work_id, work_from(work.body), policy, policy, IdentityPolicy())


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


@pytest.mark.anyio
async def test_the_size_is_held_against_the_tier_of_the_name_as_its_owner_has_it_read(
    scene: Scene,
) -> None:
    odd = await known(scene)
    odd = replace(odd, row=replace(odd.row, title="Sintel.2010.Zelluloid"))
    size = 300_000_000 * 15
    with pytest.raises(HaltError, match='which tier "SD" allows'):
        refuse_size(odd, size, context(scene))
    words = words_from(["replace: Zelluloid => 1080p.BluRay"])
    refuse_size(replace(odd, identity=IdentityPolicy(words=words)), size, context(scene))


@pytest.mark.anyio
@pytest.mark.parametrize("blocked", ["ab" * 20, "cd" * 32])
async def test_a_torrent_is_blocked_by_each_of_its_hashes_but_not_for_its_owner(
    scene: Scene, blocked: str
) -> None:
    release, hybrid = await known(scene), InfoHashes("ab" * 20, "cd" * 32)
    await refuse_blocked(release, hybrid, context(scene))
    block = NewBlock("a fake", info_hash=blocked)
    await scene.write(lambda tx: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada"))
    with pytest.raises(HaltError, match="on the blocklist: a fake"):
        await refuse_blocked(release, hybrid, context(scene))
    await refuse_blocked(release, hybrid, context(scene, OWNER))
    await refuse_blocked(release, InfoHashes("ef" * 20), context(scene))


@pytest.mark.anyio
async def test_a_title_that_was_blocked_since_the_search_is_not_planned(scene: Scene) -> None:
    release = await known(scene)
    other = NewBlock("dead", title=release.row.title, indexer="another")
    await scene.write(lambda tx: blocklist.add(tx, other, scene.ledger.now(), by="owner:ada"))
    await refuse_blocked(release, InfoHashes("ef" * 20), context(scene))
    block = replace(other, indexer=release.row.indexer)
    await scene.write(lambda tx: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada"))
    with pytest.raises(HaltError, match="on the blocklist: dead"):
        await refuse_blocked(release, InfoHashes("ef" * 20), context(scene))
