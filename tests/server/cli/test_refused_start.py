import os
from pathlib import Path

import pytest

from server.cli.home import Home
from server.cli.refused_start import UNTOLD, RefusedStart, tell, told

SAID = {"sentence": "It cannot.", "code": "precondition", "hint": "Mend it.", "more": 1}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.prepare()
    return made


def test_what_a_start_said_is_told_once_to_whoever_began_it(home: Home) -> None:
    tell(home, 3, SAID)
    told_once = told(home, os.getpid(), 3, 0)
    assert told_once == RefusedStart(3, "It cannot.", "precondition", "Mend it.")
    assert told(home, os.getpid(), 3, 0).sentence == UNTOLD


def test_what_another_process_said_is_not_taken_for_it(home: Home) -> None:
    tell(home, 3, SAID)
    home.log_file.write_text("before\nIt broke.\n\n")
    assert told(home, os.getpid() + 1, -9, 0) == RefusedStart(1, "It broke.")
    assert told(home, os.getpid() + 1, -9, 18).sentence == UNTOLD


def test_only_the_owner_reads_it(home: Home) -> None:
    tell(home, 3, SAID)
    assert home.refusal_file.stat().st_mode & 0o777 == 0o600


def test_a_home_that_is_not_there_keeps_nothing(tmp_path: Path) -> None:
    tell(Home(tmp_path / "nowhere"), 3, SAID)
    assert told(Home(tmp_path / "nowhere"), os.getpid(), 3, 0).sentence == UNTOLD
