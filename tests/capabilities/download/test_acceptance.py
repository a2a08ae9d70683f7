from dataclasses import replace
from datetime import timedelta

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acceptance import refuse_blocked, refuse_rejected, refuse_size
from capabilities.download.drafting import Known
from capabilities.kernel.actors import Actor
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.episode_counting import PLAIN, counting_of
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.stored import work_from
from capabilities.rules.works import Episode, Season, WorkKey, WorkKind
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
    refuse_size(release, most, PLAIN, context(scene))
    with pytest.raises(HaltError, match=r"more than 400\.0 MB/min"):
        refuse_size(release, most + 15, PLAIN, context(scene))
    refuse_size(release, most + 15, PLAIN, context(scene, OWNER))


@pytest.mark.anyio
async def test_the_running_time_is_that_of_the_episodes_as_their_owner_counts_them(
    scene: Scene,
) -> None:
    film = await known(scene)
    key = WorkKey("tmdb", WorkKind.SERIES, "900001")
    long = Season(2, episode_count=1, episodes=(Episode(1, runtime_minutes=90),))
    seasons = (Season(1, episode_count=26), long)
    work = replace(film.work, key=key, runtime_minutes=24, seasons=seasons)
    title = "[OPEN] Lantern Street - 27 [BluRay 1080p]"
    release = replace(film, work=work, row=replace(film.row, title=title))
    size = 300_000_000 * 90
    with pytest.raises(HaltError, match=r"more than 400\.0 MB/min"):
        refuse_size(release, size, PLAIN, context(scene))
    offset = offset_from(f"{key} 27 = S02E01")
    refuse_size(release, size, counting_of(key, [offset]), context(scene))


@pytest.mark.anyio
async def test_without_a_tier_or_a_running_time_a_size_says_nothing(scene: Scene) -> None:
    release = await known(scene)
    unknown = replace(release, work=replace(release.work, runtime_minutes=None))
    refuse_size(unknown, 900 * GB, PLAIN, context(scene))
    odd = replace(release, row=replace(release.row, title="Sintel.2010.HDCAM"))
    refuse_size(odd, 900 * GB, PLAIN, context(scene))


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
        refuse_size(odd, size, PLAIN, context(scene))
    words = words_from(["replace: Zelluloid => 1080p.BluRay"])
    refuse_size(replace(odd, identity=IdentityPolicy(words=words)), size, PLAIN, context(scene))


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


@pytest.mark.anyio
async def test_a_delay_refuses_until_it_is_over_and_never_the_owner(scene: Scene) -> None:
    release = await known(scene)
    ready = scene.ledger.now() + timedelta(minutes=30)
    waits = {"rule": "delay", "sentence": "it waits", "until": ready.isoformat()}
    judged = {"policy_version": 1, "accepted": False, "reasons": [waits]}
    row = replace(release.row, judgement=judged)
    with pytest.raises(HaltError, match="rejects this release: it waits") as halted:
        refuse_rejected(row, release.acquisition, context(scene))
    assert isinstance(halted.value.outcome, Refused)
    assert halted.value.outcome.needs["ready_at"] == ready.isoformat(timespec="seconds")
    refuse_rejected(row, release.acquisition, context(scene, OWNER))
    scene.base.time.ahead = timedelta(minutes=31)
    refuse_rejected(row, release.acquisition, context(scene))


@pytest.mark.anyio
async def test_what_is_rejected_for_more_than_its_delay_has_no_time_to_wait_for(
    scene: Scene,
) -> None:
    release = await known(scene)
    ready = scene.ledger.now() + timedelta(minutes=30)
    waits = {"rule": "delay", "sentence": "it waits", "until": ready.isoformat()}
    group = {"rule": "group", "sentence": "its group is refused"}
    judged = {"policy_version": 1, "accepted": False, "reasons": [waits, group]}
    row = replace(release.row, judgement=judged)
    with pytest.raises(HaltError) as halted:
        refuse_rejected(row, release.acquisition, context(scene))
    assert isinstance(halted.value.outcome, Refused)
    assert "ready_at" not in halted.value.outcome.needs
