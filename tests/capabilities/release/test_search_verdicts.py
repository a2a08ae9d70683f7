import asyncio
import json
import time
from typing import Any

import pytest

from capabilities.kernel.codes import Code
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.tiers import TIERS_V1
from ledger.stores import blocklist, policies, releases
from ledger.stores.blocklist import NewBlock
from tests.scene import OWNER, Scene
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

BULK = "Sintel.2010.1080p.BluRay.x264-BULK"
BUNNY = "Big.Buck.Bunny.2008.1080p.BluRay.x264"
CAM = "Sintel.2010.HDCAM.x264-NOPE"
GONE = "Sintel.2010.1080p.WEB-DL.x264-GONE"
OLD = "Sintel.1994.1080p.BluRay.x264-OTHER"


def reasons(candidate: dict[str, Any]) -> dict[str, str]:
    return {each["rule"]: each["sentence"] for each in candidate["reasons"]}


@pytest.mark.anyio
async def test_a_film_of_the_same_title_is_another_one_whatever_its_id_says(scene: Scene) -> None:
    other = (await scene.candidates())[OLD]
    assert other["identity"]["verdict"] == "other"
    assert not other["accepted"]
    assert reasons(other)["identity"].endswith("title and year are those of tmdb:film:900002")


@pytest.mark.anyio
async def test_a_film_of_another_title_is_not_taken_for_its_id_alone(scene: Scene) -> None:
    other = (await scene.candidates())[BUNNY]
    assert other["identity"]["verdict"] != "same"
    assert not other["accepted"]
    assert [each["sentence"] for each in other["reasons"]] == [
        '"Big Buck Bunny" is no known title of "Sintel"',
        "the name says 2008, the work is of 2010",
    ]


@pytest.mark.anyio
async def test_a_camera_recording_is_refused_by_the_word_in_its_name(scene: Scene) -> None:
    cam = (await scene.candidates())[CAM]
    assert not cam["accepted"]
    assert '"HDCAM"' in reasons(cam)["source"]


@pytest.mark.anyio
async def test_what_nobody_seeds_is_refused(scene: Scene) -> None:
    gone = (await scene.candidates())[GONE]
    assert not gone["accepted"]
    assert reasons(gone)["seeders"] == "0 seed it, and 1 is the least"


@pytest.mark.anyio
async def test_what_is_far_too_large_for_its_running_time_is_refused(scene: Scene) -> None:
    bulk = (await scene.candidates())[BULK]
    assert not bulk["accepted"]
    assert "731.7 MB/min" in reasons(bulk)["size"]


@pytest.mark.anyio
async def test_rejected_offers_rank_behind_accepted_ones(scene: Scene) -> None:
    found = (await scene.candidates()).values()
    ranks = [(not each["accepted"], each["rank"]) for each in found]
    accepted = [rank for rejected, rank in ranks if not rejected]
    rejected = [rank for rejected, rank in ranks if rejected]
    assert sorted(accepted + rejected) == list(range(1, len(ranks) + 1))
    assert max(accepted) < min(rejected)


@pytest.mark.anyio
async def test_a_policy_decides_and_its_version_is_kept_with_the_judgement(scene: Scene) -> None:
    await scene.publish(AcquisitionPolicy(required_groups=("NOBODY",)))
    good = (await scene.candidates())[RELEASE]
    assert not good["accepted"]
    id_ = await scene.id_of(good["release"])
    row = await scene.read(lambda conn: releases.by_id(conn, id_))
    assert row is not None
    assert row.judgement is not None
    assert row.judgement["policy_version"] == 2


@pytest.mark.anyio
async def test_without_a_published_policy_nothing_is_judged(scene: Scene) -> None:
    work = await scene.work()
    await scene.write(
        lambda tx: tx.conn.exec_driver_sql("DELETE FROM policy WHERE kind = 'acquisition'")
    )
    assert await scene.read(lambda conn: policies.published(conn, "acquisition")) is None
    refused = await scene.refusal(Code.PRECONDITION, "release.search", work=work)
    assert "policy" in refused.sentence


@pytest.mark.anyio
async def test_what_is_on_its_way_is_not_offered_again_and_something_better_is(
    scene: Scene,
) -> None:
    """SUB-01: an in-flight target set counts as held."""
    await scene.submitted()
    torrent = scene.stage.seed.torrent_bytes
    uhd = "Sintel.2010.2160p.BluRay.x265-OPEN"
    offers = [Offer(title, GB // 2, torrent=torrent, tmdb_id=SINTEL) for title in (RELEASE, uhd)]
    async with scene.offering(*offers) as offered:
        found = await offered.candidates()
    assert reasons(found[RELEASE])["in_flight"] == (
        "it is on its way already: the same quality, and its score is 0, and what is here has 0"
    )
    assert not found[uhd]["accepted"]
    first = [tier for tier in TIERS_V1 if tier.name == "2160p"]
    rest = [tier for tier in TIERS_V1 if tier.name != "2160p"]
    await scene.publish(AcquisitionPolicy(tiers=(*first, *rest), upgrade_until="2160p"))
    async with scene.offering(*offers) as offered:
        found = await offered.candidates()
    assert (found[uhd]["accepted"], found[RELEASE]["accepted"]) == (True, False)


@pytest.mark.anyio
async def test_what_is_blocked_is_marked_and_only_a_person_may_take_it(scene: Scene) -> None:
    at = scene.ledger.now()
    block = NewBlock("it held a program", title=RELEASE, indexer="loopback")
    id_ = await scene.write(lambda tx: blocklist.add(tx, block, at, by="system:tracking"))
    blocked = (await scene.candidates())[RELEASE]
    assert not blocked["accepted"]
    assert reasons(blocked)["blocklist"] == "it is on the blocklist: it held a program"
    release = await scene.identified()
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert "it held a program" in refused.sentence
    await scene.answer("download.plan", OWNER, release=await scene.id_of(release))
    await scene.write(lambda tx: blocklist.remove(tx, id_, at, by="owner:ada"))
    assert (await scene.candidates())[RELEASE]["accepted"]


@pytest.mark.anyio
async def test_the_owners_words_are_applied_before_an_offer_is_judged(scene: Scene) -> None:
    name = "Sintel.Of.Old.1080p.BluRay.x264-OPEN"
    offer = Offer(name, GB // 3, torrent=scene.stage.seed.torrent_bytes, tmdb_id=SINTEL)
    async with scene.offering(offer) as offered:
        work = await offered.work()
        before = (await offered.candidates(work=work))[name]
        words = words_from(["force: Sintel Of Old => tmdb:film:45745"])
        await scene.publish(IdentityPolicy(words=words))
        after = (await offered.candidates(work=work))[name]
    assert before["identity"] == {"grade": "C", "verdict": "unsure"}
    assert after["identity"] == {"grade": "A", "verdict": "same"}


@pytest.mark.anyio
async def test_slow_expressions_hold_up_nobody_else_and_are_told(scene: Scene) -> None:
    slow = [
        CustomFormat(f"slow {n}", (Condition(ConditionKind.PATTERN, f"(a|aa)+{n}$"),), -n)
        for n in range(1, 40)
    ]
    await scene.publish(AcquisitionPolicy(formats=tuple(slow)))
    file = scene.stage.seed.torrent_bytes
    titles = [f"Sintel.2010.1080p.BluRay.{'a' * 200}-{n}" for n in range(2)]
    hard = [Offer(title, GB, 5, torrent=file, tmdb_id=SINTEL) for title in titles]
    gaps: list[float] = []

    async def ticking() -> None:
        before = time.monotonic()
        while True:
            await asyncio.sleep(0.01)
            gaps.append(time.monotonic() - before)
            before = time.monotonic()

    ticker = asyncio.create_task(ticking())
    async with scene.offering(*hard) as house:
        found = await house.answer("release.search", work=await house.work())
    ticker.cancel()
    assert found["total"] == 2
    assert max(gaps) < 0.9
    assert "took too long to find out" in json.dumps(found["candidates"])
