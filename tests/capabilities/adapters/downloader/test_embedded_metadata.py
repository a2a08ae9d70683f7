"""Looking into magnets with libtorrent, against real peers."""

import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast
from urllib.parse import quote

import anyio
import libtorrent as lt
import pytest
from anyio.abc import SocketAttribute, SocketStream

from capabilities.adapters.downloader.bencoding import decode, encode
from capabilities.adapters.downloader.embedded import EmbeddedDownloader, open_embedded
from capabilities.adapters.downloader.embedded_kept import KeptTorrents
from capabilities.adapters.downloader.embedded_metadata import MAX_METADATA_BYTES, torrent_from
from capabilities.adapters.downloader.embedded_profile import ProductProfile
from capabilities.adapters.downloader.embedded_upkeep import Timing
from capabilities.adapters.downloader.metadata_source import NoMetadataError
from capabilities.adapters.downloader.port import AddRequest, ClientState
from capabilities.adapters.downloader.torrent_file import bare_uri, parse_magnet, read_torrent
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from capabilities.kernel.faults import UnreachableError
from tests.capabilities.adapters.downloader.rig import (
    LIMIT_S,
    embedded,
    film,
    hostile,
    listing,
    pack,
    until,
    until_complete,
)
from world.seeder import Seed, TorrentKind, giving, make_torrent, seeding
from world.tracker import tracking

HASTY = Timing(look_every_s=0.05, metadata_s=0.5)
UNKNOWN = f"magnet:?xt=urn:btih:{'ab' * 20}"


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary things of the test go."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


class Stranger:
    """A peer or tracker that accepts a connection and says nothing.

    Attributes:
        port: where, on 127.0.0.1.
        met: somebody connected.
        left: whoever connected is gone again.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.met = anyio.Event()
        self.left = anyio.Event()

    async def meet(self, stream: SocketStream) -> None:
        self.met.set()
        async with stream:
            try:
                while True:
                    await stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                self.left.set()


@asynccontextmanager
async def stranger() -> AsyncGenerator[Stranger]:
    async with (
        await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
        anyio.create_task_group() as group,
    ):
        one = Stranger(listener.extra_attributes[SocketAttribute.local_port]())
        group.start_soon(listener.serve, one.meet)
        yield one
        group.cancel_scope.cancel()


def info_of(raw: bytes) -> object:
    return cast("dict[bytes, object]", decode(raw))[b"info"]


async def kept_nowhere(client: EmbeddedDownloader, tmp_path: Path) -> None:
    assert await client.transfers() == []
    assert await KeptTorrents(tmp_path / "state").read_all() == []


@pytest.mark.anyio
@pytest.mark.parametrize("kind", list(TorrentKind))
async def test_a_magnet_becomes_exactly_the_torrent_that_it_names_and_nothing_is_left(
    tmp_path: Path, temporary: Path, kind: TorrentKind
) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source, kind=kind) as seed, embedded(tmp_path) as client:
        raw = await client.metadata(parse_magnet(seed.magnet))
        await kept_nowhere(client, tmp_path)

        assert info_of(raw) == info_of(seed.torrent_bytes)
        assert read_torrent(raw).hashes == read_torrent(seed.torrent_bytes).hashes
        assert seed.given_bytes == 0
    assert listing(temporary) == set()


@pytest.mark.anyio
@pytest.mark.parametrize("kind", list(TorrentKind))
async def test_what_a_magnet_became_is_downloaded_whole(tmp_path: Path, kind: TorrentKind) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source, kind=kind) as seed, embedded(tmp_path) as client:
        raw = await client.metadata(parse_magnet(seed.magnet))
        request = AddRequest(raw, tmp_path / "ours", peers=(seed.address,))
        await until_complete(client, (await client.add(request)).key)

    ours = tmp_path / "ours" / source.name
    assert {path.name: path.read_bytes() for path in ours.iterdir()} == {
        path.name: path.read_bytes() for path in source.iterdir()
    }


@pytest.mark.anyio
async def test_either_hash_of_a_hybrid_leads_to_both(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    async with (
        seeding(source, kind=TorrentKind.HYBRID) as seed,
        embedded(tmp_path) as client,
    ):
        for topic in (f"btih:{seed.v1}", f"btmh:1220{seed.v2}"):
            magnet = f"magnet:?xt=urn:{topic}&x.pe=127.0.0.1:{seed.port}"
            hashes = read_torrent(await client.metadata(parse_magnet(magnet))).hashes
            assert (hashes.v1, hashes.v2) == (seed.v1, seed.v2)


@pytest.mark.anyio
async def test_trackers_are_asked_and_kept_and_told_goodbye(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker) as seed,
        embedded(tmp_path) as client,
    ):
        magnet = f"magnet:?xt=urn:btih:{seed.v1}&tr={quote(tracker.announce_url)}&tr=wss%3A%2F%2Fx"
        raw = await client.metadata(parse_magnet(magnet))

        assert lt.load_torrent_buffer(raw).trackers == [tracker.announce_url]
        assert tracker.peers(str(seed.v1)) == {seed.address}


@pytest.mark.anyio
async def test_whatever_else_a_magnet_says_is_not_followed(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    async with seeding(source) as seed, stranger() as other, embedded(tmp_path) as client:
        seeds = quote(f"http://127.0.0.1:{other.port}/")
        told = f"{seed.magnet}&so=0&ws={seeds}&xs={seeds}&as={seeds}&dht=127.0.0.1:{other.port}"
        raw = await client.metadata(parse_magnet(told))

        assert decode(raw) == {b"info": info_of(seed.torrent_bytes)}
        assert not other.met.is_set()
        assert seed.given_bytes == 0


@pytest.mark.anyio
async def test_without_metadata_in_time_it_says_so_and_nothing_is_left(
    tmp_path: Path, temporary: Path
) -> None:
    async with embedded(tmp_path, HASTY) as client:
        with pytest.raises(NoMetadataError, match=r"within 0\.5 s"):
            await client.metadata(parse_magnet(UNKNOWN))
        await kept_nowhere(client, tmp_path)
    assert listing(temporary) == set()


@pytest.mark.anyio
async def test_a_look_that_is_under_way_is_no_download_and_ends_with_its_call(
    tmp_path: Path, temporary: Path
) -> None:
    async with stranger() as peer, embedded(tmp_path) as client:
        magnet = parse_magnet(f"{UNKNOWN}&x.pe=127.0.0.1:{peer.port}")
        with anyio.fail_after(LIMIT_S):
            async with anyio.create_task_group() as group:
                group.start_soon(client.metadata, magnet)
                await peer.met.wait()
                await kept_nowhere(client, tmp_path)
                assert listing(temporary) != set()
                group.cancel_scope.cancel()
            await peer.left.wait()
    assert listing(temporary) == set()


@pytest.mark.anyio
async def test_a_look_that_is_under_way_ends_with_its_client(
    tmp_path: Path, temporary: Path
) -> None:
    ends: list[str] = []

    async def look() -> None:
        with pytest.raises(UnreachableError) as ended:
            await client.metadata(magnet)
        ends.append(ended.value.sentence)

    async with stranger() as peer:
        magnet = parse_magnet(f"{UNKNOWN}&x.pe=127.0.0.1:{peer.port}")
        with anyio.fail_after(LIMIT_S):
            async with anyio.create_task_group() as group, embedded(tmp_path) as client:
                group.start_soon(look)
                await peer.met.wait()
                await client.aclose()
                await peer.left.wait()
                await look()
    assert len(ends) == 2
    assert all("shut down" in end for end in ends)
    assert listing(temporary) == set()


@pytest.mark.anyio
async def test_a_torrent_of_the_client_is_looked_up_there_and_stays(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with embedded(tmp_path, HASTY) as client:
        hashes = await client.add(AddRequest(torrent, tmp_path / "ours"))
        raw = await client.metadata(parse_magnet(bare_uri(hashes)))

        assert info_of(raw) == info_of(torrent)
        assert [one.hashes for one in await client.transfers()] == [hashes]


@pytest.mark.anyio
async def test_a_torrent_that_turns_out_to_be_the_same_is_not_disturbed(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    async with (
        seeding(source, kind=TorrentKind.HYBRID) as seed,
        embedded(tmp_path) as client,
    ):
        key = (await client.add(AddRequest(str(seed.v2), tmp_path / "ours"))).key
        magnet = f"magnet:?xt=urn:btih:{seed.v1}&x.pe=127.0.0.1:{seed.port}"
        await client.metadata(parse_magnet(magnet))

        await until(client, key, lambda one: one.state is ClientState.METADATA)


@pytest.mark.anyio
async def test_nobody_inside_the_home_network_is_contacted(tmp_path: Path) -> None:
    product = ProductProfile(listen_port=0, dht=False, lsd=False, utp=False)
    async with (
        stranger() as peer,
        stranger() as tracker,
        open_embedded(tmp_path / "state", tmp_path, product, timing=HASTY) as client,
    ):
        announce = quote(f"http://127.0.0.1:{tracker.port}/announce")
        named = quote(f"http://localhost:{tracker.port}/announce")
        told = f"{UNKNOWN}&x.pe=127.0.0.1:{peer.port}&tr={announce}&tr={named}"
        with pytest.raises(NoMetadataError):
            await client.metadata(parse_magnet(told))

        assert not peer.met.is_set()
        assert not tracker.met.is_set()


@pytest.mark.anyio
async def test_metadata_that_is_larger_than_any_torrent_file_may_be_is_not_taken(
    tmp_path: Path,
) -> None:
    pieces = MAX_METADATA_BYTES // 20 + 1
    info = {b"length": pieces * 16384, b"name": b"Sintel.mkv", b"piece length": 16384}
    large = encode({b"info": {**info, b"pieces": b"h" * 20 * pieces}})
    some_time = Timing(look_every_s=0.05, metadata_s=1.5)
    async with giving(large, tmp_path / "theirs") as seed, embedded(tmp_path, some_time) as client:
        with pytest.raises(NoMetadataError):
            await client.metadata(parse_magnet(seed.magnet))


@pytest.mark.anyio
async def test_metadata_with_unsafe_names_is_refused(tmp_path: Path, temporary: Path) -> None:
    async with giving(hostile(b"con.mkv"), tmp_path / "theirs") as seed, embedded(tmp_path) as ours:
        with pytest.raises(BadTorrentError, match="file name"):
            await ours.metadata(parse_magnet(seed.magnet))
        await kept_nowhere(ours, tmp_path)
    assert listing(temporary) == set()


def resume_of(seed_or_file: Seed | bytes) -> bytes:
    raw = seed_or_file if isinstance(seed_or_file, bytes) else seed_or_file.torrent_bytes
    return lt.write_resume_data_buf(lt.load_torrent_buffer(raw))


def test_only_the_torrent_that_was_asked_for_is_taken(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path), kind=TorrentKind.HYBRID)
    v1 = read_torrent(torrent).hashes.v1
    with pytest.raises(BadTorrentError, match="Other metadata"):
        torrent_from(resume_of(torrent), parse_magnet("ab" * 20))
    with pytest.raises(BadTorrentError, match="Other metadata"):
        torrent_from(
            resume_of(torrent),
            parse_magnet(f"magnet:?xt=urn:btih:{v1}&xt=urn:btmh:1220{'ab' * 32}"),
        )


def test_without_metadata_there_is_no_torrent_file() -> None:
    resume = lt.write_resume_data_buf(lt.parse_magnet_uri(UNKNOWN))
    with pytest.raises(BadTorrentError, match="could not be read"):
        torrent_from(resume, parse_magnet(UNKNOWN))


def test_the_info_dictionary_is_kept_byte_for_byte(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path))
    magnet = parse_magnet(f"{bare_uri(read_torrent(torrent).hashes)}&tr=udp%3A%2F%2Ft%3A1")
    raw = torrent_from(resume_of(torrent), magnet)
    assert encode(info_of(torrent)) in raw
    assert decode(raw) == {
        b"announce": b"udp://t:1",
        b"announce-list": [[b"udp://t:1"]],
        b"info": info_of(torrent),
    }
