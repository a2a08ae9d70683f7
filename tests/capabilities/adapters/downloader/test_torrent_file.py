import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.torrent_file import parse_magnet, read_torrent
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from tests.capabilities.adapters.downloader.rig import MIB, encode, hostile, pack
from world.seeder import TorrentKind, make_torrent

V1 = "0123456789abcdef0123456789abcdef01234567"
V2 = "fedcba98" * 8


@pytest.mark.parametrize("kind", list(TorrentKind))
def test_a_torrent_of_every_format_is_read_with_its_pads_hidden(
    tmp_path: Path, kind: TorrentKind
) -> None:
    source = pack(tmp_path)
    raw = make_torrent(source, kind=kind, piece_size=32 * 1024, private=True)
    torrent = read_torrent(raw)

    assert torrent.name == source.name
    assert torrent.raw == raw
    assert (torrent.private, torrent.piece_length) == (True, 32 * 1024)
    assert {file.path: file.size for file in torrent.shown()} == {
        f"{source.name}/{path.name}": path.stat().st_size for path in source.iterdir()
    }
    assert torrent.size == sum(file.size for file in torrent.shown())
    assert [file.index for file in torrent.files] == list(range(len(torrent.files)))
    assert any(file.pad for file in torrent.files) is (kind is not TorrentKind.V1)
    assert (torrent.hashes.v1 is not None) is (kind is not TorrentKind.V2)
    assert (torrent.hashes.v2 is not None) is (kind is not TorrentKind.V1)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<html>",
        b"de",
        encode({b"info": {}}),
        hostile(name=b".."),
        hostile(name=b"../../etc/passwd"),
        hostile(b"..", b"up.mkv"),
        hostile(b"a/../../b"),
        hostile("\u202e".encode() + b"..", b"x"),
        hostile(b"\xc0\xae\xc0\xae", b"a\0b"),
    ],
)
def test_garbage_and_unsafe_names_are_refused_with_a_sentence(raw: bytes) -> None:
    with pytest.raises(BadTorrentError) as refused:
        read_torrent(raw)

    assert refused.value.sentence.endswith(".")


def test_the_names_that_are_shown_are_the_ones_that_will_be_written() -> None:
    torrent = read_torrent(hostile("episode\u202e one".encode(), name=b"Sho\x01w"))

    assert [file.path for file in torrent.files] == ["Sho_w/episode one"]


@given(st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=3))
def test_no_path_of_a_readable_torrent_leads_out(parts: list[bytes]) -> None:
    try:
        torrent = read_torrent(hostile(*parts))
    except BadTorrentError:
        return
    for file in torrent.files:
        assert os.path.normpath(f"/downloads/{file.path}") == f"/downloads/{file.path}"
        assert len(file.path.split("/")) == len(parts) + 1


@pytest.mark.parametrize(
    ("text", "hashes", "name"),
    [
        (f"magnet:?xt=urn:btih:{V1}&dn=Sintel+2010", InfoHashes(v1=V1), "Sintel 2010"),
        (f" magnet:?xt=urn:btih:{V1.upper()}\n", InfoHashes(v1=V1), None),
        ("magnet:?xt=urn:btih:" + "B" * 32, InfoHashes(v1="0842108421" * 4), None),
        (f"magnet:?xt=urn:btmh:1220{V2}", InfoHashes(v2=V2), None),
        (f"magnet:?xt=urn:btih:{V1}&xt=urn:btmh:1220{V2}", InfoHashes(V1, V2), None),
        (V1.upper(), InfoHashes(v1=V1), None),
        (V2, InfoHashes(v2=V2), None),
    ],
)
def test_a_magnet_or_a_bare_hash_is_read(text: str, hashes: InfoHashes, name: str | None) -> None:
    magnet = parse_magnet(text)

    assert (magnet.hashes, magnet.name) == (hashes, name)
    assert parse_magnet(magnet.uri).hashes == hashes


def test_the_addresses_in_a_magnet_are_named_and_can_be_left_out() -> None:
    trackers = [f"udp://t.example:{port}/x" for port in range(1, 30)]
    told = "".join(f"&tr={tracker}" for tracker in [*trackers, trackers[0], "wss://w.example/"])
    uri = f"magnet:?xt=urn:btih:{V1}&xt=urn:btmh:1220{V2}{told}&x.pe=192.0.2.1:6881"
    magnet = parse_magnet(uri)
    bare = magnet.without_addresses()

    assert magnet.trackers == tuple(trackers[:20])
    assert magnet.peers == (("192.0.2.1", 6881),)
    assert (bare.hashes, bare.trackers, bare.peers) == (InfoHashes(V1, V2), (), ())
    assert bare.uri == f"magnet:?xt=urn:btih:{V1}&xt=urn:btmh:1220{V2}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "magnet:",
        "magnet:?dn=Sintel",
        "magnet:?xt=urn:btih:xyz",
        "magnet:?xt=urn:btih:" + "0" * 40,
        "http://127.0.0.1/film.torrent",
        "Sintel 2010",
        f"magnet:?xt=urn:btih:{V1}&dn=" + "x" * MIB,
    ],
)
def test_what_is_no_magnet_is_refused(text: str) -> None:
    with pytest.raises(BadTorrentError):
        parse_magnet(text)
