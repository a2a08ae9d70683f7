"""Looking at Transmission: what readers of changes hear, and how it goes and comes back."""

from collections.abc import MutableMapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from structlog.testing import capture_logs

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.adapters.downloader.transmission import TransmissionDownloader
from capabilities.adapters.downloader.transmission_row import Row
from capabilities.adapters.downloader.transmission_rpc import Nothing
from capabilities.adapters.downloader.transmission_upkeep import Quiet
from tests.capabilities.adapters.downloader.rig import LIMIT_S, film, until
from tests.capabilities.adapters.downloader.transmission_server import (
    QUICK,
    Owner,
    account_of,
    connected,
    profile_in,
    program_in,
    proxied,
)
from world.rpc_proxy import replaced
from world.seeder import make_torrent
from world.transmission_program import running

pytestmark = pytest.mark.proof

KEY = "ab" * 20
NOWHERE = "http://127.0.0.1:9/announce"


def left_alone(logs: Sequence[MutableMapping[str, Any]]) -> list[str]:
    return [one["torrent"] for one in logs if one["event"] == "a torrent is left as it is"]


async def until_reachable(client: TransmissionDownloader, *, reachable: bool) -> None:
    with anyio.fail_after(LIMIT_S):
        health = await client.health()
        while health.reachable is not reachable:
            await anyio.sleep(0.05)
            health = await client.health()


@pytest.mark.anyio
async def test_what_others_add_stop_and_remove_is_told(tmp_path: Path) -> None:
    async with program_in(tmp_path) as (_, account), connected(account) as client:
        owner = Owner(account)
        with anyio.fail_after(LIMIT_S):
            async with client.changes() as changes:
                link = f"magnet:?xt=urn:btih:{KEY}"
                await owner.calls("torrent-add", Nothing, filename=link)
                told = [await anext(changes)]
        await until(client, KEY, lambda one: one.state is ClientState.METADATA)
        await owner.stops(KEY)
        await until(client, KEY, lambda one: one.state is ClientState.PAUSED_BY_OWNER)
        with anyio.fail_after(LIMIT_S):
            async with client.changes() as changes:
                await owner.calls("torrent-remove", Nothing, ids=[KEY])
                while await client.transfer(KEY) is not None:
                    told.append(await anext(changes))
                told.append(await anext(changes))

    assert set(told) == {KEY}


@pytest.mark.anyio
async def test_the_log_says_once_that_it_is_gone_and_once_that_it_is_back(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "ours"), announce_url=NOWHERE)
    profile = profile_in(tmp_path)
    with capture_logs() as logs:
        async with running(profile) as program, connected(account_of(program)) as client:
            key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
            await until(client, key, lambda one: one.state is ClientState.SEEDING)
            await program.kill()
            for _ in range(5):
                await until_reachable(client, reachable=False)
            async with running(profile) as again, client.changes() as changes:
                await until_reachable(client, reachable=True)
                # The note of its addition was what the crash left on the disk.
                await Owner(account_of(again)).until_labels(key, ["matinee"])
                seen = await until(client, key, lambda one: one.state is ClientState.SEEDING)
                with anyio.fail_after(LIMIT_S):
                    told = await anext(changes)
                events = [one["event"] for one in logs if one.get("client") == "transmission"]

    assert (seen.save_path, told) == (tmp_path / "ours", key)
    assert events == [
        "the download client is gone",
        "the download client is back",
    ]


@pytest.mark.anyio
async def test_two_processes_of_one_house_do_not_undo_each_other(tmp_path: Path) -> None:
    torrents = [
        make_torrent(film(tmp_path / "theirs", name=f"{number}.mkv"), announce_url=NOWHERE)
        for number in range(3)
    ]
    async with (
        program_in(tmp_path) as (_, account),
        connected(account) as one,
        connected(account) as other,
    ):
        async with anyio.create_task_group() as group:
            for client in (one, other):
                for torrent in torrents:
                    group.start_soon(client.add, AddRequest(torrent, tmp_path / "ours"))
        keys = [transfer.hashes.key for transfer in await one.transfers()]
        for key in keys:
            await until(other, key, lambda seen: seen.state is ClientState.DOWNLOADING)
            await one.pause(key, by=Pauser.US)
        paused = [transfer.state for transfer in await other.transfers()]
        for key in keys:
            await other.resume(key, by=Pauser.US)
            await until(one, key, lambda seen: seen.state is ClientState.DOWNLOADING)
            await Owner(account).until_labels(key, ["matinee"])

    assert paused == [ClientState.PAUSED_BY_US] * 3


@pytest.mark.anyio
async def test_a_torrent_that_it_says_no_about_stops_none_of_the_others(tmp_path: Path) -> None:
    keys = [digits * 20 for digits in ("ab", "cd")]
    async with program_in(tmp_path) as (_, account), proxied(account) as (proxy, client):
        for key in keys:
            await client.add(AddRequest(key, tmp_path / "ours"))
        with capture_logs() as logs:
            proxy.mishaps["torrent-set"] = replaced(b'"success"', b'"not today"')
            for key in keys:
                await Owner(account).sets(key, labels=["matinee", "matinee-adding"])
            with anyio.fail_after(LIMIT_S):
                told = left_alone(logs)
                while len(told) < len(keys):
                    await anyio.sleep(0.05)
                    told = left_alone(logs)
            looks = proxy.calls["torrent-get"]
            with anyio.fail_after(LIMIT_S):
                seen = looks
                while seen < looks + 10:
                    await anyio.sleep(0.05)
                    seen = proxy.calls["torrent-get"]
            in_the_end = left_alone(logs)

    assert sorted(told) == keys == sorted(in_the_end)


@pytest.mark.anyio
async def test_without_peers_and_progress_it_counts_as_stalled(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    impatient = replace(QUICK, stall_after_s=0.3)
    async with program_in(tmp_path) as (_, account), connected(account, impatient) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        with anyio.fail_after(LIMIT_S):
            seen = await client.transfer(key)
            while seen is None or seen.state is not ClientState.STALLED:
                await anyio.sleep(0.05)
                seen = await client.transfer(key)

    assert not seen.complete


@pytest.mark.anyio
@pytest.mark.parametrize(
    "news",
    [{"peersConnected": 1}, {"haveValid": 5}, {"status": 0}, {"status": 3}],
    ids=lambda news: next(iter(news)),
)
async def test_a_peer_a_byte_or_a_stop_ends_the_quiet(news: dict[str, object]) -> None:
    row = {"id": 1, "hashString": KEY, "name": "x", "status": 4, "downloadDir": "/films"}
    silent, lively = Row.model_validate(row), Row.model_validate({**row, **news})
    quiet = Quiet(0.0)

    assert [quiet.observe(silent), quiet.observe(silent)] == [True, True]
    longer = Quiet(0.05)
    longer.observe(silent)
    await anyio.sleep(0.06)
    assert longer.observe(silent)
    assert not longer.observe(lively)
    longer.forget(KEY)
    assert not longer.observe(silent)
