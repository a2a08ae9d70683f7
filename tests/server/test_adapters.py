from pathlib import Path
from typing import Any

import pytest

from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.adapters.indexer.indexers import Indexers
from capabilities.adapters.indexer.queries import TextQuery
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.faults import UnreachableError
from server.adapters import adapters, held
from server.settings import Settings
from world.seeder import make_torrent

ALL = (Catalogue, Indexers, Folders, Downloaders)


def folders(root: Path) -> dict[str, str]:
    chosen = {name: root / name for name in ("downloads", "films", "series")}
    for folder in chosen.values():
        folder.mkdir()
    return {name: str(folder) for name, folder in chosen.items()}


def names_in(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


def settings(**given: Any) -> Settings:
    quiet = {"loopback_world": True}
    return Settings.model_validate({"downloader": {"embedded": quiet}, **given})


@pytest.mark.anyio
async def test_what_is_not_configured_is_not_there(tmp_path: Path) -> None:
    async with adapters(tmp_path, settings(metadata={"sources": []}), "0") as parts:
        assert [held(parts, kind) for kind in ALL] == [None] * 4
    assert names_in(tmp_path) == []


@pytest.mark.anyio
async def test_everything_configured_is_there_by_its_class(tmp_path: Path) -> None:
    given = settings(
        folders=folders(tmp_path),
        metadata={"tmdb": {"key": "secret"}},
        indexers=[
            {"name": "one", "address": "http://127.0.0.1:1/api", "key": "k", "priority": 40},
            {"name": "two", "address": "http://127.0.0.1:2/api", "priority": 3},
        ],
        policy={"min_free_bytes": 7},
    )
    async with adapters(tmp_path, given, "0") as parts:
        assert all(held(parts, kind) is not None for kind in ALL)
        assert parts.get(Indexers).priorities == {"two": 3, "one": 40}
        assert parts.get(Folders) == Folders(
            tmp_path / "downloads", tmp_path / "films", tmp_path / "series", 7
        )
        clients = parts.get(Downloaders)
        assert clients.default.kind == "embedded"
        assert not (await clients.default.health()).reachable
        async with parts.get(InOnePlace).here():
            assert (await clients.default.health()).reachable
    assert not (await clients.default.health()).reachable


@pytest.mark.anyio
@pytest.mark.parametrize("missing", ["downloads", "films", "series"])
async def test_without_a_place_for_the_result_nothing_is_downloaded(
    tmp_path: Path, missing: str
) -> None:
    chosen = folders(tmp_path)
    del chosen[missing]
    async with adapters(tmp_path, settings(folders=chosen), "0") as parts:
        assert held(parts, Folders) is None
        assert held(parts, Downloaders) is None


@pytest.mark.anyio
async def test_the_client_keeps_its_torrents_in_the_home(tmp_path: Path) -> None:
    film = tmp_path / "film.mkv"
    film.write_bytes(b"film")
    given = settings(folders=folders(tmp_path))
    async with adapters(tmp_path, given, "0") as parts, parts.get(InOnePlace).here():
        hashes = await parts.get(Downloaders).default.add(
            AddRequest(make_torrent(film), tmp_path / "downloads")
        )
    async with adapters(tmp_path, given, "0") as parts, parts.get(InOnePlace).here():
        assert await parts.get(Downloaders).default.transfer(hashes.key) is not None
    assert (tmp_path / "torrents").is_dir()


@pytest.mark.anyio
async def test_the_clients_settings_are_passed_on(tmp_path: Path) -> None:
    quiet = {
        "listen_port": 0,
        "dht": False,
        "lsd": False,
        "pex": False,
        "utp": False,
        "encryption": "required",
    }
    given = settings(folders=folders(tmp_path), downloader={"embedded": quiet})
    async with adapters(tmp_path, given, "0") as parts, parts.get(InOnePlace).here():
        health = await parts.get(Downloaders).default.health()
    assert (health.reachable, health.note) == (True, None)


@pytest.mark.anyio
async def test_what_needs_a_sealed_key_that_does_not_open_is_there_and_says_so(
    tmp_path: Path,
) -> None:
    given = settings(
        metadata={"sources": ["tmdb"]},
        indexers=[
            {"name": "lacks", "address": "http://127.0.0.1:1/api"},
            {"name": "open", "address": "http://127.0.0.1:1/api"},
        ],
    )
    shut = ("metadata.tmdb.key", "indexers.lacks.key")
    async with adapters(tmp_path, given, "0", shut=shut) as parts:
        with pytest.raises(UnreachableError, match=r"TMDB: Its key is sealed.*secret\.key"):
            await parts.get(Catalogue).search("Sintel")
        answer = await parts.get(Indexers).search_all(TextQuery("Sintel"))
    said = {each.name: "Its key is sealed" in each.sentence for each in answer.failures}
    assert said == {"lacks": True, "open": False}


@pytest.mark.anyio
async def test_a_plain_key_is_used_although_the_sealed_one_does_not_open(tmp_path: Path) -> None:
    tmdb = {"key": "secret", "address": "http://127.0.0.1:1/3"}
    given = settings(metadata={"sources": ["tmdb"], "tmdb": tmdb})
    async with adapters(tmp_path, given, "0", shut=("metadata.tmdb.key",)) as parts:
        with pytest.raises(UnreachableError) as away:
            await parts.get(Catalogue).search("Sintel")
    assert "sealed" not in away.value.sentence
