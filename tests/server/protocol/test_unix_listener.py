import os
import socket
import stat
from pathlib import Path

import pytest

from server.protocol.unix_address import LONGEST, reachable
from server.protocol.unix_listener import SocketTakenError, listening


def knock(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made, reachable(path) as address:
        return made.connect_ex(address) == 0


def modes(path: Path) -> tuple[int, int]:
    return stat.S_IMODE(path.parent.stat().st_mode), stat.S_IMODE(path.stat().st_mode)


def test_only_the_owner_can_reach_the_socket(tmp_path: Path) -> None:
    path = tmp_path / "run" / "mcp.sock"
    before = os.umask(0)
    try:
        with listening(path):
            assert modes(path) == (0o700, 0o600)
            assert knock(path)
    finally:
        os.umask(before)
    assert not path.exists()


def test_a_folder_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "run" / "mcp.sock"
    path.parent.mkdir(mode=0o755)
    with listening(path):
        assert modes(path) == (0o700, 0o600)


def test_a_socket_that_a_dead_server_left_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(path))
    assert path.exists()
    with listening(path):
        assert knock(path)


def test_a_server_that_lives_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    with listening(path):
        with pytest.raises(SocketTakenError, match="Another Matinee server"), listening(path):
            pass
        assert knock(path)


def test_a_server_that_is_too_busy_to_answer_lives(tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as busy:
        busy.bind(str(path))
        busy.listen(0)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as waiting:
            waiting.connect(str(path))
            with pytest.raises(SocketTakenError), listening(path):
                pass


def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    path.write_text("something of the owner's")
    with pytest.raises(SocketTakenError, match="no socket"), listening(path):
        pass
    assert path.read_text() == "something of the owner's"


def test_the_socket_of_a_successor_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    with listening(path):
        path.unlink()
        path.write_text("a successor's")
    assert path.read_text() == "a successor's"


def test_a_socket_that_was_removed_meanwhile_is_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    with listening(path):
        path.unlink()
    assert not path.exists()


def test_a_path_longer_than_an_address_is_reached(tmp_path: Path) -> None:
    path = tmp_path / ("x" * LONGEST) / "mcp.sock"
    with listening(path):
        assert knock(path)
    assert not path.exists()
