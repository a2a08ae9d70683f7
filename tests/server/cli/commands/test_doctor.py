import json
import socket
from pathlib import Path

import pytest

from server.cli.entry import run
from server.cli.exits import Exit
from tests.server.cli.doctor.patient import FOLDERS, prepared, with_folders
from tests.server.cli.typist import alone

FREE_PORTS = "[server]\nport = 0\n[downloader.embedded]\nlisten_port = 0\n"


def test_a_home_with_notices_alone_is_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = prepared(tmp_path, FREE_PORTS)
    assert run(["doctor", "--home", str(home.root)]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert "ok      home.private" in "\n".join(lines)
    assert any(line.strip().startswith("→ Add an [[indexers]] table") for line in lines)


def test_nothing_is_changed_unless_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = with_folders(tmp_path, "downloads", more=FREE_PORTS)
    home.root.chmod(0o755)
    typed = ["doctor", "--json", "--home", str(home.root)]
    assert run(typed) == Exit.NEEDS_YOU
    document = json.loads(capsys.readouterr().out)
    assert (document["worst"], document["fixed"]) == ("warning", [])
    assert not (tmp_path / "films").exists()

    assert run([*typed, "--fix"]) in {Exit.DONE, Exit.NEEDS_YOU}
    told = capsys.readouterr()
    document = json.loads(told.out)
    assert set(document["fixed"]) == {"home.private", "folders.films", "folders.series"}
    by_id = {each["id"]: each["severity"] for each in document["findings"]}
    assert all(by_id[f"folders.{name}"] == "ok" for name in FOLDERS)
    assert by_id["home.private"] == "ok"
    assert "Fixed: home.private" in told.err


def test_an_error_ends_with_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = prepared(tmp_path, "nonsense")
    assert run(["doctor", "--home", str(home.root)]) == Exit.FAILED
    assert "settings.toml is not TOML" in capsys.readouterr().out


def test_a_repair_that_is_refused_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = with_folders(tmp_path, "downloads", "series", more=FREE_PORTS)
    (tmp_path / "in-the-way").touch()
    settings = home.root / "settings.toml"
    settings.write_text(settings.read_text().replace("/films", "/in-the-way/films"))
    assert run(["doctor", "--fix", "--home", str(home.root)]) == Exit.FAILED
    assert "A repair was refused: Not a directory" in capsys.readouterr().err


def test_a_finding_alone_says_what_is_also_logged_unless_the_log_is_wanted(tmp_path: Path) -> None:
    at_home = ("doctor", "--home", str(tmp_path))
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"postgresql://127.0.0.1:{closed.getsockname()[1]}/matinee"
        plain = alone(*at_home, MATINEE_DATABASE_URL=url)
        wordy = alone(*at_home, "-v", MATINEE_DATABASE_URL=url)
    assert "cannot be reached" in plain.stdout
    assert plain.stderr == ""
    assert "could not be opened" in wordy.stderr
