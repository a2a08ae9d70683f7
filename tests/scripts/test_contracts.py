"""The page is made from what pytest itself writes of tests that are named like the real ones."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from scripts import contracts

AT = datetime(2026, 1, 2, tzinfo=UTC)
FIRST, SECOND, *REST = contracts.BEHAVIOURS
TESTS = f"""
import pytest
def {FIRST}(record_property): record_property("version", "den 4.5")
@pytest.mark.parametrize("way", [1, 2, 3])
def {SECOND}(way): assert way != BROKEN
def test_something_else(): assert False
"""


def results(**changed: Any) -> list[contracts.Result]:
    """Every client keeps everything, but for what is changed of the last one."""
    every = [
        contracts.Result(client, behaviour, kept=True, seconds=0.5)
        for client in contracts.CLIENTS
        for behaviour in contracts.BEHAVIOURS
    ]
    return [*every[:-1], replace(every[-1], **changed)]


def ran(folder: Path, broken: int) -> list[contracts.Result]:
    """Results of a run of pytest."""
    module = contracts.CLIENTS["qBittorrent"]
    (folder / f"{module}.py").write_text(f"BROKEN = {broken}\n{TESTS}")
    command = [sys.executable, "-m", "pytest", "-q", "-o", "junit_family=xunit1"]
    command += ["--junitxml", "junit.xml", f"{module}.py"]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return contracts.read((folder / "junit.xml").read_text())


@pytest.mark.parametrize(("broken", "kept"), [(0, [True] * 3), (2, [True, False, True])])
def test_what_pytest_writes_of_the_contract_is_read(
    tmp_path: Path, broken: int, kept: list[bool]
) -> None:
    first, *others = ran(tmp_path, broken)
    assert (first.client, first.behaviour, first.version) == ("qBittorrent", FIRST, "den 4.5")
    assert [(each.behaviour, each.kept) for each in others] == [(SECOND, each) for each in kept]


def test_every_behaviour_is_a_row_and_every_client_a_column() -> None:
    text = contracts.page(results(version="Transmission 3.00"), commit="abc1234", at=AT)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert "Run of 2026-01-02 at commit `abc1234`." in text
    assert rows[0] == "| | embedded | qBittorrent | Transmission |"
    assert rows[1] == ("| A torrent file is fetched through its tracker | kept | kept | kept |")
    assert rows[-2] == "| version | not told | not told | Transmission 3.00 |"
    seconds = f"{len(contracts.BEHAVIOURS) / 2:.0f}"
    assert rows[-1] == f"| seconds | {seconds} | {seconds} | {seconds} |"
    assert len(rows) == len(contracts.BEHAVIOURS) + 3


def test_what_was_broken_is_said_with_how_often() -> None:
    again = contracts.Result("Transmission", contracts.BEHAVIOURS[-1], kept=True, seconds=1)
    text = contracts.page([*results(kept=False), again], commit="abc1234", at=AT)
    assert text.count("broken") == 1
    assert "| kept | kept | **broken**, 1 of 2 |" in text


def test_a_run_that_left_a_behaviour_out_gives_no_page() -> None:
    with pytest.raises(LookupError, match="embedded has no result of test_a_torrent_file"):
        contracts.page(results()[1:], commit="abc1234", at=AT)
