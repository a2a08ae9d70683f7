from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.client_health import ClientHealth
from capabilities.adapters.downloader.qbittorrent_session import Account as QbittorrentAccount
from capabilities.adapters.downloader.transmission_rpc import Account as TransmissionAccount
from server.cli.demo.client_programs import ClientProgram, client_program
from server.cli.demo.clients import EMBEDDED, QBITTORRENT, TRANSMISSION
from server.cli.demo.faults import DemoFailedError
from tests.capabilities.adapters.downloader import qbittorrent_server, transmission_server


async def health_of(program: ClientProgram) -> ClientHealth:
    entered = program.address, program.user, program.password
    if program.kind == QBITTORRENT:
        async with qbittorrent_server.connected(QbittorrentAccount(*entered)) as client:
            return await client.health()
    async with transmission_server.connected(TransmissionAccount(*entered)) as client:
        return await client.health()


@pytest.mark.anyio
async def test_the_embedded_client_is_no_program(tmp_path: Path) -> None:
    async with client_program(EMBEDDED, tmp_path) as program:
        assert program is None


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [QBITTORRENT, TRANSMISSION])
async def test_a_program_runs_in_the_demos_folder_and_can_be_entered(
    tmp_path: Path, kind: str
) -> None:
    (qbittorrent_server if kind == QBITTORRENT else transmission_server).profile_in(tmp_path)
    async with client_program(kind, tmp_path) as program:
        assert program is not None
        health = await health_of(program)

    assert health.reachable
    assert (program.kind, (tmp_path / kind).is_dir()) == (kind, True)


@pytest.mark.anyio
async def test_it_says_where_seeds_have_to_dial_a_program_that_dials_nobody(
    tmp_path: Path,
) -> None:
    transmission_server.profile_in(tmp_path)
    async with client_program(TRANSMISSION, tmp_path) as program:
        assert program is not None
        assert program.to_dial is not None
        async with await anyio.connect_tcp(*program.to_dial):
            pass


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "package"), [(QBITTORRENT, "qbittorrent-nox"), (TRANSMISSION, "transmission-daemon")]
)
async def test_a_program_that_is_not_installed_ends_the_demo_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, package: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DemoFailedError, match=f"apt install {package}"):
        async with client_program(kind, tmp_path):
            pass
