import sys
from pathlib import Path

import pytest

from server.protocol import unix_address
from server.protocol.unix_address import LONGEST, AddressTooLongError, reachable


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_short_path_is_its_own_address() -> None:
    path = Path("/") / ("x" * (LONGEST - 1))
    with reachable(path) as address:
        assert address == str(path)


def test_a_long_path_is_reached_through_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / ("é" * (LONGEST // 2))
    folder.mkdir()
    (folder / "there").touch()
    before = open_files()
    with reachable(folder / "there") as address:
        assert len(address) < LONGEST
        assert Path(address).samefile(folder / "there")
    assert open_files() == before


def test_a_long_path_without_its_folder_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), reachable(tmp_path / ("x" * LONGEST) / "mcp.sock"):
        pass


def test_a_system_that_knows_no_way_around_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert unix_address.sys.platform == "darwin"
    with pytest.raises(AddressTooLongError, match="--home"), reachable(tmp_path / ("x" * LONGEST)):
        pass
