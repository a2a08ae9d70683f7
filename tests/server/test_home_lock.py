import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.home_lock import LOCK, HomeTakenError, held

HOLD = (
    "import sys; from pathlib import Path; from server.home_lock import held\n"
    "with held(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()"
)


def test_a_home_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    with held(tmp_path):
        with pytest.raises(HomeTakenError, match="matinee stop"), held(tmp_path):
            pass
        assert (tmp_path / LOCK).read_text() == f"{os.getpid()}\n"
    with held(tmp_path):
        pass


def test_only_its_owner_reads_the_lock(tmp_path: Path) -> None:
    with held(tmp_path):
        assert (tmp_path / LOCK).stat().st_mode & 0o777 == 0o600


def test_an_exception_frees_the_home(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), held(tmp_path):
        raise ZeroDivisionError
    with held(tmp_path):
        pass


def test_a_process_that_is_killed_holds_nothing_any_more(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(HomeTakenError), held(tmp_path):
            pass
        other.kill()
        other.wait()
    with held(tmp_path):
        pass


def test_a_look_that_is_over_soon_is_waited_out(tmp_path: Path) -> None:
    handle = os.open(tmp_path / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    looker = subprocess.Popen(["sleep", "0.05"], pass_fds=[handle])  # noqa: S607  # a common tool
    os.close(handle)
    with held(tmp_path):
        looker.wait()
