import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from ledger.stores import grants, plans
from ledger.stores.grants import Scope
from ledger.stores.plans import PlanState
from tests.scene import IMPORT, KEY, OWNER, VIDEO, Scene, run_of
from tests.stage_set import MIB
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

BULK = "Sintel.2010.1080p.BluRay.x264-BULK"
FAKE = "Sintel.2010.1080p.BluRay.x265-FAKE"


@pytest.mark.anyio
async def test_a_draft_says_everything_that_will_be_asked(scene: Scene) -> None:
    drafted = await scene.drafted()
    assert drafted["title"] == RELEASE
    assert (drafted["destination"], drafted["client"]) == ("Films", "embedded")
    assert [name.rpartition("/")[2] for name in drafted["files"]] == [
        f"{RELEASE}.en.srt",
        f"{RELEASE}.mkv",
    ]
    assert (drafted["requires_approval"], drafted["revision"]) == (True, 1)
    assert "covered_by" not in drafted
    plan = await scene.plan(await scene.id_of(drafted["plan"]))
    assert plan.payload_hash == drafted["payload_hash"] == plans.payload_hash(plan.payload)
    assert plan.state is PlanState.DRAFT
    assert plan.card["title"] == "Download Sintel (2010), Bluray-1080p, to Films"
    assert plan.card["from"]["identity"] == "grade A"


@pytest.mark.anyio
async def test_a_draft_reserves_nothing(scene: Scene) -> None:
    await scene.drafted()
    assert await scene.downloads() == []
    assert await scene.slots() == []
    assert await scene.client.transfers() == []
    (claim,) = await scene.claims("download.plan")
    assert (claim.natural_key, claim.plan, claim.state) == (None, None, "succeeded")


@pytest.mark.anyio
async def test_a_draft_of_a_run_is_the_runs(scene: Scene) -> None:
    run = run_of("run_1")
    drafted = await scene.drafted(by=run)
    plan = await scene.plan(await scene.id_of(drafted["plan"], run))
    assert (plan.run, plan.created_by) == ("run_1", "run:run_1")


@pytest.mark.anyio
async def test_a_draft_names_the_grant_that_covers_it_while_its_budget_holds_it(
    scene: Scene,
) -> None:
    work = await scene.id_of(await scene.work())
    size = (await scene.drafted())["size_gb"] * 1e9
    scope = Scope.of({"works": [work], "downloaders": ["embedded"], "folders": ["Films"]})
    grant = await scene.grant("download.submit", scope, bytes_per_day=round(size) + MIB)
    first = await scene.drafted()
    assert (first["requires_approval"], first["covered_by"]) == (False, grant)
    await scene.answer("download.submit", plan=first["plan"])
    (claim,) = await scene.claims("download.submit")
    plan = await scene.plan(await scene.id_of(first["plan"]))
    assert (claim.authority, claim.bytes_reserved) == (grant, plan.payload["size"])
    second = await scene.read(lambda conn: grants.used(conn, grant, scene.ledger.now()))
    assert (second.calls, second.bytes) == (1, plan.payload["size"])


@pytest.mark.anyio
@pytest.mark.parametrize(
    "scope",
    [{"kinds": ["series"]}, {"folders": ["Series"]}, {"downloaders": ["other"]}],
    ids=str,
)
async def test_a_grant_of_something_else_covers_no_draft(
    scene: Scene, scope: dict[str, list[str]]
) -> None:
    await scene.grant("download.submit", Scope.of(scope))
    drafted = await scene.drafted()
    assert drafted["requires_approval"]
    await scene.refusal(Code.NEEDS_APPROVAL, "download.submit", plan=drafted["plan"])


@pytest.mark.anyio
async def test_the_owner_by_hand_needs_nobodys_approval(scene: Scene) -> None:
    drafted = await scene.drafted(by=OWNER)
    assert (drafted["requires_approval"], drafted["covered_by"]) == (False, "owner:ada")


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, run_of("run_1")], ids=str)
async def test_what_was_not_identified_is_not_planned(scene: Scene, by: Actor) -> None:
    release = await scene.release(by=by)
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", by, release=release)
    assert refused.needs["needs"] == "confirm_unrecognised"
    assert await scene.claims("download.plan") == []


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, run_of("run_1")], ids=str)
async def test_nobody_but_the_owner_confirms_what_was_not_identified(
    scene: Scene, by: Actor
) -> None:
    release = await scene.release(by=by)
    await scene.refusal(
        Code.DENIED, "download.plan", by, release=release, confirm_unrecognised=True
    )


@pytest.mark.anyio
async def test_the_owner_may_confirm_what_was_not_identified(scene: Scene) -> None:
    release = await scene.release(by=OWNER)
    await scene.refusal(Code.PRECONDITION, "download.plan", OWNER, release=release)
    drafted = await scene.answer("download.plan", OWNER, release=release, confirm_unrecognised=True)
    plan = await scene.plan(await scene.id_of(drafted["plan"], OWNER))
    assert plan.payload["grade"] == "unrecognised"


@pytest.mark.anyio
async def test_words_lead_to_no_work_so_there_is_nothing_to_confirm(scene: Scene) -> None:
    found = await scene.candidates(OWNER, query="Sintel 2010 1080p")
    await scene.refusal(
        Code.PRECONDITION,
        "download.plan",
        OWNER,
        release=found[RELEASE]["release"],
        confirm_unrecognised=True,
    )


@pytest.mark.anyio
async def test_words_do_not_undo_an_identity(scene: Scene) -> None:
    release = await scene.identified()
    await scene.candidates(query="Sintel 2010 1080p")
    assert await scene.answer("download.plan", release=release)


@pytest.mark.anyio
async def test_what_was_found_for_another_work_since_is_not_planned_for_either(
    scene: Scene,
) -> None:
    release = await scene.identified()
    older = await scene.work(id_="tmdb:film:900002")
    torrent = scene.stage.seed.torrent_bytes
    async with scene.offering(Offer(RELEASE, MIB, torrent=torrent, tmdb_id=900002)) as other:
        assert (await other.candidates(work=older))[RELEASE]["release"] == release
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert "another work" in refused.sentence
    await scene.candidates()
    assert await scene.answer("download.plan", release=release)


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, run_of("run_1")], ids=str)
async def test_what_the_policy_rejects_is_not_planned(scene: Scene, by: Actor) -> None:
    release = await scene.identified(BULK, by)
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", by, release=release)
    assert "731.7 MB/min" in refused.sentence


@pytest.mark.anyio
async def test_the_owner_plans_by_hand_what_the_policy_rejects(scene: Scene) -> None:
    await scene.publish(AcquisitionPolicy(required_groups=("NOBODY",)))
    release = await scene.identified(by=OWNER)
    assert await scene.answer("download.plan", OWNER, release=release)


@pytest.mark.anyio
async def test_the_size_that_counts_is_the_torrents_not_the_indexers(scene: Scene) -> None:
    tiers = AcquisitionPolicy().tiers
    bound = tuple(
        type(tier)(tier.name, tier.resolutions, tier.sources, most_per_minute=11_000)
        for tier in tiers
    )
    await scene.publish(AcquisitionPolicy(tiers=bound))
    torrent = scene.stage.seed.torrent_bytes
    small = Offer(RELEASE, 82 * 9_000, torrent=torrent, tmdb_id=SINTEL)
    async with scene.offering(small) as liar:
        assert (await liar.candidates())[RELEASE]["accepted"]
        release = await liar.identified()
        refused = await liar.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert "MB/min is more than" in refused.sentence


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, OWNER], ids=str)
async def test_a_program_in_disguise_is_refused_for_everybody_and_named(
    scene: Scene, by: Actor
) -> None:
    release = await scene.identified(FAKE, by)
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", by, release=release)
    assert f"{FAKE}.mkv.exe" in refused.sentence
    assert refused.needs["dangerous"] == {
        f"{FAKE}/{FAKE}.mkv.exe": "it claims to be a .mkv and is a program"
    }


@pytest.mark.anyio
async def test_a_disk_without_room_is_refused_with_the_sums(scene: Scene) -> None:
    release = await scene.identified()
    folders = scene.folders
    full = scene.having(Folders(folders.downloads, folders.films, folders.series, 10**18))
    refused = await full.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert refused.sentence.startswith("There is no room: 0.00 GB wanted, ")
    assert "1000000000.00 GB must stay free" in refused.sentence


@pytest.mark.anyio
async def test_a_film_in_the_library_is_not_planned_again(scene: Scene) -> None:
    row = await scene.arrived()
    plan = (await scene.answer("organize.plan", IMPORT, download=row.id))["plan"]
    await scene.answer("organize.execute", IMPORT, plan=plan)
    assert VIDEO in scene.on_shelf()
    release = await scene.release()
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert refused.sentence.startswith("Sintel (2010) is in the library already: it is no upgrade")
    assert refused.needs["needs"] == "replace_anyway"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "state", ["submitted", "paused_by_owner", "missing_files", "completed", "importing"]
)
async def test_a_film_on_its_way_is_not_planned_again(scene: Scene, state: str) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, state)
    release = await scene.release()
    refused = await scene.refusal(Code.CONFLICT, "download.plan", release=release)
    assert refused.sentence == f"Sintel (2010) is being downloaded already: {RELEASE}."


@pytest.mark.anyio
@pytest.mark.parametrize("state", ["failed", "removed", "needs_owner"])
async def test_a_film_that_did_not_arrive_may_be_planned_again(scene: Scene, state: str) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, state)
    assert await scene.answer("download.plan", release=await scene.release())


@pytest.mark.anyio
async def test_a_second_call_of_a_run_drafts_anew_what_the_world_overtook(scene: Scene) -> None:
    run = run_of("run_1")
    first = await scene.drafted(by=run)
    release = await scene.release(by=run)
    second = await scene.answer("download.plan", run, release=release)
    assert second["plan"] != first["plan"]


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, OWNER], ids=str)
async def test_a_magnet_whose_files_nobody_knows_is_not_planned(scene: Scene, by: Actor) -> None:
    magnet = f"magnet:?xt=urn:btih:{'cd' * 20}"
    async with scene.offering(Offer(RELEASE, GB, magnet=magnet, tmdb_id=SINTEL)) as offered:
        release = await offered.identified(by=by)
        refused = await offered.refusal(Code.PRECONDITION, "download.plan", by, release=release)
    assert "only a magnet" in refused.sentence


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("part", "words"), [(Downloaders, "download client"), (Folders, "library")]
)
async def test_what_is_not_configured_is_named(
    scene: Scene, part: type[object], words: str
) -> None:
    release = await scene.identified()
    bare = scene.having(without=[part])
    refused = await bare.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert words in refused.sentence


@pytest.mark.anyio
async def test_a_release_that_does_not_exist_is_not_found(scene: Scene) -> None:
    await scene.failure(Code.NOT_FOUND, "download.plan", release="rel_of_nobody")


@pytest.mark.anyio
async def test_without_published_policies_nothing_is_planned(scene: Scene) -> None:
    release = await scene.identified()
    await scene.write(
        lambda tx: tx.conn.exec_driver_sql("DELETE FROM policy WHERE kind = 'organize'")
    )
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert "not published" in refused.sentence
