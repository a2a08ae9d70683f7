"""Other torrents are asked for the files that they have in the same place, and no further."""

import shutil
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.download.other_torrents import files_of_others
from tests.capabilities.download.submitting import another_client
from tests.scene import Scene
from world.seeder import make_torrent

pytestmark = pytest.mark.anyio


def pack(folder: Path) -> Path:
    source = folder / "Pack"
    source.mkdir(parents=True)
    (source / "one.txt").write_text("one", "utf-8")
    return source


async def test_what_another_torrent_has_there_is_known_by_its_real_path(
    scene: Scene, tmp_path: Path
) -> None:
    row = await scene.arrived()
    source = pack(tmp_path / "made")
    downloads = scene.folders.downloads
    shutil.copytree(source, downloads / "Pack")
    way = tmp_path / "way"
    way.symlink_to(downloads)
    await scene.client.add(AddRequest(make_torrent(source), way))
    mine = await scene.client.transfer(row.info_hash)
    assert mine is not None
    clients = Downloaders((scene.client,), "embedded")
    assert await files_of_others(clients, scene.client, mine) == {
        f"{downloads.resolve()}/Pack/one.txt": "another torrent in embedded has it"
    }


async def test_what_lies_elsewhere_is_nobodys_business(scene: Scene, tmp_path: Path) -> None:
    row = await scene.arrived()
    mine = await scene.client.transfer(row.info_hash)
    assert mine is not None
    async with another_client(tmp_path / "c", "attic") as attic:
        await attic.add(AddRequest(scene.stage.seed.torrent_bytes, tmp_path / "elsewhere"))
        clients = Downloaders((scene.client, attic), "embedded")
        assert await files_of_others(clients, scene.client, mine) == {}
