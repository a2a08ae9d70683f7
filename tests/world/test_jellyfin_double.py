from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.responses import Response

from world.jellyfin_double import KEY, JellyfinDouble, Library, serving_jellyfin

pytestmark = pytest.mark.anyio

SIGNED = {"Authorization": f'MediaBrowser Token="{KEY}"'}


@dataclass
class Rig:
    double: JellyfinDouble
    library: Library
    client: httpx2.AsyncClient
    clock: list[float]

    async def told(self, *paths: str) -> None:
        updates = [{"Path": path, "UpdateType": "Created"} for path in paths]
        url = f"{self.double.address}/Library/Media/Updated"
        answer = await self.client.post(url, json={"Updates": updates})
        assert answer.status_code == 204

    async def items(self, **asked: str) -> list[dict[str, Any]]:
        query = {
            "parentId": self.library.id,
            "includeItemTypes": "Movie,Episode",
            "fields": "Path,ProviderIds",
            **asked,
        }
        return (await self.client.get(f"{self.double.address}/Items", params=query)).json()["Items"]


@asynccontextmanager
async def rig(
    folder: Path, signed: Mapping[str, str] = SIGNED, *, kind: str = "movies"
) -> AsyncGenerator[Rig]:
    clock = [0.0]
    library = Library("Films", kind, folder, "/media/films")
    async with (
        serving_jellyfin(library, now=lambda: clock[0]) as double,
        httpx2.AsyncClient(trust_env=False, headers=signed) as client,
    ):
        yield Rig(double, library, client, clock)


def video(folder: Path, name: str) -> str:
    (folder / name).write_bytes(b"video")
    return f"/media/films/{name}"


async def test_a_file_becomes_an_item_after_the_delay(tmp_path: Path) -> None:
    async with rig(tmp_path) as server:
        server.double.delay_s = 5
        path = video(tmp_path, "Sintel (2010) {tmdb-45745}.mkv")
        await server.told(path)
        waiting = server.double.told
        server.clock[0] = 4.9
        early = await server.items()
        server.clock[0] = 5
        (item,) = await server.items()

    assert (waiting, early) == ([path], [])
    assert (item["Path"], item["Name"], item["ProviderIds"]) == (
        path,
        "Sintel",
        {"Tmdb": "45745"},
    )


async def test_only_what_it_was_told_of_and_can_see_becomes_an_item(tmp_path: Path) -> None:
    async with rig(tmp_path) as server:
        video(tmp_path, "untold.mkv")
        blind, text = video(tmp_path, "blind.mkv"), video(tmp_path, "notes.txt")
        server.double.blind_to.add("blind.mkv")
        await server.told(blind, text, "/media/films/absent.mkv", "/elsewhere/a.mkv")

        assert await server.items() == []


async def test_a_folder_is_looked_through_and_what_is_gone_is_dropped(tmp_path: Path) -> None:
    inside = tmp_path / "A"
    inside.mkdir()
    video(inside, "1.mkv")
    video(inside, "2.mkv")
    async with rig(tmp_path) as server:
        await server.told("/media/films/A")
        both = [item["Name"] for item in await server.items()]
        second = await server.items(startIndex="1", limit="1")
        (inside / "2.mkv").rename(tmp_path / "elsewhere.mkv")
        await server.told("/media/films/A/2.mkv")
        left = [item["Name"] for item in await server.items()]

    assert both == ["2", "1"]
    assert [item["Name"] for item in second] == ["1"]
    assert left == ["1"]


async def test_files_of_one_name_in_a_films_folder_are_versions_of_one_item(
    tmp_path: Path,
) -> None:
    inside = tmp_path / "A (2010)"
    inside.mkdir()
    names = ("A (2010) - [1080p].mkv", "A (2010) - [2160p].mkv")
    for name in names:
        video(inside, name)
    async with rig(tmp_path) as server:
        await server.told("/media/films/A (2010)")
        (item,) = await server.items(fields="MediaSources")

    paths = [version["Path"] for version in item["MediaSources"]]
    assert paths == [f"/media/films/A (2010)/{name}" for name in names]


async def test_items_are_found_by_words_of_their_names(tmp_path: Path) -> None:
    async with rig(tmp_path) as server:
        await server.told(video(tmp_path, "Sintel.mkv"), video(tmp_path, "Other.mkv"))

        assert [item["Name"] for item in await server.items(searchTerm="sinte")] == ["Sintel"]
        assert await server.items(searchTerm="nothing") == []


async def test_episodes_have_a_series_above_them(tmp_path: Path) -> None:
    season = tmp_path / "Show (2019)" / "Season 01"
    season.mkdir(parents=True)
    video(season, "Show - S01E01.mkv")
    async with rig(tmp_path, kind="tvshows") as server:
        await server.told("/media/films/Show (2019)")
        (series,) = await server.items(includeItemTypes="Series")
        (episode,) = await server.items(parentId=series["Id"])

        assert (series["Name"], series["Type"]) == ("Show", "Series")
        assert (episode["Name"], episode["Type"]) == ("Show - S01E01", "Episode")
        assert await server.items(parentId="none") == []


async def test_it_may_pretend_to_hold_very_many_that_came_later(tmp_path: Path) -> None:
    async with rig(tmp_path) as server:
        await server.told(video(tmp_path, "Sintel.mkv"))
        server.double.pretends_to_hold(1_000, tmp_path)
        last = await server.items(startIndex="998", limit="10")

        assert [item["Name"] for item in last] == ["998", "999", "Sintel"]
        assert len(await server.items(searchTerm="Sintel")) == 1


async def test_an_item_shows_the_fields_that_are_asked_for(tmp_path: Path) -> None:
    async with rig(tmp_path) as server:
        await server.told(video(tmp_path, "a.mkv"))
        (item,) = await server.items(fields="Overview")

        assert set(item) == {"Id", "Name", "Type"}
        assert await server.items(includeItemTypes="Episode") == []


@pytest.mark.parametrize("path", ["/System/Info", "/Library/VirtualFolders", "/Items"])
async def test_it_wants_its_key_in_either_way(tmp_path: Path, path: str) -> None:
    async with rig(tmp_path, {}) as server:
        url = f"{server.double.address}{path}"
        query = {"parentId": server.library.id}
        refused = await server.client.get(url, params=query)
        answers = [
            await server.client.get(url, params=query, headers=headers)
            for headers in (SIGNED, {"X-Emby-Token": KEY})
        ]

    assert refused.status_code == 401
    assert [answer.status_code for answer in answers] == [200, 200]


async def test_trouble_comes_when_told_and_then_is_over(tmp_path: Path) -> None:
    async with rig(tmp_path) as server:
        server.double.answer_next(Response(status_code=503))
        url = f"{server.double.address}/System/Info"
        answers = [(await server.client.get(url)).status_code for _ in range(2)]

    assert answers == [503, 200]
