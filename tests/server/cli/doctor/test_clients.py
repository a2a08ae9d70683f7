from pathlib import Path

import anyio
import pytest
from pydantic import SecretStr

from server.cli.doctor.clients import clients
from server.cli.doctor.examination import examine
from server.cli.doctor.finding import Finding, Severity
from server.downloader_settings import (
    DownloaderSettings,
    EmbeddedSettings,
    OtherDownloaderSettings,
)
from server.settings import FolderSettings, Settings
from tests.capabilities.adapters.downloader.qbittorrent_server import profile_in
from tests.server.cli.doctor.patient import FOLDERS, prepared, with_folders
from world.qbittorrent_program import USER, running

NOBODY = "http://127.0.0.1:9"


def looked(root: Path, settings: Settings) -> dict[str, Finding]:
    return {each.id: each for each in clients(prepared(root), settings)}


def one_client(downloads: Path, **given: object) -> Settings:
    other = OtherDownloaderSettings.model_validate(
        {"name": "den", "kind": "qbittorrent", "address": NOBODY, **given}
    )
    return Settings(
        folders=FolderSettings(downloads=downloads),
        downloader=DownloaderSettings(default="den", embedded=EmbeddedSettings(enabled=False)),
        downloaders=(other,),
    )


def test_the_embedded_client_finds_what_is_written_to_its_folder(tmp_path: Path) -> None:
    home = with_folders(tmp_path, *FOLDERS)
    found = {each.id: each for each in examine(home, ask_clients=True)}
    finding = found["downloaders.embedded.folder"]

    assert finding.severity is Severity.OK, finding.sentence
    assert str(tmp_path / "downloads") in finding.sentence
    assert list((tmp_path / "downloads").iterdir()) == []


def test_no_client_is_asked_unless_that_is_wanted(tmp_path: Path) -> None:
    home = with_folders(tmp_path, *FOLDERS)

    assert not any(each.id.endswith("embedded.folder") for each in examine(home))


def test_without_a_download_folder_there_is_nothing_to_find(tmp_path: Path) -> None:
    found = looked(tmp_path, Settings())

    assert [(each.id, each.severity) for each in found.values()] == [
        ("downloaders.folder", Severity.NOTICE)
    ]


def test_a_client_that_is_away_proves_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    finding = looked(tmp_path / "home", one_client(downloads))["downloaders.den.folder"]

    assert finding.severity is Severity.WARNING
    assert "was not proven" in finding.sentence
    assert list(downloads.iterdir()) == []


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    settings = Settings(folders=FolderSettings(downloads=tmp_path / "nothing"))
    finding = looked(tmp_path / "home", settings)["downloaders.embedded.folder"]

    assert finding.severity is Severity.WARNING
    assert "the download folder" in finding.sentence


@pytest.mark.proof
@pytest.mark.anyio
@pytest.mark.parametrize("right", [True, False])
async def test_a_path_map_is_proven_at_the_real_client(tmp_path: Path, *, right: bool) -> None:
    downloads, theirs = tmp_path / "downloads", tmp_path / "theirs"
    downloads.mkdir()
    if right:
        theirs.symlink_to(downloads)
    profile = profile_in(tmp_path)
    async with running(profile) as program:
        settings = one_client(
            downloads,
            address=program.address,
            user=USER,
            password=SecretStr(profile.password),
            paths={downloads: str(theirs)},
        )
        found = await anyio.to_thread.run_sync(looked, tmp_path / "home", settings)
    finding = found["downloaders.den.folder"]

    assert finding.severity is (Severity.OK if right else Severity.ERROR), finding.sentence
    assert str(theirs) in finding.sentence
    assert list(downloads.iterdir()) == []
