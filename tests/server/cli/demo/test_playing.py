import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli.demo.clients import QBITTORRENT, TRANSMISSION
from tests.capabilities.adapters.downloader import qbittorrent_server, transmission_server
from tests.server.cli.typist import CTRL_C, typist

MATINEE = Path(sys.executable).with_name("matinee")
LONGEST_S = 120


@pytest.mark.proof
def test_the_demo_brings_the_film_home_and_proves_it_in_one_document() -> None:
    played = subprocess.run(
        [MATINEE, "demo", "--json"], capture_output=True, text=True, timeout=LONGEST_S, check=False
    )

    assert played.returncode == 0, played.stderr
    document = json.loads(played.stdout)
    assert document["status"] == "succeeded"
    assert document["approval"]["state"] == "consumed"
    assert document["approval"]["decided_by"] == "owner:demo"
    assert sorted(document["invocations"]) == ["download.submit", "organize.execute"]
    assert len(document["record"]) == 2
    assert all(file["inode_equal"] for file in document["record"])
    assert all(file["source_sha256"] == file["target_sha256"] for file in document["record"])
    assert document["duration_s"] < 60


@pytest.mark.proof
@pytest.mark.parametrize("kind", [QBITTORRENT, TRANSMISSION])
def test_the_demo_brings_the_film_home_by_a_real_program(tmp_path: Path, kind: str) -> None:
    (qbittorrent_server if kind == QBITTORRENT else transmission_server).profile_in(tmp_path)
    played = subprocess.run(
        [MATINEE, "demo", "--downloader", kind, "--json"],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )

    assert played.returncode == 0, played.stderr
    document = json.loads(played.stdout)
    assert document["status"] == "succeeded"
    assert document["addresses"][kind].startswith("http://127.0.0.1:")
    assert all(file["inode_equal"] for file in document["record"])
    assert len(document["record"]) == 2


@pytest.mark.proof
def test_a_demo_with_a_client_that_is_not_installed_says_what_to_install(tmp_path: Path) -> None:
    played = subprocess.run(
        [MATINEE, "demo", "--downloader", "qbittorrent", "--json"],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
        env={**os.environ, "PATH": str(tmp_path)},
    )

    assert played.returncode == 1
    assert "apt install qbittorrent-nox" in json.loads(played.stdout)["error"]["sentence"]


@pytest.mark.proof
def test_a_demo_that_is_asked_to_wait_for_a_person_without_a_terminal_says_so() -> None:
    played = subprocess.run(
        [MATINEE, "demo", "--ask", "--json"],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
        start_new_session=True,
    )

    assert played.returncode == 3
    assert "needs the owner at a terminal" in json.loads(played.stdout)["error"]["sentence"]


@pytest.mark.proof
def test_a_demo_that_is_kept_says_where_it_runs_when_nobody_approves(tmp_path: Path) -> None:
    kept = ("demo", "--ask", "--keep")
    with typist(*kept, command=(str(MATINEE),), TMPDIR=str(tmp_path)) as person:
        for _ in range(3):
            person.sees("Passphrase: ")
            person.types("\n")
        person.sees("The demo fell short: the plan was not approved, so nothing was downloaded.")
        person.sees("Everything is left running.")
        person.sees("server: http://127.0.0.1:")
        person.sees("home: ")
        (home,) = tmp_path.glob("matinee-demo-*/home")
        stopped = subprocess.run([MATINEE, "--home", home, "stop"], check=False, timeout=LONGEST_S)
        assert stopped.returncode == 0
        person.types(CTRL_C)
        assert person.leaves() == 130


@pytest.mark.proof
def test_a_demo_that_is_told_to_end_leaves_nothing_behind(tmp_path: Path) -> None:
    with subprocess.Popen(
        [MATINEE, "demo"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as playing:
        assert playing.stderr is not None
        for line in playing.stderr:
            if "The goal" in line:
                break
        playing.terminate()
        playing.stderr.read()

    assert playing.returncode == 130
    assert list(tmp_path.iterdir()) == []
