"""Whatever answers in a client's place: bounded, said once, and not asked in a storm."""

import re
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
import pytest
import structlog

from capabilities.adapters.downloader.port import Downloader
from capabilities.adapters.downloader.qbittorrent import open_qbittorrent
from capabilities.adapters.downloader.qbittorrent_session import Account as QbittorrentAccount
from capabilities.adapters.downloader.transmission import open_transmission
from capabilities.adapters.downloader.transmission_rpc import Account as TransmissionAccount
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Bounds
from capabilities.kernel.faults import WorldFaultError
from world.rude_server import Manner, rude_server

UNKNOWN = "ab" * 20
TOTAL_S = 0.5
HUGE_S = 10
ASKED_FOR_S = 1.0
PER_SECOND = 8
PASSWORD = "a pass of nobody"
NOBODY = "http://127.0.0.1:9"

Open = Callable[[str, Outbound], AbstractAsyncContextManager[Downloader]]


@asynccontextmanager
async def qbittorrent(address: str, outbound: Outbound) -> AsyncGenerator[Downloader]:
    account = QbittorrentAccount(address, "admin", PASSWORD)
    async with open_qbittorrent("den", account, outbound) as client:
        yield client


@asynccontextmanager
async def transmission(address: str, outbound: Outbound) -> AsyncGenerator[Downloader]:
    account = TransmissionAccount(address, "owner", PASSWORD)
    async with open_transmission("den", account, outbound) as client:
        yield client


async def asked_again_and_again(client: Downloader) -> set[str]:
    """What a client says that is asked for a while without a pause."""
    said: set[str] = set()
    over = time.monotonic() + ASKED_FOR_S
    while time.monotonic() < over:
        with pytest.raises(WorldFaultError) as raised:
            await client.transfer(UNKNOWN)
        said.add(raised.value.sentence)
        await anyio.sleep(0.001)
    return said


@pytest.mark.anyio
@pytest.mark.parametrize("open_", [qbittorrent, transmission])
@pytest.mark.parametrize("manner", list(Manner))
async def test_a_bad_answer_is_said_once_and_costs_little(open_: Open, manner: Manner) -> None:
    total_s = HUGE_S if manner is Manner.HUGE else TOTAL_S
    bounds = Bounds(connect_s=1, read_s=total_s, total_s=total_s)
    began = time.monotonic()
    with structlog.testing.capture_logs() as told:
        async with (
            rude_server(manner) as server,
            Outbound(version="0", bounds=bounds) as outbound,
            open_(server.address, outbound) as client,
        ):
            said = await asked_again_and_again(client)
            health = await client.health()
            took = time.monotonic() - began

    assert not health.reachable
    assert health.note
    assert not any(re.search(PASSWORD, sentence) for sentence in said)
    assert [line["event"] for line in told] == ["the download client is gone"]
    assert server.requests <= PER_SECOND
    assert took < ASKED_FOR_S + 3 * total_s


@pytest.mark.anyio
@pytest.mark.parametrize("open_", [qbittorrent, transmission])
async def test_one_that_refuses_connections_is_said_once(open_: Open) -> None:
    with structlog.testing.capture_logs() as told:
        async with Outbound(version="0") as outbound, open_(NOBODY, outbound) as client:
            await asked_again_and_again(client)
            health = await client.health()

    assert not health.reachable
    assert [line["event"] for line in told] == ["the download client is gone"]
