import os
from pathlib import Path

import pytest

from server.cli.doctor.finding import Severity
from server.cli.doctor.folders import folders
from server.settings import FolderSettings, Settings
from tests.server.cli.doctor.patient import FOLDERS, found, prepared, with_folders


def test_folders_that_are_not_set_are_said(tmp_path: Path) -> None:
    findings = found(prepared(tmp_path))
    assert all(findings[f"folders.{name}"].severity is Severity.NOTICE for name in FOLDERS)
    assert "folders.films.hardlink" not in findings


def test_missing_folders_are_made_by_the_repair(tmp_path: Path) -> None:
    home = with_folders(tmp_path, "downloads")
    missing = found(home)["folders.films"]
    assert missing.severity is Severity.WARNING
    assert missing.repair is not None
    missing.repair()
    assert found(home)["folders.films"].severity is Severity.OK
    assert (tmp_path / "films").is_dir()


def test_folders_on_one_file_system_can_be_linked(tmp_path: Path) -> None:
    findings = found(with_folders(tmp_path, *FOLDERS))
    assert findings["folders.films.hardlink"].severity is Severity.OK
    assert findings["folders.series.hardlink"].severity is Severity.OK


def test_folders_on_two_file_systems_cannot_be_linked(tmp_path: Path) -> None:
    other = Path("/dev/shm")  # noqa: S108  # a file system of its own, only looked at
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("this computer has no second file system at hand")
    chosen = FolderSettings(downloads=tmp_path, films=other)
    findings = {each.id: each for each in folders(Settings(folders=chosen))}
    assert findings["folders.films.hardlink"].severity is Severity.WARNING
    assert "hard-linked" in findings["folders.films.hardlink"].sentence


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    home = with_folders(tmp_path, "downloads", "series")
    (tmp_path / "films").touch()
    assert found(home)["folders.films"].severity is Severity.ERROR


def test_room_below_the_floor_is_a_warning(tmp_path: Path) -> None:
    room = os.statvfs(tmp_path)
    floor = room.f_blocks * room.f_frsize * 2
    enough = found(with_folders(tmp_path, *FOLDERS, more="[policy]\nmin_free_bytes = 0"))
    assert enough["folders.films.space"].severity is Severity.OK
    for name in FOLDERS:
        (tmp_path / name).rmdir()
    short = found(with_folders(tmp_path, *FOLDERS, more=f"[policy]\nmin_free_bytes = {floor}"))
    assert short["folders.films.space"].severity is Severity.WARNING
