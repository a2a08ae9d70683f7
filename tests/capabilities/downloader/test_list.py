from pathlib import Path

import pytest

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.media_server.emby import emby
from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.port import MediaServers, Shown
from capabilities.kernel.codes import Code
from tests.capabilities.adapters.media_server.bench import at_work
from tests.capabilities.adapters.outbound_bench import outbound
from tests.scene import Scene
from tests.stage_set import QUICK
from world.jellyfin_double import VERSION


@pytest.mark.anyio
async def test_a_client_says_how_it_is_and_its_downloads_are_counted(scene: Scene) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "downloading")
    (client,) = (await scene.answer("downloader.list"))["downloaders"]
    assert (client["name"], client["kind"], client["default"]) == ("embedded", "embedded", True)
    assert client["reachable"]
    assert client["version"].startswith("libtorrent 2")
    assert client["downloads"] == {"downloading": 1}


@pytest.mark.anyio
async def test_one_that_does_not_answer_is_told_beside_one_that_does(
    scene: Scene, tmp_path: Path
) -> None:
    async with open_embedded(
        tmp_path / "state", tmp_path, LoopbackProfile(), name="attic", timing=QUICK
    ) as closed:
        pass
    both = scene.having(Downloaders((scene.client, closed), "embedded"))
    listed = (await both.answer("downloader.list"))["downloaders"]
    assert [(each["name"], each["reachable"], each["default"]) for each in listed] == [
        ("embedded", True, True),
        ("attic", False, False),
    ]


@pytest.mark.anyio
async def test_media_servers_are_listed_with_their_version_or_what_is_wrong(
    scene: Scene, tmp_path: Path
) -> None:
    async with at_work(tmp_path, jellyfin) as bench, outbound() as out:
        stranger = emby("attic", bench.double.address, "wrong", outbound=out)
        both = scene.having(MediaServers((Shown(bench.server), Shown(stranger))))
        listed = (await both.answer("downloader.list"))["media_servers"]
    assert [
        (each["name"], each["kind"], each["reachable"], each["version"]) for each in listed
    ] == [
        ("den", "jellyfin", True, VERSION),
        ("attic", "emby", False, ""),
    ]
    assert "note" not in listed[0]
    assert "does not accept its key" in listed[1]["note"]


@pytest.mark.anyio
async def test_without_any_media_server_the_list_of_them_is_empty(scene: Scene) -> None:
    assert (await scene.answer("downloader.list"))["media_servers"] == []


@pytest.mark.anyio
async def test_without_any_it_says_what_to_configure(scene: Scene) -> None:
    bare = scene.having(without=[Downloaders])
    refused = await bare.refusal(Code.PRECONDITION, "downloader.list")
    assert "download client" in refused.sentence
