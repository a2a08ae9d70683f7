"""A run that waits for its download, as it is seen by somebody who follows it."""

from collections.abc import Mapping

import pytest

from ledger.stores.runs import Phase, RunState
from server.cli.exits import Exit
from tests.server.cli.plot import FILM
from tests.server.cli.rig import Rig
from tests.server.cli.typist import typist

HALF = {"state": "downloading", "percent": 50.0, "rate_mb_s": 12.5}


def downloading(rig: Rig, *sightings: Mapping[str, object]) -> None:
    rig.add_download()
    rig.plot.events = [("download_submitted", {"title": FILM, "client": "embedded", "size": 1})]
    rig.plot.columns = {"state": RunState.WAITING, "phase": Phase.SETTLE}
    rig.plot.sightings = list(sightings)


def test_without_a_terminal_there_is_a_line_now_and_then(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    downloading(rig, HALF, HALF)
    assert rig.typed("ask", "x") == Exit.DONE
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        f"{FILM}: downloading, 50 %, 12.5 MB/s",
        f"Downloaded: {FILM}. It is checked and placed now.",
    ]
    assert told.out == "It is here.\n"


def test_on_a_terminal_there_is_a_bar(rig: Rig) -> None:
    downloading(rig, {"state": "queued", "percent": 0.0}, HALF, HALF)
    with typist("ask", "x", "--home", str(rig.home.root)) as person:
        person.sees("queued, 0.0 MB/s")
        person.sees("50 %")
        person.sees("It is here.")
        assert person.leaves() == Exit.DONE
    assert "\x1b[?25h" in person.screen


def test_a_dumb_terminal_gets_lines(rig: Rig) -> None:
    downloading(rig, HALF, HALF)
    with typist("ask", "x", "--home", str(rig.home.root), TERM="dumb") as person:
        person.sees("downloading, 50 %, 12.5 MB/s")
        assert person.leaves() == Exit.DONE
    assert "\x1b" not in person.screen


def test_a_download_that_is_over_is_not_looked_at_again(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    downloading(rig, {"state": "imported", "percent": 100.0})
    assert rig.typed("ask", "x") == Exit.DONE
    assert "imported" not in capsys.readouterr().err


def test_words_and_lines_take_the_place_of_the_bar(rig: Rig) -> None:
    downloading(rig, HALF, HALF, HALF)
    with typist("ask", "x", "--home", str(rig.home.root)) as person:
        person.sees("50 %")
        rig.tell("text_delta", {"reply": 1, "attempt": 1, "text": "It goes on"})
        person.sees("It goes on")
        assert person.leaves() == Exit.DONE
