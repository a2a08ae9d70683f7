import os
from pathlib import Path

import pytest

from server.cli.home import Home
from server.cli.one_time_code import forgotten_afterwards, keep, kept
from server.home_lock import held


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.prepare()
    return made


def test_the_code_is_kept_while_its_server_holds_the_home(home: Home) -> None:
    with held(home.root), forgotten_afterwards(home):
        assert kept(home) is None
        keep(home, "7K3M-0000")
        assert kept(home) == "7K3M-0000"
        (file,) = home.runtime.glob("one-time-code*")
        assert file.stat().st_mode & 0o777 == 0o600
        keep(home, None)
        assert kept(home) is None
    assert not file.exists()


def test_the_code_of_a_server_that_is_gone_is_not_shown(home: Home) -> None:
    keep(home, "7K3M-0000")
    (home.root / "lock").write_text(f"{os.getpid() + 1}\n")
    assert kept(home) is None


def test_what_another_process_kept_is_left_alone(home: Home) -> None:
    keep(home, "7K3M-0000")
    (file,) = home.runtime.glob("one-time-code*")
    file.write_text('{"pid": 1, "code": "x"}')
    with forgotten_afterwards(home):
        pass
    assert file.exists()


@pytest.mark.parametrize("lock", [None, "", "x"])
def test_without_a_holder_there_is_no_code(home: Home, lock: str | None) -> None:
    keep(home, "7K3M-0000")
    if lock is not None:
        (home.root / "lock").write_text(lock)
    assert kept(home) is None
