"""What can be done with torrents there, and what Transmission says or does not say of them."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from capabilities.adapters.downloader.port import AddRequest, Pauser
from capabilities.adapters.downloader.transmission_rpc import Account, Nothing
from capabilities.kernel.faults import LostAnswerError, UnreachableError
from tests.capabilities.adapters.downloader.transmission_server import (
    SLOW,
    Owner,
    connected,
    program_in,
    proxied,
)
from world.rpc_proxy import replaced

pytestmark = pytest.mark.proof

UNKNOWN = "ab" * 20


@pytest.fixture
async def account(tmp_path: Path) -> AsyncGenerator[Account]:
    async with program_in(tmp_path / "profile") as (_, account):
        yield account


@pytest.mark.anyio
async def test_many_torrents_are_listed_in_the_order_of_their_adding(account: Account) -> None:
    keys = [f"{(number * 37) % 101:040x}" for number in range(1, 61)]
    owner = Owner(account)
    async with connected(account, SLOW) as client:
        for key in keys:
            link = f"magnet:?xt=urn:btih:{key}"
            await owner.calls("torrent-add", Nothing, filename=link, paused=True)
        listed = [transfer.hashes.key for transfer in await client.transfers()]

    assert listed == keys


@pytest.mark.anyio
async def test_free_space_that_it_does_not_know_is_none(account: Account) -> None:
    async with proxied(account, timing=SLOW) as (proxy, client):
        proxy.mishaps["session-get"] = replaced(b"/transmission/downloads", b"/nowhere")
        health = await client.health()

    assert (health.reachable, health.free_bytes) == (True, None)


@pytest.mark.anyio
async def test_what_it_says_it_does_and_does_not_is_told_as_unknown(
    account: Account, tmp_path: Path
) -> None:
    hasty = replace(SLOW, seen_through_s=0.2)
    async with connected(account) as direct:
        await direct.add(AddRequest(UNKNOWN, tmp_path / "ours"))
    async with proxied(account, timing=hasty) as (proxy, client):
        proxy.mishaps["torrent-get"] = replaced(b'"status":0', b'"status":4')
        with pytest.raises(LostAnswerError, match="told to stop"):
            await client.pause(UNKNOWN, by=Pauser.US)


@pytest.mark.anyio
async def test_one_torrent_that_cannot_be_read_hides_no_other(
    account: Account, tmp_path: Path
) -> None:
    async with proxied(account, timing=SLOW) as (proxy, client):
        odd = (await client.add(AddRequest("cd" * 20, tmp_path))).key
        await client.add(AddRequest(UNKNOWN, tmp_path))
        proxy.mishaps["torrent-get"] = replaced(odd.encode(), b"odd")
        with capture_logs() as logs:
            found = [[one.hashes.key for one in await client.transfers()] for _ in range(2)]
            with pytest.raises(UnreachableError, match="cannot be read"):
                await client.transfer(odd)

    assert found == [[UNKNOWN], [UNKNOWN]]
    assert [one["fields"] for one in logs if one["log_level"] == "warning"] == [["hashString"]]
