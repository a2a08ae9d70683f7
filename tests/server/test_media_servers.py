from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from capabilities.adapters.media_server.port import MediaServers, Seen, ServerKind
from capabilities.adapters.outbound import Outbound
from capabilities.rules.works import WorkKind
from server.media_servers import media_servers
from server.secrets_at_rest.sealed import UNOPENED
from server.settings import Settings
from server.ways import Ways
from world.jellyfin_double import KEY, Library, serving_jellyfin

pytestmark = pytest.mark.anyio


def server(**given: object) -> dict[str, Any]:
    return {"name": "den", "kind": "jellyfin", "address": "http://127.0.0.1:1", **given}


@asynccontextmanager
async def built(*tables: dict[str, Any], shut: str = "") -> AsyncGenerator[MediaServers]:
    settings = Settings.model_validate({"media_servers": tables})
    async with Outbound(version="0") as out, Outbound(version="0", shut=UNOPENED) as closed:
        yield media_servers(settings.media_servers, Ways(out, closed, {shut}))


async def test_each_kind_is_built_under_its_name_for_what_it_shows() -> None:
    kinds = ["jellyfin", "emby", "plex", "kodi"]
    tables = [server(name=kind, kind=kind) for kind in kinds]
    async with built(*tables, server(name="tv", shows=["series"])) as servers:
        assert [(each.name, each.kind) for each in servers.showing(WorkKind.FILM)] == [
            (kind, ServerKind(kind)) for kind in kinds
        ]
        assert servers.showing(WorkKind.SERIES)[-1].name == "tv"


async def test_it_is_asked_with_its_key_by_the_paths_it_knows(tmp_path: Path) -> None:
    film = tmp_path / "a.mkv"
    film.write_bytes(b"video")
    library = Library("Films", "movies", tmp_path, "/media/films")
    async with serving_jellyfin(library) as double:
        table = server(address=double.address, key=KEY, paths={str(tmp_path): "/media/films"})
        async with built(table) as servers:
            (one,) = servers.showing(WorkKind.FILM)
            await one.refresh([str(film)])
            assert isinstance((await one.seen([str(film)]))[str(film)], Seen)


async def test_a_server_is_not_asked_anew_by_each_who_waits(tmp_path: Path) -> None:
    library = Library("Films", "movies", tmp_path, "/media/films")
    async with serving_jellyfin(library) as double:
        table = server(address=double.address, key=KEY, paths={str(tmp_path): "/media/films"})
        async with built(table) as servers:
            (one,) = servers.showing(WorkKind.FILM)
            path = str(tmp_path / "a.mkv")
            first = await one.seen([path])
            asked = len(double.requests)

            assert await one.seen([path]) == first
            assert len(double.requests) == asked


async def test_a_server_whose_sealed_key_does_not_open_is_never_asked() -> None:
    async with (
        serving_jellyfin() as double,
        built(server(address=double.address), shut="media_servers.den.key") as servers,
    ):
        health = await servers.showing(WorkKind.FILM)[0].health()
        assert double.requests == []

    assert (health.reachable, health.note) == (False, UNOPENED)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "minidlna"},
        {"address": "file:///media"},
        {"shows": []},
        {"shows": ["music"]},
        {"paths": {"relative": "/media"}},
        {"paths": {"/srv/films": ""}},
        {"paths": {"/srv/films": "/media", "/srv/series": "/media/"}},
    ],
)
def test_what_cannot_be_meant_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="media_servers"):
        Settings.model_validate({"media_servers": [server(**wrong)]})


def test_names_are_used_once() -> None:
    with pytest.raises(ValueError, match="used twice"):
        Settings.model_validate({"media_servers": [server(), server(kind="plex")]})
