"""The session against a double that misbehaves: every trouble has its own fault."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import structlog
from starlette.responses import Response

from capabilities.adapters.downloader.port import AddRequest, Pauser
from capabilities.adapters.downloader.qbittorrent import QbittorrentDownloader
from capabilities.adapters.downloader.qbittorrent_live import Pace
from capabilities.adapters.downloader.qbittorrent_session import Account
from capabilities.kernel.faults import (
    DeclinedError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from tests.capabilities.adapters.downloader.qbittorrent_server import (
    account_of,
    connected,
    until_back,
)
from tests.capabilities.adapters.downloader.rig import film
from world.qbittorrent_double import (
    PASSWORD,
    USER,
    Mishap,
    QbittorrentDouble,
    qbittorrent_double,
)
from world.seeder import make_torrent

UNKNOWN = "ab" * 20
ONCE = Pace(busy_s=60, idle_s=60, longest_pause_s=0.01)


@pytest.fixture
async def double() -> AsyncGenerator[QbittorrentDouble]:
    async with qbittorrent_double() as served:
        yield served


async def fault_of(client: QbittorrentDownloader) -> WorldFaultError:
    with pytest.raises(WorldFaultError) as raised:
        await client.transfers()
    return raised.value


@pytest.mark.anyio
async def test_it_signs_in_when_asked_and_again_when_the_session_ended(
    double: QbittorrentDouble,
) -> None:
    async with connected(account_of(double), ONCE) as client:
        await client.transfers()
        await client.transfers()
        once = double.calls["login"]
        double.sessions.clear()

        assert await client.transfer(UNKNOWN) is None
    assert (once, double.calls["login"]) == (1, 2)


@pytest.mark.anyio
@pytest.mark.parametrize("user", ["", USER])
async def test_where_everybody_is_let_in_one_session_is_enough(
    double: QbittorrentDouble, user: str
) -> None:
    double.trusting = True
    account = Account(double.address, user, PASSWORD if user else "")
    async with connected(account, ONCE) as client:
        for _ in range(5):
            await client.transfers()
        health = await client.health()

    assert health.reachable
    # Two: the first look of the upkeep may come at the same time.
    assert len(double.sessions) <= 2
    assert double.calls["login"] == 0


@pytest.mark.anyio
async def test_another_version_after_a_new_start_is_noticed(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path))
    double.version, double.api = "v4.6.7", "2.9.3"
    async with connected(account_of(double), ONCE) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        # The double has no call `pause`, as version 5 has none.
        with pytest.raises(DeclinedError, match="HTTP 404"):
            await client.pause(key, by=Pauser.OWNER)
        double.version, double.api = "v5.0.4", "2.11.4"
        await client.pause(key, by=Pauser.OWNER)
        health = await client.health()

    assert health.version == "qBittorrent v5.0.4"


@pytest.mark.anyio
async def test_a_wrong_password_is_said_and_not_sent_again(double: QbittorrentDouble) -> None:
    async with connected(Account(double.address, USER, "wrong")) as client:
        for _ in range(20):
            fault = await fault_of(client)
            assert isinstance(fault, DeclinedError)
            assert "password are wrong" in fault.sentence
        health = await client.health()

    assert (double.wrong, double.calls["login"]) == (1, 1)
    assert not health.reachable
    assert "password are wrong" in (health.note or "")


@pytest.mark.anyio
async def test_a_refused_sign_in_is_taken_for_a_wrong_password_and_not_sent_again(
    double: QbittorrentDouble,
) -> None:
    double.fakes["login"] = Response("", 401)
    async with connected(account_of(double)) as client:
        faults = [await fault_of(client) for _ in range(20)]

    assert {type(fault).__base__ for fault in faults} == {DeclinedError}
    assert "half an hour" in faults[0].sentence
    assert double.calls["login"] == 1


@pytest.mark.anyio
async def test_a_ban_is_told_apart_from_a_wrong_password(double: QbittorrentDouble) -> None:
    double.wrong = 5
    async with connected(account_of(double)) as client:
        fault = await fault_of(client)

    assert isinstance(fault, ThrottledError)
    assert "banned" in fault.sentence
    assert fault.retry_after_s


@pytest.mark.anyio
async def test_no_credentials_where_some_are_wanted_is_said(double: QbittorrentDouble) -> None:
    async with connected(Account(double.address)) as client:
        fault = await fault_of(client)

    assert isinstance(fault, DeclinedError)
    assert "none are set" in fault.sentence


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("mishap", "words"),
    [
        (Mishap.GARBAGE, "not one that qBittorrent gives"),
        (Mishap.BROKEN, "HTTP 500"),
        (Mishap.SLOW, "did not answer in time|No complete answer came"),
    ],
)
async def test_garbage_errors_and_silence_are_said_and_passing(
    double: QbittorrentDouble, mishap: Mishap, words: str
) -> None:
    async with connected(account_of(double), ONCE, total_s=0.6) as client:
        await client.transfers()
        double.mishaps["maindata"] = mishap
        fault = await fault_of(client)
        double.mishaps.clear()
        await until_back(client)

    assert isinstance(fault, UnreachableError)
    assert re.search(words, fault.sentence)
    assert PASSWORD not in str(fault)


@pytest.mark.anyio
async def test_a_client_that_is_off_is_left_in_peace_and_told_of_once_each_way(
    double: QbittorrentDouble,
) -> None:
    with structlog.testing.capture_logs() as told:
        async with connected(account_of(double)) as client:
            await client.transfers()
            double.mishaps["maindata"] = Mishap.BROKEN
            before = double.calls["maindata"]
            for _ in range(200):
                await fault_of(client)
            asked = double.calls["maindata"] - before
            double.mishaps.clear()
            await until_back(client)

    assert asked < 20
    assert [line["event"] for line in told] == [
        "the download client is gone",
        "the download client is back",
    ]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("preferences", "noted"),
    [
        ({}, False),
        ({"max_ratio_act": 1}, False),
        ({"max_ratio_act": 0, "max_ratio_enabled": True}, False),
        ({"max_ratio_act": 1, "max_ratio_enabled": True}, True),
        ({"max_ratio_act": 3, "max_seeding_time_enabled": True}, True),
    ],
)
async def test_one_that_removes_torrents_by_itself_is_told_of(
    double: QbittorrentDouble, preferences: dict[str, object], *, noted: bool
) -> None:
    double.preferences = preferences
    async with connected(account_of(double), ONCE) as client:
        health = await client.health()

    assert health.reachable
    assert ("removes torrents by itself" in (health.note or "")) is noted


@pytest.mark.anyio
async def test_one_that_is_too_old_is_declined(double: QbittorrentDouble) -> None:
    double.version, double.api = "v4.3.9", "2.8.2"
    async with connected(account_of(double), ONCE) as client:
        health = await client.health()

    assert not health.reachable
    assert "4.5 or later" in (health.note or "")


@pytest.mark.anyio
async def test_an_address_that_is_none_is_declined_at_once() -> None:
    with pytest.raises(DeclinedError, match="no http or https"):
        async with connected(Account("ftp://127.0.0.1")):
            pass


@pytest.mark.anyio
async def test_nobody_there_is_unreachable(double: QbittorrentDouble) -> None:
    away = Account("http://127.0.0.1:9", USER, PASSWORD)
    async with connected(away) as client:
        fault = await fault_of(client)
        health = await client.health()

    assert isinstance(fault, UnreachableError)
    assert "could not be reached" in (health.note or "")
    assert double.calls == {}
