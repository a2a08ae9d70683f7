import threading
from pathlib import Path

import pytest

from server.cli.home import Home
from server.cli.home_role import at_work, no_doors, remember, remembered, worker_in
from server.role import Role


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.prepare()
    return made


def test_in_a_home_of_no_worker_a_server_may_be_started(tmp_path: Path, home: Home) -> None:
    assert no_doors(home) is None
    assert no_doors(Home(tmp_path / "not" / "there")) is None
    remember(home, Role.API)
    assert no_doors(home) is None


def test_a_worker_is_known_for_as_long_as_one_of_them_works(home: Home) -> None:
    with at_work(home):
        with at_work(home):
            assert worker_in(home)
        assert worker_in(home)
        closed = no_doors(home)
    assert closed is not None
    assert closed.sentence.startswith("A worker works in this home.")
    assert not worker_in(home)
    assert no_doors(home) is None


def test_looking_is_not_working(home: Home) -> None:
    with at_work(home):
        pass
    seen: list[bool] = []
    looks = [threading.Thread(target=lambda: seen.append(worker_in(home))) for _ in range(4)]
    for look in looks:
        look.start()
    for look in looks:
        look.join()
    assert seen == [False] * 4


def test_the_home_of_a_worker_stays_one_until_a_process_with_doors_works_there(
    home: Home,
) -> None:
    remember(home, Role.WORKER)
    closed = no_doors(home)
    assert closed is not None
    assert "none works in it now" in closed.sentence
    remember(home, Role.API)
    assert remembered(home) is Role.API
    remember(home, Role.ALL)
    assert remembered(home) is Role.ALL
    assert not home.role_file.exists()


def test_what_is_no_role_is_none(home: Home) -> None:
    home.role_file.write_bytes(b"\xff")
    assert remembered(home) is Role.ALL
    home.role_file.write_text("butler")
    assert remembered(home) is Role.ALL
