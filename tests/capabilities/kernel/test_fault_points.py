import os
import signal
import subprocess
import sys

import pytest

from capabilities.kernel import fault_points

PASSING = """
import sys
from capabilities.kernel.fault_points import at
at("here"); at("there"); at("here")
sys.stdout.write("over")
"""


def passing(fault: str | None) -> subprocess.CompletedProcess[bytes]:
    clean = {name: held for name, held in os.environ.items() if name != fault_points.VARIABLE}
    told = clean if fault is None else {**clean, fault_points.VARIABLE: fault}
    return subprocess.run(
        [sys.executable, "-c", PASSING], env=told, capture_output=True, timeout=20, check=False
    )


def test_a_process_without_the_variable_has_no_fault_points() -> None:
    assert passing(None).stdout == b"over"
    assert fault_points.VARIABLE not in os.environ
    assert fault_points.at.__name__ == "_nothing"


@pytest.mark.parametrize(("fault", "dies"), [("here:2:kill", True), ("here:3:kill", False)])
def test_the_process_dies_at_the_passing_that_was_named(fault: str, *, dies: bool) -> None:
    done = passing(fault)
    assert done.returncode == (-signal.SIGKILL if dies else 0)
    assert done.stdout == (b"" if dies else b"over")


def test_a_fault_can_be_an_error_that_nobody_expects() -> None:
    done = passing("there:1:raise")
    assert done.returncode == 1
    assert b"InjectedError: there" in done.stderr


def test_an_act_that_is_not_known_is_refused() -> None:
    assert b"knows kill, pause and raise" in passing("here:1:dance").stderr
