from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acceptance import (
    Acceptance,
    accept,
    refuse_rejected,
    refuse_repeated,
)
from capabilities.download.drafting import Known
from capabilities.download.grounds import Grounds, grounds
from capabilities.kernel.actors import Actor
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.delaying import whole_minute
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.reasons import Rule
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.standing import Around
from capabilities.rules.stored import found_from, found_json
from ledger.stores import blocklist
from ledger.stores.blocklist import NewBlock
from tests.capabilities.download.known import context, known
from tests.scene import KEY, OWNER, Scene
from world.indexer_feed import Offer
from world.stage import RELEASE, SINTEL

GB = 10**9
HASHES = InfoHashes("ef" * 20)


async def by(scene: Scene, release: Known, policy: AcquisitionPolicy | None = None) -> Grounds:
    """What holds of the release now, under this policy or the published one."""
    found = await grounds(release, context(scene))
    return found if policy is None else replace(found, policy=policy)


async def sized(scene: Scene, release: Known, size: int, actor: Actor = KEY) -> Acceptance:
    return await accept(release, HASHES, size, await by(scene, release), context(scene, actor))


def judgement(*, accepted: bool) -> dict[str, Any]:
    return {"accepted": accepted, "policy_version": 1, "reasons": []}


async def halted(release: Known, found: Grounds, caller: Context) -> Refused:
    with pytest.raises(HaltError) as stopped:
        await refuse_rejected(release, found, caller)
    assert isinstance(stopped.value.outcome, Refused)
    return stopped.value.outcome


MINUTES = 82
"""Of Sintel, as the world's metadata have it."""


@pytest.mark.anyio
async def test_the_size_is_held_against_the_running_time_to_the_byte(scene: Scene) -> None:
    release = await known(scene)
    most = 400_000_000 * MINUTES
    assert (await sized(scene, release, most)).judgement.accepted
    with pytest.raises(HaltError, match=r"more than 400\.0 MB/min"):
        await sized(scene, release, most + MINUTES)
    assert not (await sized(scene, release, most + MINUTES, OWNER)).judgement.accepted


@pytest.mark.anyio
async def test_a_size_that_nobody_can_measure_is_refused_as_a_search_refuses_it(
    scene: Scene,
) -> None:
    release = await known(scene)
    unknown = replace(release, work=replace(release.work, runtime_minutes=None))
    with pytest.raises(HaltError, match="no source says how long it runs"):
        await sized(scene, unknown, GB)


@pytest.mark.anyio
async def test_the_size_is_held_against_the_tier_of_the_name_as_its_owner_has_it_read(
    scene: Scene,
) -> None:
    odd = await known(scene)
    odd = replace(odd, row=replace(odd.row, title="Sintel.2010.Zelluloid"))
    size = 300_000_000 * MINUTES
    with pytest.raises(HaltError, match='which tier "SD" allows'):
        await sized(scene, odd, size)
    words = words_from(["replace: Zelluloid => 1080p.BluRay"])
    assert (
        await sized(scene, replace(odd, identity=IdentityPolicy(words=words)), size)
    ).judgement.accepted


@pytest.mark.anyio
async def test_what_is_kept_of_an_earlier_judgement_counts_for_nothing(scene: Scene) -> None:
    release = await known(scene)
    refusing = await by(scene, release, AcquisitionPolicy(refused_groups=("OPEN",)))
    for kept in (None, dict[str, Any](), judgement(accepted=True)):
        row = replace(release.row, judgement=kept)
        refused = await halted(replace(release, row=row), refusing, context(scene))
        assert "OPEN" in refused.sentence
    row = replace(release.row, judgement=judgement(accepted=False))
    await refuse_rejected(replace(release, row=row), await by(scene, release), context(scene))
    await refuse_rejected(release, refusing, context(scene, OWNER))


@pytest.mark.anyio
async def test_the_reasons_of_a_rejection_are_told_clean(scene: Scene) -> None:
    release = await known(scene)
    title = "Sintel.2010.1080p.BluRay.x264-E\u202evil"
    found = found_json(replace(found_from(release.row.found), title=title))
    evil = replace(release, row=replace(release.row, title=title, found=found))
    policy = AcquisitionPolicy(required_groups=("OPEN\u202e",))
    refused = await halted(evil, await by(scene, release, policy), context(scene))
    assert "\u202e" not in refused.sentence
    assert refused.sentence.startswith("The policy rejects this release: ")


@pytest.mark.anyio
@pytest.mark.parametrize("blocked", ["ab" * 20, "cd" * 32])
async def test_a_torrent_is_blocked_by_each_of_its_hashes_and_its_owner_overrules_it(
    scene: Scene, blocked: str
) -> None:
    release, hybrid = await known(scene), InfoHashes("ab" * 20, "cd" * 32)
    free = await accept(release, hybrid, GB, await by(scene, release), context(scene))
    assert free.overruled == ()
    block = NewBlock("a fake", info_hash=blocked)
    id_ = await scene.write(lambda tx: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada"))
    found = await by(scene, release)
    with pytest.raises(HaltError, match=r"on the blocklist: a fake\.$"):
        await accept(release, hybrid, GB, found, context(scene))
    hers = await accept(release, hybrid, GB, found, context(scene, OWNER))
    assert hers.overruled == (id_,)
    assert (await accept(release, HASHES, GB, found, context(scene))).overruled == ()


@pytest.mark.anyio
async def test_a_title_that_was_blocked_since_is_not_planned(scene: Scene) -> None:
    release = await known(scene)
    found = await by(scene, release)
    other = NewBlock("dead", title=release.row.title, indexer="another")
    await scene.write(lambda tx: blocklist.add(tx, other, scene.ledger.now(), by="owner:ada"))
    await accept(release, HASHES, GB, found, context(scene))
    block = replace(other, indexer=release.row.indexer)
    await scene.write(lambda tx: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada"))
    with pytest.raises(HaltError, match="on the blocklist: dead"):
        await accept(release, HASHES, GB, found, context(scene))


async def young(scene: Scene, minutes: int, **more: object) -> tuple[Known, Grounds]:
    """The release, published some minutes ago, under a delay of an hour."""
    published = scene.ledger.now() - timedelta(minutes=minutes)
    torrent = scene.stage.seed.torrent_bytes
    offer = Offer(RELEASE, GB // 3, torrent=torrent, tmdb_id=SINTEL, published=published)
    async with scene.offering(offer) as house:
        release = await known(house)
    policy = replace(AcquisitionPolicy(delay_minutes=60), **more)
    return release, await by(scene, release, policy)


@pytest.mark.anyio
async def test_a_delay_refuses_until_it_is_over_and_never_the_owner(scene: Scene) -> None:
    release, waits = await young(scene, 30)
    published = found_from(release.row.found).published
    assert published is not None
    refused = await halted(release, waits, context(scene))
    ready = whole_minute(published + timedelta(hours=1))
    assert refused.needs["ready_at"] == ready.isoformat(timespec="seconds")
    await refuse_rejected(release, waits, context(scene, OWNER))
    scene.base.time.ahead = timedelta(minutes=31)
    await refuse_rejected(release, waits, context(scene))


@pytest.mark.anyio
async def test_what_is_rejected_for_more_than_its_delay_has_no_time_to_wait_for(
    scene: Scene,
) -> None:
    release, waits = await young(scene, 30, refused_groups=("OPEN",))
    refused = await halted(release, waits, context(scene))
    assert "it waits for better ones until" in refused.sentence
    assert "ready_at" not in refused.needs


@pytest.mark.anyio
async def test_what_was_fetched_already_is_refused_when_nothing_else_is_said(scene: Scene) -> None:
    release = await known(scene)
    there = replace(await by(scene, release), around=Around(fetched=frozenset({HASHES.key})))
    accepted = await accept(release, HASHES, GB, there, context(scene))
    assert [one.rule for one in accepted.judgement.rejections] == [Rule.DUPLICATE]
    with pytest.raises(HaltError, match="exactly this torrent was fetched already"):
        refuse_repeated(accepted, context(scene))
    refuse_repeated(accepted, context(scene, OWNER))
