from pathlib import Path

import anyio
import httpx2
import pytest

from tests.capabilities.adapters.downloader.qbittorrent_server import profile_in
from world.local_program import LocalProgram, NotStartedError, ProgramMissingError
from world.qbittorrent_program import Profile, running


async def signed_in(program: LocalProgram) -> httpx2.Response:
    held = {"username": program.user, "password": program.password}
    headers = {"Referer": program.address}
    async with httpx2.AsyncClient(base_url=program.address, trust_env=False) as http:
        return await http.post("/api/v2/auth/login", data=held, headers=headers)


@pytest.mark.anyio
async def test_it_answers_asks_for_its_password_and_runs_again_with_what_it_kept(
    tmp_path: Path,
) -> None:
    profile = profile_in(tmp_path)
    for _ in range(2):
        async with running(profile) as program:
            answer = await signed_in(program)
            async with httpx2.AsyncClient(trust_env=False) as http:
                shut = await http.get(f"{program.address}/api/v2/app/version")
        assert (answer.text, shut.status_code) == ("Ok.", 403)
        assert program.process.returncode == 0
        assert program.password not in repr(program)


@pytest.mark.anyio
async def test_one_that_is_killed_is_gone(tmp_path: Path) -> None:
    async with running(profile_in(tmp_path)) as program:
        await program.kill()
        with pytest.raises(OSError, match="connect"):
            await anyio.connect_tcp("127.0.0.1", int(program.address.rpartition(":")[2]))


@pytest.mark.anyio
async def test_where_it_is_not_installed_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProgramMissingError, match="apt install qbittorrent-nox"):
        async with running(Profile(tmp_path / "q")):
            pass


@pytest.mark.anyio
async def test_one_that_ends_at_its_start_is_said_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "qbittorrent-nox").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "qbittorrent-nox").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(NotStartedError, match="ended with 3"):
        async with running(Profile(tmp_path / "q")):
            pass
