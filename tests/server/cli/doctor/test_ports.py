import socket
from pathlib import Path

import pytest

from server.cli.doctor.finding import Severity
from server.cli.doctor.ports import ports
from server.downloader_settings import DownloaderSettings, EmbeddedSettings
from server.role import Role
from server.settings import FolderSettings, ServerSettings, Settings


def settings(port: int, peers: int = 0, folder: Path | None = None) -> Settings:
    return Settings(
        server=ServerSettings(port=port),
        downloader=DownloaderSettings(embedded=EmbeddedSettings(listen_port=peers)),
        folders=FolderSettings(downloads=folder),
    )


def severities(
    chosen: Settings, *, role: Role = Role.ALL, running: bool = False
) -> dict[str, Severity]:
    return {finding.id: finding.severity for finding in ports(chosen, role, running=running)}


def test_a_port_that_somebody_holds_is_an_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert severities(settings(port)) == {"ports.server": Severity.ERROR}
    assert severities(settings(port)) == {"ports.server": Severity.OK}


@pytest.mark.parametrize(
    ("kind", "word"), [(socket.SOCK_STREAM, "tcp"), (socket.SOCK_DGRAM, "udp")]
)
def test_the_torrent_clients_port_is_looked_at_where_there_is_a_client(
    tmp_path: Path, kind: socket.SocketKind, word: str
) -> None:
    with socket.socket(socket.AF_INET, kind) as taken:
        taken.bind(("", 0))
        if kind is socket.SOCK_STREAM:
            taken.listen()
        found = severities(settings(0, taken.getsockname()[1], tmp_path))
    assert found[f"ports.peers.{word}"] is Severity.ERROR
    assert found["ports.server"] is Severity.OK


def test_a_running_server_holds_its_ports() -> None:
    assert severities(settings(1), running=True) == {"ports": Severity.OK}


def test_a_port_of_ipv6_is_looked_at_there() -> None:
    chosen = Settings(server=ServerSettings(host="::1", port=0))
    assert severities(chosen) == {"ports.server": Severity.OK}


def test_a_client_that_stays_on_loopback_needs_no_port_of_its_own(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        embedded = EmbeddedSettings(listen_port=taken.getsockname()[1], loopback_world=True)
        chosen = Settings(
            server=ServerSettings(port=0),
            downloader=DownloaderSettings(embedded=embedded),
            folders=FolderSettings(downloads=tmp_path),
        )
        assert severities(chosen) == {"ports.server": Severity.OK}


def test_a_process_is_asked_for_the_ports_of_its_role_only(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        chosen = settings(taken.getsockname()[1], taken.getsockname()[1], tmp_path)
        assert "ports.server" not in severities(chosen, role=Role.WORKER)
        assert set(severities(chosen, role=Role.API)) == {"ports.server"}


def test_without_the_embedded_client_its_ports_are_nobodys(tmp_path: Path) -> None:
    chosen = settings(0, 6881, tmp_path)
    without = EmbeddedSettings(enabled=False, listen_port=6881)
    chosen = chosen.model_copy(update={"downloader": DownloaderSettings(embedded=without)})
    assert set(severities(chosen)) == {"ports.server"}
