from pathlib import Path

import pytest

from ledger.location import SqliteFile, database_file
from ledger.migrate import migrate
from server.cli.doctor.finding import Severity
from server.cli.doctor.process import is_held
from server.cli.home_role import at_work, remember
from server.home_lock import held
from server.protocol.handshake import VERSION
from server.role import Role
from tests.server.cli.doctor.patient import found, prepared
from tests.server.cli.rig import Rig, rigged


def test_no_server_is_a_notice(tmp_path: Path) -> None:
    findings = found(prepared(tmp_path))
    assert findings["lock"].severity is Severity.OK
    assert findings["server"].severity is Severity.NOTICE


def test_a_holder_that_takes_no_commands_is_named(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    assert not is_held(home)
    with held(tmp_path):
        assert is_held(home)
        finding = found(home)["lock"]
        assert finding.severity is Severity.ERROR
        assert finding.sentence.startswith("Process ")
        (tmp_path / "lock").write_text("")
        assert found(home)["lock"].sentence.startswith("Another process ")
    assert not is_held(home)


def test_another_version_is_a_warning(rig: Rig) -> None:
    finding = found(rig.home)["server"]
    assert finding.severity is Severity.WARNING
    assert f"1.2.3, this command is {VERSION}" in finding.sentence


def test_a_server_of_this_version_is_well(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.cli.doctor.process.VERSION", "1.2.3")
    with held(rig.home.root):
        findings = found(rig.home)
    assert findings["server"].severity is Severity.OK
    assert "holds the home" in findings["lock"].sentence
    assert findings["ports"].severity is Severity.OK


def test_a_server_that_refuses_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATINEE_KEY", "matinee_wrong")
    with rigged(tmp_path) as rig:
        finding = found(rig.home)["server"]
    assert finding.severity is Severity.ERROR
    assert "That key is not valid here" in finding.sentence


def test_runs_that_nobody_works_at_are_a_warning(tmp_path: Path) -> None:
    with rigged(tmp_path, role=Role.API) as rig:
        finding = found(rig.home)["worker"]
    assert finding.severity is Severity.WARNING
    assert finding.sentence == "No worker is at work, so no run would go on."
    assert finding.fix == "`matinee serve --role worker` starts one."


def test_a_server_that_works_at_runs_itself_needs_no_worker(rig: Rig) -> None:
    assert found(rig.home)["worker"].severity is Severity.OK


def test_a_worker_is_well_without_doors(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    with at_work(home):
        findings = found(home)
    assert findings["server"].severity is Severity.OK
    assert findings["server"].sentence.startswith("A worker works in this home")
    assert findings["ports"].severity is Severity.OK
    remember(home, Role.WORKER)
    assert found(home)["server"].fix == "Type `matinee serve --role worker`."


def test_in_the_home_of_workers_nothing_is_said_of_doors_and_an_owner(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    migrate(SqliteFile(database_file(tmp_path)))
    assert {"lock", "owner"} <= found(home).keys()
    with at_work(home):
        assert not {"lock", "owner"} & found(home).keys()
    remember(home, Role.WORKER)
    assert not {"lock", "owner"} & found(home).keys()
    with held(tmp_path):
        assert found(home)["lock"].severity is Severity.ERROR
