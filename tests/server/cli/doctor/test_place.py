import os
import sys
from pathlib import Path

import pytest

from server.cli.doctor.finding import Severity
from server.cli.doctor.place import python
from server.cli.home import Home
from tests.server.cli.doctor.patient import found, prepared, severity


def test_a_python_that_is_new_enough_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    assert python().severity is Severity.OK
    monkeypatch.setattr(sys, "version_info", (3, 10, 1))
    assert python().severity is Severity.ERROR
    assert "3.10.1" in python().sentence


def test_a_home_that_does_not_exist_is_made_by_the_repair(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    finding = found(home)["home.exists"]
    assert finding.severity is Severity.NOTICE
    assert finding.repair is not None
    finding.repair()
    assert severity(home, "home.exists") is Severity.OK
    assert severity(home, "home.private") is Severity.OK


def test_a_home_that_others_can_see_is_closed_by_the_repair(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    tmp_path.chmod(0o755)
    finding = found(home)["home.private"]
    assert finding.severity is Severity.WARNING
    assert finding.repair is not None
    finding.repair()
    assert tmp_path.stat().st_mode & 0o777 == 0o700
    assert severity(home, "home.private") is Severity.OK


def test_a_file_is_no_home(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    assert severity(Home(tmp_path / "home"), "home.exists") is Severity.ERROR


def test_a_home_that_cannot_be_written_to_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = prepared(tmp_path)

    def refused(*_: object) -> bool:
        return False

    monkeypatch.setattr(os, "access", refused)
    assert severity(home, "home.exists") is Severity.ERROR
