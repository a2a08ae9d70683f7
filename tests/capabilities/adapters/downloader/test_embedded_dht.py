"""A bare hash leads to its metadata through the DHT of the downloads' session."""

from pathlib import Path

import libtorrent as lt
import pytest

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.torrent_file import bare_uri, parse_magnet, read_torrent
from tests.capabilities.adapters.downloader.rig import QUICK, film
from world.seeder import TorrentKind, make_torrent

DHT: "lt.settings_pack" = {
    "enable_dht": True,
    # Every node has one address here.
    "dht_restrict_routing_ips": False,
    "dht_restrict_search_ips": False,
}


class WithDht(LoopbackProfile):
    """A loopback world with a DHT that begins at ``first``, a port, or with this node."""

    first = 0

    def pack(self) -> "lt.settings_pack":
        known = f"127.0.0.1:{self.first}" if self.first else ""
        return {**super().pack(), **DHT, "dht_bootstrap_nodes": known}


def node(profile: LoopbackProfile) -> lt.session:
    return lt.session(profile.pack())


@pytest.mark.anyio
@pytest.mark.parametrize("kind", list(TorrentKind))
async def test_whoever_the_dht_knows_is_asked_for_the_metadata(
    tmp_path: Path, kind: TorrentKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), kind=kind)
    params = lt.load_torrent_buffer(torrent)
    params.save_path = str(tmp_path / "theirs")
    params.flags |= lt.torrent_flags.seed_mode
    params.flags &= ~(lt.torrent_flags.paused | lt.torrent_flags.auto_managed)
    others = [node(WithDht())]
    monkeypatch.setattr(WithDht, "first", others[0].listen_port())
    others.append(node(WithDht()))
    others[1].add_torrent(params)
    async with open_embedded(tmp_path / "state", tmp_path, WithDht(), timing=QUICK) as client:
        raw = await client.metadata(parse_magnet(bare_uri(read_torrent(torrent).hashes)))

        assert read_torrent(raw).hashes == read_torrent(torrent).hashes
        assert await client.transfers() == []
