"""A better copy, from the search to the shelf: the old file stands until the new one does."""

from contextlib import AbstractAsyncContextManager

import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.shelf.recycling import RECYCLE
from capabilities.kernel.deciding import decide
from capabilities.kernel.grant_making import make
from capabilities.kernel.outcomes import Succeeded
from ledger.stores import approvals, shelf
from ledger.stores.downloads import DownloadRow
from ledger.stores.grants import NewGrant, Scope, Terms
from server.background.importing import Importer
from server.background.results import Done, Result, Wait
from server.background.tracking import Tracker
from tests.scene import FOLDER, OWNER, SUBTITLE, VIDEO, Scene
from tests.shelf_rows import standing_film
from tests.stage_set import MIB
from world.indexer_feed import Offer
from world.stage import RELEASE, SINTEL

OLD = f"{FOLDER}/Sintel (2010) - [WEBDL-720p].avi"
SUBMIT = "download.submit"
EXECUTE = "organize.execute"


async def stood(scene: Scene) -> str:
    """A 720p of the film in the library; the id of its row."""
    await scene.work()
    await standing_film(scene, OLD, width=1280, height=720)
    (asset,) = await scene.read(shelf.assets)
    return asset.id


def offering(scene: Scene) -> AbstractAsyncContextManager[Scene]:
    """The house, where a 1080p of it is offered."""
    torrent = scene.stage.seed.torrent_bytes
    return scene.offering(Offer(RELEASE, MIB, torrent=torrent, tmdb_id=SINTEL))


async def imported(scene: Scene, row: DownloadRow) -> Result:
    """What the importer makes of a download that is complete."""
    clients = Downloaders((scene.client,), "embedded")
    if "import" not in (tasks := await scene.tasks(row.id)):
        await Tracker(scene.ledger, clients).attend(tasks["track"])
        tasks = await scene.tasks(row.id)
    return await Importer(scene.ledger, scene.registry, clients).attend(tasks["import"])


async def allowed(scene: Scene, action: str) -> str:
    """A grant of the owner that lets files be replaced; its id."""
    terms = Terms(Scope(), None, None, may_replace=True, expires_at=None)
    made = await make(scene.ledger, scene.registry.specs, NewGrant(action, terms), by=OWNER)
    assert isinstance(made, Succeeded), made
    return made.data.id


async def agreed(scene: Scene) -> None:
    """The owner says yes to what is asked."""
    (asked,) = await scene.decisions()
    approval = await scene.read(lambda conn: approvals.by_id(conn, str(asked.approval)))
    assert approval is not None
    outcome = await decide(
        scene.ledger,
        approval.id,
        approved=True,
        by=OWNER,
        payload_hash=approval.payload_hash,
        revision=approval.revision,
    )
    assert isinstance(outcome, Succeeded), outcome


@pytest.mark.anyio
async def test_a_better_copy_takes_the_place_of_the_old_one_which_stands_until_then(
    scene: Scene,
) -> None:
    old = await stood(scene)
    inode = (scene.folders.films / OLD).stat().st_ino
    async with offering(scene) as house:
        row = await house.arrived()
    assert scene.on_shelf() == [OLD]
    assert [(one.state, one.asset) for one in await scene.slots()] == [("satisfied", old)]

    waits = await imported(scene, row)
    assert isinstance(waits, Wait), waits
    assert scene.on_shelf() == [OLD]
    await agreed(scene)
    placed = await imported(scene, row)
    assert isinstance(placed, Done), placed

    on_shelf = [name for name in scene.on_shelf() if not name.startswith(RECYCLE)]
    assert on_shelf == sorted([VIDEO, SUBTITLE])
    assert (scene.folders.films / RECYCLE / OLD).stat().st_ino == inode
    (now,) = await scene.read(shelf.assets)
    assert now.path == str(scene.folders.films / VIDEO)
    assert [(one.state, one.asset) for one in await scene.slots()] == [("satisfied", now.id)]
    (film,) = (await scene.answer("inventory.query", text="Sintel"))["works"]
    assert [(file["path"], file["quality"]) for file in film["files"]] == [
        (now.path, "Bluray-1080p")
    ]


@pytest.mark.anyio
async def test_grants_that_let_files_be_replaced_bring_it_without_a_question(scene: Scene) -> None:
    await stood(scene)
    grants = [await allowed(scene, action) for action in (SUBMIT, EXECUTE)]
    async with offering(scene) as house:
        drafted = await house.drafted()
        assert (drafted["requires_approval"], drafted["covered_by"]) == (False, grants[0])
        answer = await house.answer(SUBMIT, plan=drafted["plan"])
    row = await scene.download(await scene.id_of(answer["download"]))
    await scene.until_complete(row.info_hash)
    assert await imported(scene, row) == Done(
        "2 files placed in Films by hardlink. 1 file went into the recycle folder."
    )
    assert (scene.folders.films / RECYCLE / OLD).exists()
    assert await scene.decisions() == []
