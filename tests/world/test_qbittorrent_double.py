from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from world.qbittorrent_double import PASSWORD, USER, Mishap, QbittorrentDouble, qbittorrent_double
from world.seeder import make_torrent


@asynccontextmanager
async def visited() -> AsyncGenerator[tuple[QbittorrentDouble, httpx2.AsyncClient]]:
    async with (
        qbittorrent_double() as double,
        httpx2.AsyncClient(base_url=f"{double.address}/api/v2", trust_env=False) as http,
    ):
        yield double, http


async def sign_in(http: httpx2.AsyncClient, password: str = PASSWORD) -> httpx2.Response:
    return await http.post("/auth/login", data={"username": USER, "password": password})


@pytest.mark.anyio
async def test_it_keeps_strangers_and_foreign_pages_out_and_bans_who_guesses() -> None:
    async with visited() as (_, http):
        stranger = await http.get("/app/version")
        foreign = await http.get("/app/version", headers={"Origin": "http://evil.example"})
        guesses = [(await sign_in(http, "guess")).text for _ in range(5)]
        banned = await sign_in(http)

    assert (stranger.status_code, foreign.status_code, banned.status_code) == (403, 401, 403)
    assert guesses == ["Fails."] * 5


@pytest.mark.anyio
async def test_it_speaks_version_5(tmp_path: Path) -> None:
    (tmp_path / "film.mkv").write_bytes(b"film" * 1000)
    torrent = make_torrent(tmp_path / "film.mkv")
    async with visited() as (double, http):
        await sign_in(http)
        files = {"torrents": ("a.torrent", torrent)}
        added = [
            (await http.post("/torrents/add", data={"stopped": "true"}, files=files)).text
            for _ in range(2)
        ]
        [id_] = double.torrents
        words = [double.torrents[id_].row["state"]]
        for act in ("start", "stop"):
            await http.post(f"/torrents/{act}", data={"hashes": id_})
            words.append(double.torrents[id_].row["state"])
        old = await http.post("/torrents/pause", data={"hashes": id_})
        export = await http.get("/torrents/export", params={"hash": id_})
        garbage = await http.post("/torrents/add", files={"torrents": ("a", b"<html>")})

    assert added == ["Ok.", "Fails."]
    assert words == ["stoppedDL", "stalledDL", "stoppedDL"]
    assert (old.status_code, garbage.status_code) == (404, 415)
    assert export.content == torrent


@pytest.mark.anyio
async def test_what_is_lost_happened_and_what_is_broken_did_not() -> None:
    async with visited() as (double, http):
        await sign_in(http)
        double.mishaps["createCategory"] = Mishap.BROKEN
        broken = await http.post("/torrents/createCategory", data={"category": "a"})
        double.mishaps["createCategory"] = Mishap.LOST
        with pytest.raises(httpx2.ReadTimeout):
            await http.post("/torrents/createCategory", data={"category": "b"}, timeout=0.2)

        assert broken.status_code == 500
        assert double.categories == {"b"}
