"""Who asks for a run that nobody would work at is told so."""

from pathlib import Path

import pytest

from ledger.stores import runs
from ledger.stores.runs import Phase, RunState
from server.cli.exits import Exit
from server.cli.no_worker import no_worker
from server.role import Role
from tests.server.cli.rig import rigged
from tests.server.cli.typist import alone, typist


@pytest.mark.parametrize(
    ("standing", "told"),
    [
        ({}, "No worker is at work, so no run would go on: "),
        ({"waiting": 3, "failed": 2}, "No worker is at work, so no run would go on: "),
        ({"queued": 1, "succeeded": 9}, "No worker is at work, and 1 run waits for one: "),
        ({"queued": 2, "running": 1}, "No worker is at work, and 3 runs wait for one: "),
    ],
)
def test_it_says_how_many_runs_wait_and_what_to_type(standing: dict[str, int], told: str) -> None:
    said = no_worker({"at_work": False, "runs": standing})
    assert said == f"{told}`matinee serve --role worker` starts one."


def test_where_somebody_is_at_work_nothing_is_said() -> None:
    assert no_worker({"at_work": True, "runs": {"queued": 1}}) is None


def test_a_followed_run_says_once_that_it_waits_and_is_followed_on(tmp_path: Path) -> None:
    with rigged(tmp_path, role=Role.API) as rig:
        rig.plot.events = [("budget_notice", {"sentence": "It stands."})]
        rig.plot.columns = {"state": RunState.QUEUED, "phase": Phase.DRIVE}
        with typist("ask", "x", "--home", str(tmp_path)) as person:
            person.sees("No worker is at work, and 1 run waits for one: ")
            run = rig.stir()
            end = {"state": RunState.FAILED, "phase": Phase.DONE, "reason": "Nobody came."}
            rig.write(lambda tx: runs.change(tx, run, **end))
            rig.stir()
            person.sees("Nobody came.")
            assert person.leaves() == Exit.FAILED
    assert person.screen.count("No worker is at work") == 1


def test_a_key_that_may_not_read_the_status_still_asks(tmp_path: Path) -> None:
    with rigged(tmp_path, role=Role.API) as rig:
        key = rig.portal.call(rig.house.key, "run")
        asked = alone("ask", "x", "--no-follow", "--home", str(tmp_path), MATINEE_KEY=key)
    assert (asked.returncode, asked.stderr) == (Exit.DONE, "")
