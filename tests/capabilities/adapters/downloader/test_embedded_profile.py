import socket
from pathlib import Path
from typing import cast

import libtorrent as lt
import pytest

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import (
    Encryption,
    LoopbackProfile,
    ProductProfile,
    Profile,
)
from capabilities.adapters.downloader.port import AddRequest
from tests.capabilities.adapters.downloader.rig import MIB, QUICK, film, until, until_complete
from world.seeder import seeding


def test_a_product_profile_says_what_its_owner_set() -> None:
    pack = ProductProfile(
        listen_port=50_123,
        dht=False,
        lsd=False,
        utp=False,
        port_forwarding=True,
        encryption=Encryption.REQUIRED,
        upload_limit=1000,
        download_limit=2000,
        connections=30,
        upload_slots=3,
    ).pack()

    assert pack == {
        "listen_interfaces": "0.0.0.0:50123,[::]:50123",
        "enable_dht": False,
        "enable_lsd": False,
        "enable_outgoing_utp": False,
        "enable_incoming_utp": False,
        "enable_upnp": True,
        "enable_natpmp": True,
        "out_enc_policy": lt.enc_policy.pe_forced,
        "in_enc_policy": lt.enc_policy.pe_forced,
        "upload_rate_limit": 1000,
        "download_rate_limit": 2000,
        "connections_limit": 30,
        "unchoke_slots_limit": 3,
        "alert_mask": pack.get("alert_mask"),
        "alert_queue_size": pack.get("alert_queue_size"),
    }


@pytest.mark.parametrize("profile", [ProductProfile(), LoopbackProfile(listen_port=50_123)])
def test_libtorrent_knows_every_setting_of_a_profile(profile: Profile) -> None:
    # Those that it does not know raise here.
    pack = {**profile.pack(), "listen_interfaces": "127.0.0.1:0", "enable_dht": False}
    session = lt.session(cast("lt.settings_pack", pack))
    taken = cast("dict[str, object]", session.get_settings())

    assert {name: taken[name] for name in pack} == pack
    assert taken["ssrf_mitigation"] is True


@pytest.mark.parametrize("pex", [True, False])
def test_peer_exchange_is_on_unless_the_owner_said_no(*, pex: bool) -> None:
    flags = ProductProfile(pex=pex).torrent_flags()

    assert bool(flags & lt.torrent_flags.disable_pex) is not pex


def test_a_loopback_profile_reaches_nobody_outside() -> None:
    pack = LoopbackProfile().pack()

    assert pack.get("listen_interfaces") == "127.0.0.1:0"
    for way_out in ("enable_dht", "enable_lsd", "enable_upnp", "enable_natpmp"):
        assert pack.get(way_out) is False


@pytest.mark.anyio
async def test_a_limit_on_the_loopback_interface_is_kept(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs", size=8 * MIB)
    profile = LoopbackProfile(download_limit=MIB)
    async with (
        seeding(source) as seed,
        open_embedded(tmp_path / "state", tmp_path, profile) as client,
    ):
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        key = (await client.add(request)).key
        begun = await until(client, key, lambda one: one.done_bytes > 0)

    assert begun.done_bytes < 4 * MIB


@pytest.mark.anyio
@pytest.mark.parametrize("encryption", list(Encryption))
async def test_a_product_profile_fetches_from_a_peer(
    tmp_path: Path, encryption: Encryption
) -> None:
    source = film(tmp_path / "theirs")
    alone = ProductProfile(listen_port=0, dht=False, lsd=False, utp=False, encryption=encryption)
    async with (
        seeding(source) as seed,
        open_embedded(tmp_path / "state", tmp_path, alone, timing=QUICK) as client,
    ):
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        await until_complete(client, (await client.add(request)).key)

    assert (tmp_path / "ours" / source.name).read_bytes() == source.read_bytes()


@pytest.mark.anyio
async def test_a_client_whose_port_is_taken_says_where_it_listens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        profile = LoopbackProfile(listen_port=taken.getsockname()[1])
        async with open_embedded(tmp_path / "state", tmp_path, profile) as client:
            health = await client.health()
    async with open_embedded(tmp_path / "state", tmp_path, profile) as client:
        free_again = await client.health()
        await client.aclose()
        closed = await client.health()

    assert health.reachable
    assert f"instead of {profile.listen_port}" in (health.note or "")
    assert (free_again.note, closed.note) == (None, None)
