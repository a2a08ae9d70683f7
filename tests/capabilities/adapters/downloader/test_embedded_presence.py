from pathlib import Path

import libtorrent as lt
import pytest

from capabilities.adapters.downloader.embedded_presence import link_in_the_way, lost_files
from tests.capabilities.adapters.downloader.rig import film
from world.seeder import make_torrent

PIECE = 16 * 1024
SIZES = {"a.mkv": 3 * PIECE, "b.mkv": PIECE // 2, "c.mkv": 2 * PIECE}
PIECES = 6


def whole(folder: Path) -> lt.add_torrent_params:
    for name, size in SIZES.items():
        film(folder / "Show", size=size, name=name)
    params = lt.load_torrent_buffer(make_torrent(folder / "Show", piece_size=PIECE))
    params.save_path = str(folder)
    params.have_pieces = [True] * PIECES
    return params


def index_of(params: lt.add_torrent_params, name: str) -> int:
    assert params.ti
    layout = params.ti.layout()
    return next(
        index for index in range(layout.num_files()) if layout.file_path(index).endswith(name)
    )


def test_whole_files_are_not_lost(tmp_path: Path) -> None:
    assert lost_files(whole(tmp_path)) == []


@pytest.mark.parametrize("name", SIZES)
def test_a_whole_file_that_is_gone_or_has_another_size_is_lost(tmp_path: Path, name: str) -> None:
    params = whole(tmp_path)
    path = tmp_path / "Show" / name
    expected = [index_of(params, name)]

    path.write_bytes(path.read_bytes() + b"x")
    assert lost_files(params) == expected
    path.unlink()
    assert lost_files(params) == expected
    path.mkdir()
    assert lost_files(params) == expected


def test_a_file_that_was_not_wanted_is_not_lost(tmp_path: Path) -> None:
    params = whole(tmp_path)
    (tmp_path / "Show" / "a.mkv").unlink()
    priorities = [4, 4, 4]
    priorities[index_of(params, "a.mkv")] = 0
    params.file_priorities = priorities

    assert lost_files(params) == []


def test_nothing_is_lost_where_nothing_was_promised(tmp_path: Path) -> None:
    params = whole(tmp_path)
    for name in SIZES:
        (tmp_path / "Show" / name).unlink()
    params.have_pieces = [False] * PIECES
    nothing = lost_files(params)
    magnet = lt.parse_magnet_uri(f"magnet:?xt=urn:btih:{'ab' * 20}")

    assert nothing == lost_files(magnet) == []


def test_a_file_in_progress_reaches_to_its_last_piece(tmp_path: Path) -> None:
    params = whole(tmp_path)
    assert params.ti
    a = index_of(params, "a.mkv")
    path = tmp_path / "Show" / "a.mkv"
    first = -(-params.ti.layout().file_offset(a) // PIECE)
    params.have_pieces = [piece == first for piece in range(PIECES)]
    params.file_priorities = [4 if index == a else 0 for index in range(3)]
    reach = (first + 1) * PIECE - params.ti.layout().file_offset(a)

    path.write_bytes(b"x" * reach)
    assert lost_files(params) == []
    path.write_bytes(b"x" * (reach - 1))
    assert lost_files(params) == [a]
    path.unlink()
    assert lost_files(params) == [a]


def test_a_link_is_in_the_way_at_any_depth(tmp_path: Path) -> None:
    (tmp_path / "Show" / "Season").mkdir(parents=True)
    paths = ["Show/Season/a.mkv", "Show/Season/b.mkv"]

    assert not link_in_the_way(tmp_path, iter(paths))
    (tmp_path / "Show" / "Season" / "b.mkv").symlink_to(tmp_path)
    assert link_in_the_way(tmp_path, iter(paths))
    (tmp_path / "Show" / "Season" / "b.mkv").unlink()
    (tmp_path / "Show" / "Season").rmdir()
    (tmp_path / "Show" / "Season").symlink_to(tmp_path / "nowhere")
    assert link_in_the_way(tmp_path, iter(paths))
