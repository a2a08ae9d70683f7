from pathlib import Path

import anyio
import pytest

from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, Failed, Succeeded
from ledger.stores import claims
from ledger.stores.claims import ClaimState
from tests.left_behind import SUBMIT, dead_submission
from tests.scene import KEY, Scene, run_of
from world.indexer_feed import Offer
from world.samples import Sample, stretched
from world.seeder import make_torrent
from world.stage import GB, RELEASE, SINTEL

OTHER = "Sintel.2010.1080p.WEB-DL.x264-OTHER"


async def two_drafts(scene: Scene, tmp_path: Path) -> dict[Actor, str]:
    """Two approved plans for the same film, made before either was submitted."""
    film = tmp_path / f"{OTHER}.mkv"
    stretched(Sample.FILM_1080P, film, 300_000)
    torrents = {RELEASE: scene.stage.seed.torrent_bytes, OTHER: make_torrent(film)}
    offers = [
        Offer(title, GB, torrent=torrent, tmdb_id=SINTEL) for title, torrent in torrents.items()
    ]
    plans: dict[Actor, str] = {}
    async with scene.offering(*offers) as offered:
        for by, title in ((KEY, RELEASE), (run_of("run_1"), OTHER)):
            plans[by] = (await offered.drafted(title, by))["plan"]
    for by, plan in plans.items():
        await scene.approved(SUBMIT, by, plan=plan)
    return plans


@pytest.mark.anyio
async def test_of_two_films_for_one_slot_at_once_one_is_added(scene: Scene, tmp_path: Path) -> None:
    plans = await two_drafts(scene, tmp_path)
    outcomes: list[AnyOutcome] = []

    async def submit(by: Actor, plan: str) -> None:
        outcomes.append(await scene.call(SUBMIT, by, plan=plan))

    async with anyio.create_task_group() as group:
        for by, plan in plans.items():
            group.start_soon(submit, by, plan)
    assert sorted(type(outcome).__name__ for outcome in outcomes) in (
        ["Failed", "Succeeded"],
        ["Refused", "Succeeded"],
    )
    assert len(await scene.client.transfers()) == 1
    assert len(await scene.downloads()) == 1


@pytest.mark.anyio
async def test_an_earlier_act_of_unknown_outcome_is_waited_for(
    scene: Scene, tmp_path: Path
) -> None:
    plans = await two_drafts(scene, tmp_path)
    run = run_of("run_1")
    await dead_submission(scene, await scene.id_of(plans[KEY]))
    failed = await scene.failure(Code.CONFLICT, SUBMIT, run, plan=plans[run])
    assert failed.retry
    assert await scene.client.transfers() == []
    (unknown,) = await scene.read(lambda conn: claims.in_state(conn, ClaimState.UNKNOWN))
    assert isinstance(await scene.registry.reconcile(unknown), Failed)
    assert isinstance(await scene.call(SUBMIT, run, plan=plans[run]), Succeeded)


@pytest.mark.anyio
async def test_other_works_do_not_wait_for_one_another(scene: Scene, tmp_path: Path) -> None:
    await dead_submission(scene, await scene.id_of((await scene.drafted())["plan"]))
    title = "Big.Buck.Bunny.2008.1080p.BluRay.x264-OPEN"
    film = tmp_path / f"{title}.mkv"
    stretched(Sample.FILM_1080P, film, 300_000)
    bunny = await scene.work(id_="tmdb:film:10378")
    offer = Offer(title, GB, torrent=make_torrent(film), tmdb_id=10378)
    async with scene.offering(offer) as offered:
        release = (await offered.candidates(work=bunny))[title]["release"]
        await offered.answer("identity.resolve", release=release)
        plan = (await offered.answer("download.plan", release=release))["plan"]
    await scene.approved(SUBMIT, plan=plan)
    assert (await scene.answer(SUBMIT, plan=plan))["state"] == "submitted"
    states = {claim.state for claim in await scene.claims(SUBMIT)}
    assert states == {ClaimState.UNKNOWN, ClaimState.SUCCEEDED}
