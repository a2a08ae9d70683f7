from dataclasses import replace

import pytest

from capabilities.download.drafting import REASONS_SHOWN
from capabilities.kernel.outcomes import Succeeded
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.naming import NamingPreset
from capabilities.rules.organize_policy import OrganizeMode, OrganizePolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.tiers import TIERS_V1
from ledger.stores import shelf
from tests.scene import Scene, run_of
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL


@pytest.mark.anyio
async def test_a_draft_holds_how_it_will_be_imported(scene: Scene) -> None:
    await scene.publish(OrganizePolicy(mode=OrganizeMode.COPY, preset=NamingPreset.JELLYFIN))
    plan = await scene.plan(await scene.id_of((await scene.drafted())["plan"]))
    assert plan.payload["import"] == {
        "mode": "copy",
        "preset": "jellyfin",
        "root": str(scene.folders.films),
        "policy_version": 2,
    }
    assert plan.card["changes"][1] == "then placed in Films by copy; nothing is replaced"


@pytest.mark.anyio
async def test_the_card_is_made_of_fields_and_shows_no_hidden_signs(scene: Scene) -> None:
    title = "Sintel.2010.1080p.BluRay.x264\u202e-EVIL"
    torrent = scene.stage.seed.torrent_bytes
    run = run_of("run_1")
    async with scene.offering(Offer(title, GB, torrent=torrent, tmdb_id=SINTEL)) as hostile:
        (shown,) = (await hostile.candidates(run)).values()
        await hostile.answer("identity.resolve", run, release=shown["release"])
        drafted = await hostile.answer("download.plan", run, release=shown["release"])
    plan = await scene.plan(await scene.id_of(drafted["plan"], run))
    assert plan.payload["title"] == title
    assert plan.card["from"]["release"] == "Sintel.2010.1080p.BluRay.x264 -EVIL"
    assert plan.card["asked_by"] == "run:run_1"
    assert "\u202e" not in str(plan.card) + str(drafted)


@pytest.mark.anyio
async def test_a_series_goes_to_the_series(scene: Scene) -> None:
    offer = Offer(
        "Lantern.Street.S01E02.1080p.WEB-DL.x264-OPEN",
        GB // 4,
        torrent=scene.stage.seed.torrent_bytes,
        tmdb_id=900001,
        season=1,
        episode=2,
        categories=(5040,),
    )
    work = await scene.work(id_="tmdb:series:900001")
    async with scene.offering(offer) as offered:
        found = await offered.candidates(work=work, season=1, episode=2)
        release = found[offer.title]["release"]
        await offered.answer("identity.resolve", release=release)
        drafted = await offered.answer("download.plan", release=release)
    assert drafted["destination"] == "Series"
    plan = await scene.plan(await scene.id_of(drafted["plan"]))
    assert plan.payload["slots"] == [{"season": 1, "episode": 2, "revision": 0}]


@pytest.mark.anyio
async def test_a_pack_is_for_what_the_library_lacks_and_the_card_says_so(scene: Scene) -> None:
    title = "Lantern.Street.S01.1080p.WEB-DL.x264-OPEN"
    torrent = scene.stage.seed.torrent_bytes
    await scene.publish(AcquisitionPolicy(tiers=tuple(
        replace(tier, least_per_minute=None, most_per_minute=None) for tier in TIERS_V1
    )))  # fmt: skip
    work = await scene.work(id_="tmdb:series:900001")
    work_id = await scene.id_of(work)
    await scene.write(
        lambda tx: shelf.move_slot(tx, work_id, 1, 2, state="satisfied", asset_id="asset_1")
    )
    pack = Offer(title, GB, torrent=torrent, tmdb_id=900001, season=1, categories=(5040,))
    async with scene.offering(pack) as offered:
        release = (await offered.candidates(work=work, season=1))[title]["release"]
        await offered.answer("identity.resolve", release=release)
        outcome = await offered.call("download.plan", release=release)
    assert isinstance(outcome, Succeeded)
    left_out = "1 of 3 episodes are in the library already, and stay as they are"
    assert outcome.sentence.endswith(f"{left_out}.")
    plan = await scene.plan(await scene.id_of(outcome.data.model_dump()["plan"]))
    assert [slot["episode"] for slot in plan.payload["slots"]] == [1, 3]
    assert plan.card["changes"][-1] == left_out


@pytest.mark.anyio
async def test_the_card_says_where_the_torrent_contradicts_its_indexer(scene: Scene) -> None:
    torrent = scene.stage.seed.torrent_bytes
    offer = Offer(RELEASE, GB, torrent=torrent, tmdb_id=SINTEL, info_hash="ab" * 20)
    async with scene.offering(offer) as lying:
        plan = await scene.plan(await scene.id_of((await lying.drafted())["plan"]))
    first, second = plan.card["from"]["doubts"]
    assert f"says info-hash {'ab' * 20}" in first
    assert "says 1.00 GB" in second


@pytest.mark.anyio
async def test_the_quality_is_read_as_its_owner_has_names_read(scene: Scene) -> None:
    title = "Sintel.2010.Zelluloid.x264-OPEN"
    words = words_from(["replace: Zelluloid => 1080p.BluRay"])
    await scene.publish(IdentityPolicy(words=words))
    offer = Offer(title, GB // 3, torrent=scene.stage.seed.torrent_bytes, tmdb_id=SINTEL)
    async with scene.offering(offer) as offered:
        assert (await offered.drafted(title))["quality"] == "Bluray-1080p"


@pytest.mark.anyio
async def test_reasons_that_the_card_has_no_room_for_are_counted(scene: Scene) -> None:
    formats = tuple(
        CustomFormat(f"format {n}", (Condition(ConditionKind.SOURCE, "bluray"),), n)
        for n in range(1, 8)
    )
    await scene.publish(AcquisitionPolicy(formats=formats))
    plan = await scene.plan(await scene.id_of((await scene.drafted())["plan"]))
    origin = plan.card["from"]
    assert len(origin["verdict"]) + origin["verdict_left_out"] == 8
    assert (len(origin["verdict"]), origin["doubts"]) == (REASONS_SHOWN, [])
    assert "doubts_left_out" not in origin
