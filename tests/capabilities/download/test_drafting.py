import pytest

from capabilities.rules.naming import NamingPreset
from capabilities.rules.policy import IdentityPolicy, OrganizeMode, OrganizePolicy
from capabilities.rules.recognition.lines import words_from
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
