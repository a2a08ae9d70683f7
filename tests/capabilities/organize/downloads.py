"""Finished downloads of which a test says what lies in them."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from capabilities.adapters.downloader.port import Downloaders
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskRow
from server.background.importing import Importer
from server.background.results import Result
from server.background.tracking import Tracker
from tests.scene import Scene
from world.indexer_feed import Offer
from world.samples import Sample, stretched
from world.seeder import make_torrent
from world.stage import GB

SERIES = 900001
"""Lantern Street at the metadata source of the world."""


def laid_out(folder: Path, title: str, files: Mapping[str, int]) -> Path:
    """A release with these videos, by path and size in bytes."""
    source = folder / "made" / title
    for number, (name, size) in enumerate(files.items()):
        file = source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        stretched(Sample.EPISODE_720P, file, size, seed=number)
    return source


async def series_arrived(
    scene: Scene,
    source: Path,
    *,
    season: int = 1,
    episode: int | None = None,
    piece_size: int = 0,
    there: bool = False,
) -> DownloadRow:
    """A finished download of it, approved as episodes of Lantern Street.

    Its bytes are in the download folder, where they are not already ``there``.
    """
    if not there:
        shutil.copytree(source, scene.folders.downloads / source.name)
    offer = Offer(
        source.name,
        GB // 4,
        torrent=make_torrent(source, piece_size=piece_size),
        tmdb_id=SERIES,
        season=season,
        episode=episode,
        categories=(5040,),
    )
    work = await scene.work(id_=f"tmdb:series:{SERIES}")
    async with scene.offering(offer) as offered:
        if episode is None:
            found = await offered.candidates(work=work, season=season)
        else:
            found = await offered.candidates(work=work, season=season, episode=episode)
        release = found[source.name]["release"]
        await offered.answer("identity.resolve", release=release)
        plan = (await offered.answer("download.plan", release=release))["plan"]
        await offered.approved("download.submit", plan=plan)
        answer = await offered.answer("download.submit", plan=plan)
    row = await scene.download(await scene.id_of(answer["download"]))
    await scene.until_complete(row.info_hash)
    return row


async def import_owed(scene: Scene, row: DownloadRow) -> TaskRow:
    """The task that is to import a download which is complete."""
    tracker = Tracker(scene.ledger, Downloaders((scene.client,), "embedded"))
    await tracker.attend((await scene.tasks(row.id))["track"])
    return (await scene.tasks(row.id))["import"]


async def imported(scene: Scene, task: TaskRow) -> Result:
    """What one attempt at the import comes to."""
    clients = scene.parts.get(Downloaders)
    return await Importer(scene.ledger, scene.registry, clients).attend(task)
