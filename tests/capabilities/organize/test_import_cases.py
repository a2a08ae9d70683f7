"""What went wrong in other programs when finished downloads were imported, played here for real."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState
from capabilities.adapters.downloader.qbittorrent_states import state_of
from capabilities.adapters.shelf.faults import NotAFileError, PathRefusedError
from capabilities.adapters.shelf.roots import opened
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.import_plan import organize_plan
from capabilities.organize.sources import frozen
from capabilities.rules.path_mapping import PathMap, SameFolder
from ledger.stores.claims import ClaimState
from ledger.stores.downloads import DownloadRow
from server.background.recovery import look_at_unknown
from server.background.results import Done
from server.background.tasks import MOST_ATTEMPTS
from tests.capabilities.adapters.downloader.rig import film
from tests.capabilities.organize.downloads import (
    import_owed,
    imported,
    laid_out,
    series_arrived,
)
from tests.left_behind import EXECUTE, dead_placing
from tests.left_behind import frozen as frozen_plan
from tests.scene import IMPORT, Scene
from world.seeder import make_torrent
from world.stage import RELEASE

PLAN = "organize.plan"
PIECE = 16384
PACK = "Lantern.Street.S01.720p.WEB-DL.x264-OPEN"
SMALL = 12 * PIECE
"""Whole pieces, so that no file shares one with another."""
HALF = 100_000


def episodes(first: int, last: int) -> dict[str, int]:
    return {f"Lantern.Street.S01E{n:02}.720p.WEB-DL.mkv": SMALL for n in range(first, last + 1)}


async def planned(scene: Scene, row: DownloadRow) -> list[str]:
    """The sources of a plan for its import."""
    answer = await scene.answer(PLAN, IMPORT, download=row.id)
    wanted = organize_plan(await scene.plan(await scene.id_of(answer["plan"], IMPORT)))
    return [file.source.path for file in wanted.files]


async def let_go(scene: Scene) -> None:
    """Leave what lies there: a client would not delete folders that hold something else."""
    for transfer in await scene.client.transfers():
        await scene.client.remove(transfer.hashes.key, delete_data=False)


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"still written to")


def vanish(path: Path) -> None:
    path.unlink()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("meanwhile", "says"),
    [
        pytest.param(grow, "bytes instead of", id="ORG-08 a file that grows"),
        pytest.param(vanish, "nothing of that name", id="ORG-08 a name that vanished"),
    ],
)
async def test_only_files_that_the_disk_has_as_the_client_says_are_planned(
    scene: Scene, meanwhile: Callable[[Path], None], says: str
) -> None:
    row = await scene.arrived()
    meanwhile(scene.folders.downloads / RELEASE / f"{RELEASE}.mkv")
    refused = await scene.refusal(Code.PRECONDITION, PLAN, download=row.id)
    assert says in refused.sentence
    assert scene.on_shelf() == []
    await let_go(scene)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "stray",
    [
        pytest.param("Sintel.2010.mkv.!qB", id="ORG-08 an unfinished file beside it"),
        pytest.param("Sintel.Extended.2010.mkv", id="arr-44 a stranger in the save root"),
    ],
)
async def test_what_is_not_of_the_torrent_is_not_looked_at(scene: Scene, stray: str) -> None:
    row = await scene.arrived()
    film(scene.folders.downloads, size=SMALL, name=stray)
    film(scene.folders.downloads / RELEASE, size=SMALL, name=stray)
    assert all(stray not in source for source in await planned(scene, row))
    await let_go(scene)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "place", [pytest.param("", id="arr-44 the root"), pytest.param(RELEASE, id="arr-44 a folder")]
)
async def test_a_folder_is_never_imported_as_a_whole(scene: Scene, place: str) -> None:
    row = await scene.arrived()
    transfer = await scene.until_complete(row.info_hash)
    async with opened(scene.folders.downloads, "the downloads") as root:
        with pytest.raises((NotAFileError, PathRefusedError)):
            await frozen([place], root, transfer)


@pytest.mark.anyio
@pytest.mark.parametrize("stripped", [pytest.param("Sintel.2010", id="arr-44 a name cut short")])
async def test_files_are_where_the_clients_list_has_them_whatever_the_torrent_is_called(
    scene: Scene, stripped: str
) -> None:
    row = await scene.arrived()
    transfer = await scene.until_complete(row.info_hash)
    downloads = scene.folders.downloads
    shutil.copytree(downloads / RELEASE, downloads / stripped)
    path = f"{stripped}/{RELEASE}.mkv"
    video = next(file for file in transfer.files if file.path.endswith(".mkv"))
    listed = replace(transfer, files=(replace(video, path=path),))
    async with opened(downloads, "the downloads") as root:
        held = await frozen([path], root, listed)
    assert held[path].path == path


@pytest.mark.anyio
@pytest.mark.parametrize("done", [pytest.param(2, id="ORG-09 two torrents in one folder")])
async def test_of_two_torrents_in_one_folder_only_the_finished_ones_files_are_placed(
    scene: Scene, tmp_path: Path, done: int
) -> None:
    row = await series_arrived(scene, laid_out(tmp_path / "one", PACK, episodes(1, done)))
    other = laid_out(tmp_path / "two", PACK, episodes(done + 1, 4))
    unfinished = scene.folders.downloads / PACK
    for name in episodes(done + 1, 4):
        film(unfinished, size=SMALL // 2, name=name)
    await scene.client.add(AddRequest(make_torrent(other), scene.folders.downloads))
    assert sorted(source.rpartition("/")[2] for source in await planned(scene, row)) == list(
        episodes(1, done)
    )
    await let_go(scene)


@pytest.mark.anyio
@pytest.mark.parametrize("first", [pytest.param(1, id="ORG-10 the second has no place yet")])
async def test_a_download_of_which_a_file_could_not_be_told_is_not_silently_done(
    scene: Scene, tmp_path: Path, first: int
) -> None:
    files = {**episodes(first, first), "xq.mkv": SMALL}
    row = await series_arrived(scene, laid_out(tmp_path, PACK, files))
    task = await import_owed(scene, row)
    assert isinstance(await imported(scene, task), Done)
    (asked,) = await scene.decisions()
    assert asked.subject == row.id
    assert list(asked.evidence["files"]) == [f"{PACK}/xq.mkv"]
    assert {slot.episode for slot in await scene.slots() if slot.asset} == {first}


@pytest.mark.anyio
@pytest.mark.parametrize("older", [pytest.param("S01E01", id="ORG-11 downloads of one save path")])
async def test_what_was_placed_is_linked_to_its_own_download_and_not_to_a_path(
    scene: Scene, tmp_path: Path, older: str
) -> None:
    made: dict[str, DownloadRow] = {}
    for number, code in enumerate((older, "S01E02"), start=1):
        title = f"Lantern.Street.{code}.720p.WEB-DL.x264-OPEN"
        source = laid_out(tmp_path / code, title, {f"{title}.mkv": SMALL + number})
        made[code] = await series_arrived(scene, source, episode=number)
    for code, row in made.items():
        task = await import_owed(scene, row)
        assert isinstance(await imported(scene, task), Done)
        (record,) = await scene.records(row.id)
        assert [code in str(one["target"]) for one in record.placements] == [True]
        assert all(row.name in str(one["source"]) for one in record.placements)


@pytest.mark.anyio
@pytest.mark.parametrize("placed", [pytest.param(1, id="ORG-12 a part done, the rest never begun")])
async def test_what_a_restart_finds_half_placed_goes_on_to_its_end_under_the_same_plan(
    scene: Scene, tmp_path: Path, placed: int
) -> None:
    row = await series_arrived(scene, laid_out(tmp_path, PACK, episodes(1, 3)))
    plan = await frozen_plan(scene, row=row)
    for file in organize_plan(plan).files[:placed]:
        there = scene.folders.series / file.target
        there.parent.mkdir(parents=True, exist_ok=True)
        there.hardlink_to(scene.folders.downloads / file.source.path)
    task = await import_owed(scene, row)
    await dead_placing(scene, plan)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(EXECUTE)
    assert claim.state is ClaimState.SUCCEEDED
    assert len(list(scene.folders.series.rglob("*.mkv"))) == 3
    assert isinstance(await imported(scene, replace(task, attempts=1)), Done)
    assert len(await scene.claims(EXECUTE)) == 1
    assert 1 < MOST_ATTEMPTS < 100


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/data/tv/Show/x.mkv", id="ORG-24 the most specific source"),
        pytest.param("/data/tv", id="arr-55 the folder itself"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_of_two_folders_the_one_that_fits_most_closely_decides(path: str, *, turned: bool) -> None:
    pairs = [SameFolder("/srv/data", "/data"), SameFolder("/srv/series", "/data/tv")]
    mapped = PathMap(reversed(pairs) if turned else pairs)
    assert mapped.to_ours(path) == path.replace("/data/tv", "/srv/series")
    assert mapped.to_ours("/data/tv-old/x.mkv") == "/srv/data/tv-old/x.mkv"
    assert mapped.to_theirs(mapped.to_ours(path)) == path


@pytest.mark.anyio
@pytest.mark.parametrize("theirs", [pytest.param("/downloads", id="arr-55 a container's path")])
async def test_a_path_that_is_not_here_is_refused_by_both_its_names(
    scene: Scene, theirs: str
) -> None:
    row = await scene.arrived()
    transfer = await scene.until_complete(row.info_hash)
    elsewhere = replace(transfer, save_path=Path(theirs), client_path=Path("/media"))
    async with opened(scene.folders.downloads, "the downloads") as root:
        with pytest.raises(HaltError) as refused:
            await frozen([transfer.files[0].path], root, elsewhere)
    said = refused.value.outcome.sentence
    assert theirs in said
    assert "/media" in said


@pytest.mark.anyio
@pytest.mark.parametrize(
    "word", [pytest.param(one, id=f"arr-43 {one}") for one in ("moving", "checkingResumeData")]
)
async def test_while_a_client_moves_or_checks_its_files_nothing_is_planned(
    scene: Scene, word: str
) -> None:
    row = await scene.arrived()
    transfer = await scene.until_complete(row.info_hash)
    assert state_of(word) is ClientState.CHECKING
    assert not replace(transfer, state=state_of(word)).complete


@pytest.mark.anyio
@pytest.mark.parametrize("held", [pytest.param("S01E03", id="arr-45 one is not fetched")])
async def test_files_that_were_not_fetched_are_not_touched_and_the_rest_is_placed(
    scene: Scene, tmp_path: Path, held: str
) -> None:
    title = f"Lantern.Street.{held}.720p.WEB-DL.x264-OPEN"
    first = laid_out(tmp_path / "first", title, {f"{title}.mkv": SMALL})
    before = await series_arrived(scene, first, episode=3)
    assert isinstance(await imported(scene, await import_owed(scene, before)), Done)
    source = laid_out(tmp_path / "pack", PACK, episodes(1, 3))
    shutil.copytree(source, scene.folders.downloads / PACK)
    part = next((scene.folders.downloads / PACK).glob(f"*{held}*"))
    part.write_bytes(part.read_bytes()[:HALF])
    row = await series_arrived(scene, source, piece_size=PIECE, there=True)
    sources = [path.rpartition("/")[2] for path in await planned(scene, row)]
    assert sorted(sources) == list(episodes(1, 2))
    assert isinstance(await imported(scene, await import_owed(scene, row)), Done)
    assert len(list(scene.folders.series.rglob("*.mkv"))) == 3
    assert part.stat().st_size == HALF
    assert await scene.decisions() == []
