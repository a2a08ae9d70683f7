import time
from pathlib import Path

import anyio
import anyio.to_thread
import libtorrent as lt
import pytest

from world.seeder import Seed, TorrentKind, giving, make_torrent, seeding
from world.tracker import tracking

LIMIT_S = 5
MIB = 1 << 20
ALONE: "lt.settings_pack" = {
    "listen_interfaces": "127.0.0.1:0",
    "enable_dht": False,
    "enable_lsd": False,
    "enable_upnp": False,
    "enable_natpmp": False,
    "enable_outgoing_utp": False,
    "enable_incoming_utp": False,
    "allow_multiple_connections_per_ip": True,
    "min_announce_interval": 1,
    "stop_tracker_timeout": 0,
    "alert_mask": lt.alert_category.status | lt.alert_category.storage,
}


def season(folder: Path) -> Path:
    root = folder / "Show.S01"
    root.mkdir(parents=True)
    for number in (1, 2):
        (root / f"Show.S01E0{number}.mkv").write_bytes(bytes([number]) * (MIB + number))
    return root


def fetched(
    params: lt.add_torrent_params, folder: Path, *, dialled_by: Seed | None = None
) -> lt.torrent_status:
    """Fetch with a plain client of libtorrent's until it is on the disk; blocking."""
    params.save_path = str(folder)
    params.flags &= ~(lt.torrent_flags.auto_managed | lt.torrent_flags.paused)
    session = lt.session(ALONE)
    handle = session.add_torrent(params)
    if dialled_by is not None:
        dialled_by.dial(("127.0.0.1", session.listen_port()))
    deadline = time.monotonic() + LIMIT_S
    flushed = False
    while not flushed and time.monotonic() < deadline:
        session.wait_for_alert(100)
        flushed = any(isinstance(one, lt.cache_flushed_alert) for one in session.pop_alerts())
    return handle.status()


@pytest.mark.anyio
@pytest.mark.parametrize("kind", list(TorrentKind))
async def test_a_season_is_given_to_whoever_has_its_torrent_file(
    tmp_path: Path, kind: TorrentKind
) -> None:
    source = season(tmp_path / "theirs")
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker, kind=kind, piece_size=32 * 1024) as seed,
    ):
        params = lt.load_torrent_buffer(seed.torrent_bytes)
        status = await anyio.to_thread.run_sync(fetched, params, tmp_path / "ours")

        assert status.is_seeding
        assert seed.given_bytes >= 2 * MIB
    assert [seed.v1 is not None, seed.v2 is not None] == {
        TorrentKind.V1: [True, False],
        TorrentKind.V2: [False, True],
        TorrentKind.HYBRID: [True, True],
    }[kind]
    assert params.ti
    assert params.ti.piece_length() == 32 * 1024
    for path in source.iterdir():
        assert (tmp_path / "ours" / source.name / path.name).read_bytes() == path.read_bytes()


@pytest.mark.anyio
async def test_it_dials_who_knows_of_nobody(tmp_path: Path) -> None:
    source = season(tmp_path / "theirs")
    async with seeding(source) as seed:
        params = lt.load_torrent_buffer(seed.torrent_bytes)
        status = await anyio.to_thread.run_sync(
            lambda: fetched(params, tmp_path / "ours", dialled_by=seed)
        )

        assert status.is_seeding


@pytest.mark.anyio
@pytest.mark.parametrize("kind", list(TorrentKind))
async def test_a_magnet_leads_to_it_without_a_tracker(tmp_path: Path, kind: TorrentKind) -> None:
    source = season(tmp_path / "theirs")
    async with seeding(source, kind=kind) as seed:
        params = lt.parse_magnet_uri(seed.magnet)
        status = await anyio.to_thread.run_sync(fetched, params, tmp_path / "ours")

    assert status.is_seeding


@pytest.mark.anyio
async def test_a_limit_slows_it_down_until_it_is_lifted(tmp_path: Path) -> None:
    source = tmp_path / "film.mkv"
    source.write_bytes(b"film" * (2 * MIB))
    slow: list[int] = []

    async def lift(seed: Seed) -> None:
        while not seed.given_bytes:
            await anyio.lowlevel.checkpoint()
        slow.append(seed.given_bytes)
        seed.limit(0)

    async with seeding(source, upload_limit=MIB) as seed:
        params = lt.load_torrent_buffer(seed.torrent_bytes)
        params.peers = [seed.address]
        async with anyio.create_task_group() as group:
            group.start_soon(lift, seed)
            await anyio.to_thread.run_sync(fetched, params, tmp_path / "ours")
        given = seed.given_bytes

    assert (tmp_path / "ours" / source.name).read_bytes() == source.read_bytes()
    assert slow[0] < 4 * MIB
    assert given >= 8 * MIB


@pytest.mark.anyio
async def test_a_seeder_whose_tracker_is_gone_does_not_wait_for_ever(tmp_path: Path) -> None:
    source = season(tmp_path / "theirs")
    async with tracking() as tracker:
        pass
    with pytest.raises(TimeoutError, match="does not answer"):
        async with seeding(source, tracker=tracker):
            pass


@pytest.mark.anyio
async def test_closing_twice_is_fine_and_frees_the_port(tmp_path: Path) -> None:
    source = season(tmp_path / "theirs")
    async with giving(make_torrent(source, private=True), source.parent) as seed:
        await seed.aclose()
        await seed.aclose()
        with pytest.raises(OSError, match="connect"):
            await anyio.connect_tcp(*seed.address)
    params = lt.load_torrent_buffer(seed.torrent_bytes)

    assert params.ti
    assert params.ti.priv()
