import json
from pathlib import Path

import pytest

from capabilities.kernel.actors import owner
from ledger.stores.decisions import DecisionKind
from ledger.stores.runs import RunState
from server.cli.commands.status import _processes, _switches  # pyright: ignore[reportPrivateUsage]  # their words
from server.cli.entry import run
from server.cli.exits import Exit
from server.cli.home import Home
from server.cli.home_role import at_work, remember
from server.home_lock import LOCK
from server.role import Role
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.sealed import SealedSecrets
from tests.server.cli.rig import rigged


def test_a_quiet_home_needs_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with rigged(tmp_path) as rig:
        assert rig.typed("status") == Exit.DONE
    page = capsys.readouterr().out
    assert page.startswith("Nothing needs you.\nRuns: none.\nDownloads: none.\nMatinee 1.2.3 at ")
    assert page.endswith(f"home {tmp_path}.\n")


def test_without_an_owner_nothing_says_that_nobody_is_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with rigged(tmp_path, owned=False) as rig:
        assert rig.typed("status") == Exit.NEEDS_YOU
    told = capsys.readouterr()
    assert told.out.startswith("There is no owner yet: type ")
    assert "Nothing needs you." not in told.out
    assert "one was started" not in told.err


def test_a_sealed_secret_that_does_not_open_needs_the_owner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with rigged(tmp_path) as rig:
        # The rig's ledger seals with what the home's file holds.
        secrets = SealedSecrets(rig.ledger, sealing_keys(tmp_path, {}))
        rig.portal.call(secrets.put, owner("anna"), "metadata.tmdb.key", "secret")
        assert rig.typed("status") == Exit.DONE
        capsys.readouterr()
        (tmp_path / "secret.key").write_text("garbage")
        assert rig.typed("status") == Exit.NEEDS_YOU
        page = capsys.readouterr().out
        assert page.startswith("Sealed, and not opened: metadata.tmdb.key. What needs it does not ")
        assert rig.hint("doctor") in page
        assert "Nothing needs you." not in page


def test_what_needs_the_owner_is_named_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with rigged(tmp_path) as rig:
        ids = [rig.decide(DecisionKind.OTHER, f"Question {n}") for n in range(7)]
        rig.plot.columns = {"state": RunState.WAITING}
        assert rig.typed("ask", "x", "--no-follow") == Exit.DONE
        capsys.readouterr()
        assert rig.typed("status") == Exit.NEEDS_YOU
    page = capsys.readouterr().out
    assert "Needs you: 7." in page
    assert f"  Question 0  ({ids[0]})" in page
    assert f"and 2 more: {rig.hint('decisions')}" in page
    assert "Runs: 1 waiting." in page


def test_what_is_unknown_comes_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with rigged(tmp_path) as rig:
        rig.decide(DecisionKind.OTHER, "A question")
        rig.leave_unknown("The client did not answer.")
        assert rig.typed("status") == Exit.UNKNOWN
        about, said, do, needs, *_ = capsys.readouterr().out.splitlines()
        assert about.startswith("Not known yet, since 20")
        assert about.endswith(": download.submit")
        assert said == "  The client did not answer."
        assert do.startswith(f"  `matinee --home {tmp_path} claims check inv_")
        assert needs == "Needs you: 1."
        assert rig.typed("status", "--json") == Exit.UNKNOWN
    document = json.loads(capsys.readouterr().out)
    assert document["unknown"][0]["capability"] == "download.submit"
    assert [each["title"] for each in document["decisions"]] == ["A question"]
    assert document["home"] == str(tmp_path)


def test_a_home_without_an_owner_needs_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with rigged(tmp_path, owned=False) as rig:
        assert rig.typed("status") == Exit.NEEDS_YOU
    assert f"There is no owner yet: type {rig.hint('owner')}." in capsys.readouterr().out


def test_a_turned_switch_is_said_with_who_and_why() -> None:
    switched = {"name": "read_only", "on": True, "set_by": "owner:ann", "reason": "moving"}
    lines = list(_switches({"switches": [switched]}))
    assert lines == ["The house is read-only; switched on by owner:ann: moving"]


def test_several_processes_are_counted_by_role_and_host() -> None:
    told = [{"role": "worker", "host": "box"}] * 2 + [{"role": "api", "host": "door"}]
    assert _processes(told) == "1 api on door, 2 worker on box"


def test_in_the_home_of_a_worker_it_says_so_and_starts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path)
    home.prepare()
    with at_work(home):
        assert run(["status", "--json", "--home", str(tmp_path)]) == Exit.FAILED
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["sentence"].startswith("A worker works in this home.")
    assert error["hint"].startswith("`matinee --home FOLDER status` shows it")
    remember(home, Role.WORKER)
    assert run(["status", "--home", str(tmp_path)]) == Exit.FAILED
    told = capsys.readouterr().err
    assert "none works in it now. Nothing was started." in told
    assert f"`matinee --home {tmp_path} serve --role worker` starts one" in told
    assert not (tmp_path / LOCK).exists()
    assert not home.log_file.exists()


def test_where_no_worker_is_at_work_the_owner_is_needed_and_told_how_many_runs_wait(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with rigged(tmp_path, role=Role.API) as rig:
        assert rig.typed("status") == Exit.NEEDS_YOU
        start = rig.hint("serve --role worker")
        assert f"No worker is at work, so no run would go on: {start}" in capsys.readouterr().out
        rig.plot.columns = {"state": RunState.QUEUED}
        assert rig.typed("ask", "x", "--no-follow") == Exit.DONE
        asked = capsys.readouterr()
        assert asked.out.startswith("run_")
        assert f"No worker is at work, and 1 run waits for one: {start}" in asked.err
        assert rig.typed("ask", "y", "--no-follow", "--json", "-q") == Exit.DONE
        assert capsys.readouterr().err == ""
        assert rig.typed("status") == Exit.NEEDS_YOU
    assert f"No worker is at work, and 2 runs wait for one: {start}" in capsys.readouterr().out
