"""A real Transmission for tests: it answers, keeps what it has, and ends."""

from pathlib import Path

import httpx2
import pytest

from tests.capabilities.adapters.downloader.transmission_server import profile_in
from world.local_program import LocalProgram, ProgramMissingError
from world.transmission_program import TransmissionProfile, running


@pytest.fixture
def profile(tmp_path: Path) -> TransmissionProfile:
    return profile_in(tmp_path)


async def status_of(program: LocalProgram, password: str) -> int:
    async with httpx2.AsyncClient(trust_env=False, timeout=5) as client:
        answer = await client.post(
            f"{program.address}/transmission/rpc", auth=(program.user, password), json={}
        )
    return answer.status_code


@pytest.mark.anyio
async def test_it_answers_whoever_knows_the_password_and_ends_with_the_block(
    profile: TransmissionProfile,
) -> None:
    async with running(profile) as program:
        statuses = [await status_of(program, word) for word in (program.password, "another")]

    assert statuses == [409, 401]
    assert program.process.returncode == 0


@pytest.mark.anyio
async def test_killed_it_runs_again_with_the_same_profile(profile: TransmissionProfile) -> None:
    async with running(profile) as program:
        await program.kill()
    async with running(profile) as again:
        assert await status_of(again, again.password) == 409

    assert again.address == program.address
    assert program.process.returncode == -9


@pytest.mark.anyio
async def test_where_it_is_not_installed_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProgramMissingError, match="apt install transmission-daemon"):
        async with running(TransmissionProfile(tmp_path / "t")):
            pass
