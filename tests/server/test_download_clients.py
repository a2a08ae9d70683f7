from pathlib import Path

import pytest

from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.adapters.shelf.folders import Folders
from server.adapters import adapters, held
from server.settings import Settings
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import film
from tests.capabilities.adapters.downloader.transmission_server import program_in
from world.qbittorrent_double import PASSWORD, USER, qbittorrent_double
from world.seeder import make_torrent


def folders(root: Path) -> dict[str, str]:
    return {name: str(root / name) for name in ("downloads", "films", "series")}


@pytest.mark.anyio
async def test_another_download_client_is_there_beside_the_embedded_one(tmp_path: Path) -> None:
    async with qbittorrent_double() as double:
        given = Settings.model_validate(
            {
                "folders": folders(tmp_path),
                "downloader": {"default": "den", "embedded": {"loopback_world": True}},
                "downloaders": [
                    {
                        "name": "den",
                        "kind": "qbittorrent",
                        "address": double.address,
                        "user": USER,
                        "password": PASSWORD,
                    }
                ],
            }
        )
        async with adapters(tmp_path, given, "0") as parts:
            clients = parts.get(Downloaders)
            health = await clients.default.health()
            kinds = [(client.name, client.kind) for client in clients.clients]
        shut = {"downloaders.den.password"}
        held_back = given.downloaders[0].model_copy(update={"password": None})
        sealed = given.model_copy(update={"downloaders": (held_back,)})
        async with adapters(tmp_path, sealed, "0", shut=shut) as parts:
            unopened = await parts.get(Downloaders).default.health()

    assert kinds == [("embedded", "embedded"), ("den", "qbittorrent")]
    assert (health.reachable, health.version) == (True, "qBittorrent v5.0.4")
    assert not unopened.reachable
    assert "sealed" in (unopened.note or "")


@pytest.mark.anyio
async def test_a_transmission_is_entered_as_the_settings_say(tmp_path: Path) -> None:
    async with program_in(tmp_path) as (_, account):
        client = {
            "name": "attic",
            "kind": "transmission",
            "address": account.address,
            "user": account.user,
            "password": account.password,
        }
        given = Settings.model_validate(
            {
                "folders": folders(tmp_path),
                "downloader": {"default": "attic", "embedded": {"enabled": False}},
                "downloaders": [client],
            }
        )
        async with adapters(tmp_path, given, "0") as parts:
            default = parts.get(Downloaders).default
            health = await default.health()

    assert (default.name, default.kind) == ("attic", "transmission")
    assert health.reachable
    assert health.version.startswith("Transmission ")


@pytest.mark.anyio
async def test_a_client_elsewhere_is_told_its_own_name_of_a_folder(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "source"))
    async with qbittorrent_double() as double:
        client = {
            "name": "den",
            "kind": "qbittorrent",
            "address": double.address,
            "user": USER,
            "password": PASSWORD,
            "paths": {str(tmp_path): "/data"},
        }
        given = Settings.model_validate(
            {
                "folders": folders(tmp_path),
                "downloader": {"default": "den", "embedded": {"enabled": False}},
                "downloaders": [client],
            }
        )
        async with (
            adapters(tmp_path, given, "0") as parts,
            connected(account_of(double)) as itself,
        ):
            mapped = parts.get(Downloaders).default
            key = (await mapped.add(AddRequest(torrent, tmp_path / "downloads"))).key
            here, there = await mapped.transfer(key), await itself.transfer(key)

    assert here is not None
    assert there is not None
    assert here.save_path == tmp_path / "downloads"
    assert there.save_path == Path("/data/downloads")


@pytest.mark.anyio
async def test_the_embedded_client_can_be_left_out(tmp_path: Path) -> None:
    off = {"embedded": {"enabled": False}}
    given = Settings.model_validate({"folders": folders(tmp_path), "downloader": off})
    async with adapters(tmp_path, given, "0") as parts:
        assert held(parts, Downloaders) is None
        assert held(parts, InOnePlace) is None
        assert held(parts, Folders) is not None
