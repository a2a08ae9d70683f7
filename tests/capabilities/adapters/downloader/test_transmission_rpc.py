"""Transmission's RPC behind a proxy: what each way of failing is told as."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
import structlog
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from capabilities.adapters.downloader.port import AddRequest, Pauser
from capabilities.adapters.downloader.transmission_rpc import Account
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from tests.capabilities.adapters.downloader.rig import film
from tests.capabilities.adapters.downloader.transmission_server import (
    SLOW,
    connected,
    program_in,
    proxied,
)
from world.rpc_proxy import garbage, replaced
from world.seeder import TorrentKind, make_torrent

UNKNOWN = "ab" * 20
NOBODY = Account("http://127.0.0.1:9")


@pytest.fixture
async def account(tmp_path: Path) -> AsyncGenerator[Account]:
    async with program_in(tmp_path / "profile") as (_, account):
        yield account


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["", "/", "/transmission/", "/transmission/web/"])
async def test_the_address_may_do_without_the_path(account: Account, path: str) -> None:
    async with connected(replace(account, address=account.address + path), SLOW) as client:
        assert (await client.health()).reachable


@pytest.mark.anyio
async def test_an_address_that_is_none_is_declined() -> None:
    with pytest.raises(DeclinedError, match="no http"):
        async with connected(Account("transmission.local")):
            pass


@pytest.mark.anyio
async def test_a_renewed_session_is_taken_up_and_nothing_is_done_twice(
    account: Account, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with proxied(account, timing=SLOW) as (proxy, client):
        await client.health()
        requests = proxy.requests
        proxy.fake = Response(status_code=409, headers={"X-Transmission-Session-Id": "renewed"})
        with pytest.raises(DeclinedError, match="409"):
            await client.transfer(UNKNOWN)
        refused = proxy.requests - requests
        proxy.fake = None
    async with proxied(account, timing=SLOW) as (proxy, client):
        await client.add(AddRequest(torrent, tmp_path / "ours"))

    assert refused == 2
    assert proxy.calls["torrent-add"] == 1


@pytest.mark.anyio
async def test_a_wrong_password_is_said_and_not_tried_again(account: Account) -> None:
    wrong = replace(account, password="wrong")
    async with proxied(wrong, timing=SLOW) as (proxy, client):
        health = await client.health()
        requests = proxy.requests
        with pytest.raises(DeclinedError, match="password"):
            await client.add(AddRequest(UNKNOWN, Path("/films")))
        with pytest.raises(DeclinedError, match="password"):
            await client.transfers()

    assert not health.reachable
    assert health.note is not None
    assert "Correct them" in health.note
    assert proxy.requests == requests


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "fault", "sentence"),
    [
        (PlainTextResponse("", 403), DeclinedError, "rpc-whitelist"),
        (PlainTextResponse("", 421), DeclinedError, "rpc-host-whitelist"),
        (PlainTextResponse("", 404), DeclinedError, "not Transmission's RPC"),
        (RedirectResponse("/login"), DeclinedError, "not Transmission's RPC"),
        (PlainTextResponse("<html>"), UnreachableError, "cannot be read"),
        (PlainTextResponse("{}"), UnreachableError, "cannot be read"),
        (PlainTextResponse('{"result":"success"}'), UnreachableError, "cannot be read"),
        (PlainTextResponse("", 502), UnreachableError, "502"),
        (PlainTextResponse("", 429), ThrottledError, "less often"),
        (PlainTextResponse('{"result":"no such method"}'), DeclinedError, "no such method"),
    ],
)
async def test_an_answer_that_is_none_is_told_as_what_it_is(
    answer: Response, fault: type[WorldFaultError], sentence: str
) -> None:
    async with proxied(NOBODY, timing=SLOW) as (proxy, client):
        proxy.fake = answer
        with pytest.raises(fault, match=sentence):
            await client.transfer(UNKNOWN)


@pytest.mark.anyio
async def test_what_was_sent_and_answered_with_garbage_may_have_been_done(
    account: Account, tmp_path: Path
) -> None:
    async with proxied(account, timing=SLOW) as (proxy, client):
        key = (await client.add(AddRequest(UNKNOWN, tmp_path))).key
        proxy.mishaps["torrent-set"] = garbage
        with pytest.raises(LostAnswerError):
            await client.pause(key, by=Pauser.US)


@pytest.mark.anyio
async def test_what_does_not_answer_in_time_is_not_waited_for(account: Account) -> None:
    async with proxied(account, total_s=0.3, timing=SLOW) as (proxy, client):
        await client.health()
        proxy.mishaps["torrent-get"] = proxy.lost
        with pytest.raises(UnreachableError, match=r"within 0\.3 s"):
            await client.transfers()


@pytest.mark.anyio
async def test_one_that_goes_and_comes_back_is_told_of_once_each_way(account: Account) -> None:
    with structlog.testing.capture_logs() as told:
        async with proxied(account) as (proxy, client):
            await client.transfers()
            before = proxy.requests
            proxy.fake = PlainTextResponse("", 502)
            for _ in range(200):
                with pytest.raises(UnreachableError):
                    await client.transfer(UNKNOWN)
            asked = proxy.requests - before
            proxy.fake = None
            with anyio.fail_after(5):
                while not (await client.health()).reachable:  # noqa: ASYNC110  # nothing tells of it
                    await anyio.sleep(0.02)

    assert asked < 20
    assert [line["event"] for line in told] == [
        "the download client is gone",
        "the download client is back",
    ]


@pytest.mark.anyio
async def test_nobody_there_is_unreachable_and_nothing_was_sent(tmp_path: Path) -> None:
    async with connected(NOBODY, SLOW) as client:
        with pytest.raises(UnreachableError, match="nothing was sent"):
            await client.add(AddRequest(UNKNOWN, tmp_path))
        health = await client.health()

    assert not health.reachable


@pytest.mark.anyio
async def test_no_password_is_in_what_is_told(account: Account) -> None:
    wrong = replace(account, password="a secret of somebody")
    async with connected(wrong, SLOW) as client:
        with pytest.raises(DeclinedError) as raised:
            await client.transfers()

    assert "secret" not in f"{raised.value!r} {raised.value.__cause__!r} {wrong!r}"


@pytest.mark.anyio
async def test_one_that_keeps_no_labels_is_too_old(account: Account, tmp_path: Path) -> None:
    async with proxied(account, timing=SLOW) as (proxy, client):
        proxy.mishaps["session-get"] = replaced(b'"rpc-version":16', b'"rpc-version":15')
        health = await client.health()
        with pytest.raises(DeclinedError, match=r"3\.00 or later"):
            await client.add(AddRequest(UNKNOWN, tmp_path))

    assert health.note is not None
    assert "3.00 or later" in health.note
    assert proxy.calls["torrent-add"] == 0


@pytest.mark.anyio
async def test_a_refusal_is_told_in_its_own_words(account: Account, tmp_path: Path) -> None:
    hybrid = make_torrent(film(tmp_path / "theirs"), kind=TorrentKind.HYBRID)
    async with proxied(account, timing=SLOW) as (proxy, client):
        # It says that it is one which takes hybrids, and is not.
        proxy.mishaps["session-get"] = replaced(b'"rpc-version":16', b'"rpc-version":17')
        with pytest.raises(DeclinedError, match="invalid or corrupt torrent file"):
            await client.add(AddRequest(hybrid, tmp_path / "ours"))

        assert await client.transfers() == []
    assert proxy.calls["torrent-add"] == 1
