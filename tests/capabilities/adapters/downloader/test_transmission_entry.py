"""What is sent to Transmission is judged before, and holds no address but trackers."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from capabilities.adapters.downloader.port import AddRequest
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from capabilities.adapters.downloader.transmission_entry import requested
from tests.capabilities.adapters.downloader.rig import encode, film, pack
from world.seeder import TorrentKind, make_torrent

HASH = "ab" * 20
SECOND = "cd" * 32


def test_a_magnet_is_sent_without_peers_and_web_seeds(tmp_path: Path) -> None:
    link = (
        f"magnet:?xt=urn:btih:{HASH.upper()}&dn=A%20film%26more&tr=http%3A%2F%2Ft.example%2Fa%3Fb"
        "&ws=http%3A%2F%2F192.168.1.1%2F&x.pe=127.0.0.1:5&so=0"
    )
    entry = requested(AddRequest(link, tmp_path, wanted=(1, 2)), takes_hybrids=False)
    assert isinstance(entry.source, str)

    assert parse_qs(urlsplit(entry.source).query) == {
        "xt": [f"urn:btih:{HASH}"],
        "dn": ["A film&more"],
        "tr": ["http://t.example/a?b"],
    }
    assert (entry.labels.unread, entry.labels.wanted) == (True, frozenset({1, 2}))


@pytest.mark.parametrize("takes_hybrids", [False, True])
def test_version_2_alone_is_refused_by_every_transmission(
    tmp_path: Path, *, takes_hybrids: bool
) -> None:
    torrent = make_torrent(film(tmp_path), kind=TorrentKind.V2)
    for source in (torrent, f"magnet:?xt=urn:btmh:1220{SECOND}", SECOND):
        with pytest.raises(BadTorrentError, match="takes version 1 only"):
            requested(AddRequest(source, tmp_path), takes_hybrids=takes_hybrids)


def test_hybrids_are_for_version_4(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path), kind=TorrentKind.HYBRID)
    magnet = f"magnet:?xt=urn:btih:{HASH}&xt=urn:btmh:1220{SECOND}"
    for source in (torrent, magnet):
        with pytest.raises(BadTorrentError, match=r"4\.0 and later"):
            requested(AddRequest(source, tmp_path), takes_hybrids=False)

        entry = requested(AddRequest(source, tmp_path), takes_hybrids=True)
        assert entry.key == entry.hashes.v1


def test_pad_files_are_never_wanted(tmp_path: Path) -> None:
    info = {
        b"name": b"Show",
        b"piece length": 16384,
        b"pieces": b"h" * 40,
        b"files": [
            {b"length": 10, b"path": [b"a.mkv"]},
            {b"length": 16374, b"path": [b".pad", b"16374"], b"attr": b"p"},
            {b"length": 10, b"path": [b"b.mkv"]},
        ],
    }
    torrent = encode({b"info": info})
    entry = requested(AddRequest(torrent, tmp_path), takes_hybrids=False)

    assert (entry.wanted, entry.files) == (frozenset({0, 2}), 3)
    with pytest.raises(BadTorrentError, match="files that were chosen"):
        requested(AddRequest(torrent, tmp_path, wanted=(1,)), takes_hybrids=False)


def test_a_magnet_of_which_nothing_is_wanted_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTorrentError, match="files that were chosen"):
        requested(AddRequest(HASH, tmp_path, wanted=()), takes_hybrids=False)


def test_a_choice_among_files_is_noted_beside_being_made(tmp_path: Path) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"))
    some = requested(AddRequest(torrent, tmp_path, wanted=(0, 2)), takes_hybrids=False)
    every = requested(AddRequest(torrent, tmp_path), takes_hybrids=False)

    assert (some.labels.wanted, every.labels.wanted) == (frozenset({0, 2}), None)
    assert (some.unwanted, every.unwanted) == (frozenset({1, 3}), frozenset())
