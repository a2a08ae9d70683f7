import zipfile
from pathlib import Path

import pytest

from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import Rig
from tests.server.cli.typist import alone, typist


def taken(rig: Rig, output: Path, *more: str) -> tuple[int, str]:
    home = ("--home", str(rig.home.root))
    with typist("diagnostics", "--output", str(output), *more, *home) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        status = person.leaves()
    return status, person.screen


def test_a_file_is_written_for_this_user_alone(rig: Rig, tmp_path: Path) -> None:
    output = tmp_path / "matinee.zip"
    status, screen = taken(rig, output)
    assert status == Exit.DONE
    assert "Look through it before you hand it on." in screen
    assert output.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(output) as archive:
        assert b"Titles are not in it" in archive.read("README.txt")


def test_titles_are_in_it_when_they_are_asked_for(rig: Rig, tmp_path: Path) -> None:
    output = tmp_path / "matinee.zip"
    assert taken(rig, output, "--with-titles")[0] == Exit.DONE
    with zipfile.ZipFile(output) as archive:
        assert b"Titles are in it" in archive.read("README.txt")


def test_nothing_is_overwritten(rig: Rig, tmp_path: Path) -> None:
    output = tmp_path / "matinee.zip"
    output.write_bytes(b"mine")
    assert rig.typed("diagnostics", "--output", str(output)) == Exit.FAILED
    assert output.read_bytes() == b"mine"


def test_a_place_that_cannot_be_written_is_told_before_anybody_signs_in(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = str(tmp_path / "gone" / "matinee.zip")
    assert rig.typed("diagnostics", "--output", output) == Exit.FAILED
    assert "cannot be written" in capsys.readouterr().err


def test_without_the_owner_nothing_is_written(rig: Rig, tmp_path: Path) -> None:
    output = tmp_path / "matinee.zip"
    home = ("--home", str(rig.home.root))
    left = alone("diagnostics", "--output", str(output), *home, stdin=f"{PASSPHRASE}\n")
    assert left.returncode == Exit.NEEDS_YOU
    assert not output.exists()
