"""Getting torrents in: what is left after crashes, lost answers and half-done adds."""

import base64
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser, Transfer
from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.adapters.downloader.transmission_rpc import Nothing
from capabilities.kernel.faults import DeclinedError, LostAnswerError
from tests.capabilities.adapters.downloader.rig import LIMIT_S, film, pack, until
from tests.capabilities.adapters.downloader.transmission_server import (
    QUICK,
    SLOW,
    Owner,
    account_of,
    connected,
    profile_in,
    program_in,
    proxied,
)
from world.rpc_proxy import chained, garbage, replaced
from world.seeder import make_torrent
from world.transmission_program import running

pytestmark = pytest.mark.proof

NOWHERE = "http://127.0.0.1:9/announce"


@pytest.mark.anyio
async def test_what_was_added_survives_a_crash_of_transmission(tmp_path: Path) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"), announce_url=NOWHERE)
    profile = profile_in(tmp_path)
    async with running(profile) as program, connected(account_of(program)) as client:
        request = AddRequest(torrent, tmp_path / "ours", wanted=(1,), category="films")
        key = (await client.add(request)).key
        link = (await client.add(AddRequest("cd" * 20, tmp_path / "links", wanted=(0, 1)))).key
        await program.kill()
    async with running(profile) as program, connected(account_of(program)) as client:
        again = await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)
        magnet = await until(client, link, lambda one: one.state is ClientState.METADATA)
        await Owner(account_of(program)).until_labels(key, ["films"])
        labels = await Owner(account_of(program)).labels(link)

    assert again.save_path == tmp_path / "ours"
    assert again.category == "films"
    assert [file.index for file in again.files if file.wanted] == [1]
    assert magnet.save_path == tmp_path / "links"
    assert set(labels) >= {"matinee-unread", "matinee-wants 0-1"}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("by", "state"),
    [(Pauser.US, ClientState.PAUSED_BY_US), (Pauser.OWNER, ClientState.PAUSED_BY_OWNER)],
)
async def test_who_paused_survives_a_crash_of_transmission(
    tmp_path: Path, by: Pauser, state: ClientState
) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    profile = profile_in(tmp_path)
    async with running(profile) as program, connected(account_of(program)) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        await client.pause(key, by=by)
        await program.kill()
    async with running(profile) as program, connected(account_of(program)) as client:
        again = await until(client, key, lambda one: one.state is not ClientState.CHECKING)

    assert again.state is state


@pytest.mark.anyio
async def test_a_lost_answer_to_an_add_is_said_and_then_seen_to(tmp_path: Path) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"), announce_url=NOWHERE)
    request = AddRequest(torrent, tmp_path / "ours", wanted=(2,), category="films")
    async with (
        program_in(tmp_path) as (_, account),
        proxied(account, total_s=0.5) as (proxy, client),
        connected(account) as direct,
    ):
        proxy.mishaps["torrent-add"] = proxy.lost
        with pytest.raises(LostAnswerError):
            await client.add(request)
        [there] = await direct.transfers()
        key = there.hashes.key
        seen_to = await until(direct, key, lambda one: one.state is ClientState.DOWNLOADING)
        await Owner(account).until_labels(key, ["films"])

    assert proxy.calls["torrent-add"] == 1
    assert [file.index for file in seen_to.files if file.wanted] == [2]


@pytest.mark.anyio
async def test_an_add_that_ended_half_way_is_ended_by_the_next(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    torrent = make_torrent(source, announce_url=NOWHERE)
    async with program_in(tmp_path) as (_, account):
        async with proxied(account) as (proxy, client):
            proxy.mishaps["torrent-set"] = garbage
            proxy.mishaps["torrent-start"] = garbage
            with pytest.raises(LostAnswerError, match="was added"):
                await client.add(AddRequest(torrent, tmp_path / "ours"))
        async with connected(account) as client:
            key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
            await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)
            await Owner(account).until_labels(key, ["matinee"])


@pytest.mark.anyio
async def test_a_torrent_that_was_never_let_run_is_let_run_by_whoever_asks_for_it(
    tmp_path: Path,
) -> None:
    owner_link = "magnet:?xt=urn:btih:" + "ab" * 20
    folder = str(tmp_path / "ours")
    async with program_in(tmp_path) as (_, account), connected(account) as client:
        arguments = {"filename": owner_link, "paused": True, "download-dir": folder}
        await Owner(account).calls("torrent-add", Nothing, **arguments)
        before = await client.transfer("ab" * 20)
        await client.add(AddRequest("ab" * 20, tmp_path / "ours"))
        await until(client, "ab" * 20, lambda one: one.state is ClientState.METADATA)

    assert before is not None
    assert before.state is ClientState.PAUSED_BY_OWNER


@pytest.mark.anyio
@pytest.mark.parametrize("word", [b"torrent-added", b"torrent-duplicate"])
async def test_another_hash_than_was_asked_for_is_no_success(tmp_path: Path, word: bytes) -> None:
    link, others = "ab" * 20, "cd" * 20
    async with program_in(tmp_path) as (_, account), proxied(account, timing=SLOW) as (proxy, via):
        await via.add(AddRequest(others, tmp_path / "ours"))
        proxy.mishaps["torrent-add"] = chained(
            replaced(b"torrent-added", word), replaced(link.encode(), others.encode())
        )
        with pytest.raises(LostAnswerError, match="another torrent"):
            await via.add(AddRequest(link, tmp_path / "ours"))

        assert await via.transfer(others) is not None


@pytest.mark.anyio
async def test_an_answer_that_says_nothing_of_what_was_added_is_no_success(tmp_path: Path) -> None:
    async with program_in(tmp_path) as (_, account), proxied(account, timing=SLOW) as (proxy, via):
        proxy.mishaps["torrent-add"] = replaced(b"torrent-added", b"torrent-whatever")
        with pytest.raises(LostAnswerError, match="what it added"):
            await via.add(AddRequest("ab" * 20, tmp_path / "ours"))


@pytest.mark.anyio
async def test_an_add_does_not_wait_for_much_data_to_be_checked(tmp_path: Path) -> None:
    source = film(tmp_path / "ours")
    with source.open("r+b") as file:
        file.truncate(256 << 20)
    torrent = make_torrent(source, announce_url=NOWHERE)
    at_once = replace(QUICK, checked_within_s=0)
    async with program_in(tmp_path) as (_, account), connected(account, at_once) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        checking = await client.transfer(key)
        await until(client, key, lambda one: one.state is ClientState.SEEDING)
        await Owner(account).until_labels(key, ["matinee"])

    assert checking is not None
    assert checking.state is ClientState.CHECKING


@pytest.mark.anyio
async def test_a_choice_that_is_not_taken_leaves_nothing(tmp_path: Path) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"), announce_url=NOWHERE)
    async with program_in(tmp_path) as (_, account), proxied(account) as (proxy, client):
        proxy.mishaps["torrent-get"] = replaced(b'"wanted":false', b'"wanted":true')
        with pytest.raises(DeclinedError, match="choice of files"):
            await client.add(AddRequest(torrent, tmp_path / "ours", wanted=(1,)))

        assert await client.transfers() == []


@pytest.mark.anyio
@pytest.mark.parametrize("steps", [0, 5, 21, 89])
async def test_an_add_that_is_given_up_does_all_or_nothing(tmp_path: Path, steps: int) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    async with program_in(tmp_path) as (_, account), connected(account) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.add, AddRequest(torrent, tmp_path / "ours"))
            for _ in range(steps):
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
        states = [one.state for one in await client.transfers()]

    assert states in ([], [ClientState.DOWNLOADING])


async def left_half_done(owner: Owner, torrent: bytes, folder: Path, *labels: str) -> None:
    """What a process leaves that dies between its add and its choice of files."""
    added = {"metainfo": base64.b64encode(torrent).decode(), "paused": True}
    await owner.calls("torrent-add", Nothing, **added, **{"download-dir": str(folder)})
    key = read_torrent(torrent).hashes.key
    await owner.sets(key, labels=["matinee", "matinee-adding", *labels])


def wanted(transfer: Transfer) -> list[int]:
    return [file.index for file in transfer.files if file.wanted]


@pytest.mark.anyio
@pytest.mark.parametrize("restart", [False, True])
async def test_a_choice_that_a_dead_process_left_open_is_made_before_it_runs(
    tmp_path: Path, *, restart: bool
) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"), announce_url=NOWHERE)
    key, profile = read_torrent(torrent).hashes.key, profile_in(tmp_path)
    async with AsyncExitStack() as opened:
        program = await opened.enter_async_context(running(profile))
        owner = Owner(account_of(program))
        await left_half_done(owner, torrent, tmp_path / "ours", "matinee-wants 1-2")
        if restart:
            await owner.starts(key)
            await owner.until_stopped(key)
            await program.kill()
            program = await opened.enter_async_context(running(profile))
        client = await opened.enter_async_context(connected(account_of(program)))
        going = await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)
        await owner.until_labels(key, ["matinee"])

    assert wanted(going) == [1, 2]


@pytest.mark.anyio
@pytest.mark.parametrize("by", list(Pauser))
async def test_a_choice_that_was_left_open_is_made_by_whoever_pauses_or_resumes(
    tmp_path: Path, by: Pauser
) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"), announce_url=NOWHERE)
    key = read_torrent(torrent).hashes.key
    async with program_in(tmp_path) as (_, account), connected(account, SLOW) as client:
        await client.health()
        await left_half_done(Owner(account), torrent, tmp_path / "ours", "matinee-wants 3")
        await client.pause(key, by=by)
        paused = await client.transfer(key)
        await client.resume(key, by=by)
        resumed = await client.transfer(key)
        labels = await Owner(account).labels(key)

    assert paused is not None
    assert resumed is not None
    assert (wanted(paused), wanted(resumed)) == ([3], [3])
    assert resumed.state is ClientState.DOWNLOADING
    assert labels == ["matinee"]


@pytest.mark.anyio
async def test_a_choice_left_open_that_is_not_taken_lets_nothing_run(tmp_path: Path) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"), announce_url=NOWHERE)
    key = read_torrent(torrent).hashes.key
    async with program_in(tmp_path) as (_, account):
        await left_half_done(Owner(account), torrent, tmp_path / "ours", "matinee-wants 1")
        async with proxied(account) as (proxy, client):
            proxy.mishaps["torrent-get"] = replaced(b'"wanted":false', b'"wanted":true')
            failed = await until(client, key, lambda one: one.state is ClientState.FAILED)

    assert proxy.calls["torrent-start"] == 0
    assert failed.error is not None


@pytest.mark.anyio
async def test_what_transmission_forgot_in_a_crash_it_is_told_again(tmp_path: Path) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"), announce_url=NOWHERE)
    request = AddRequest(torrent, tmp_path / "ours", wanted=(2,))
    key, profile = read_torrent(torrent).hashes.key, profile_in(tmp_path)
    async with AsyncExitStack() as opened:
        program = await opened.enter_async_context(running(profile))
        account = account_of(program)
        proxy, client = await opened.enter_async_context(proxied(account, total_s=1))
        # It was never let run, so that all but the torrent file is in its memory only.
        proxy.mishaps["torrent-start"] = garbage
        with pytest.raises(LostAnswerError, match="was added"):
            await client.add(request)
        await program.kill()
        proxy.mishaps.clear()
        await opened.enter_async_context(running(profile))
        with anyio.fail_after(LIMIT_S):
            while not (await client.health()).reachable:  # noqa: ASYNC110  # nothing tells of it
                await anyio.sleep(0.02)
        again = await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)
        await Owner(account).until_labels(key, ["matinee"])

    assert again.save_path == tmp_path / "ours"
    assert wanted(again) == [2]
