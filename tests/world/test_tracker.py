from pathlib import Path
from typing import cast

import anyio
import httpx2
import libtorrent as lt
import pytest

from world.seeder import TorrentKind, seeding
from world.tracker import Tracker, tracking

LIMIT_S = 5
HASH = bytes(range(236, 256))
ESCAPED = "".join(f"%{byte:02x}" for byte in HASH)


async def announce(tracker: Tracker, query: str) -> dict[bytes, object]:
    async with httpx2.AsyncClient() as client:
        answer = await client.get(f"{tracker.announce_url}?{query}")
    return cast("dict[bytes, object]", lt.bdecode(answer.content))  # pyright: ignore[reportUnknownMemberType]  # the stub's list has no items


@pytest.mark.anyio
async def test_clients_of_one_torrent_learn_of_each_other_and_not_of_themselves() -> None:
    async with tracking() as tracker:
        alone = await announce(tracker, f"info_hash={ESCAPED}&port=1001&left=0&peer_id=first")
        both = await announce(tracker, f"info_hash={ESCAPED}&port=258&left=5&compact=1")
        listed = await announce(tracker, f"info_hash={ESCAPED}&port=258&left=5&compact=0")
        other = await announce(tracker, f"info_hash={ESCAPED[:-2]}00&port=258&left=5")
        limited = await announce(tracker, f"info_hash={ESCAPED}&port=1003&left=5&numwant=1")
        known = tracker.peers(HASH.hex())

    assert alone == {
        b"interval": 2,
        b"min interval": 2,
        b"complete": 1,
        b"incomplete": 0,
        b"peers": b"",
    }
    assert both[b"peers"] == b"\x7f\x00\x00\x01\x03\xe9"
    assert (both[b"complete"], both[b"incomplete"]) == (1, 1)
    assert listed[b"peers"] == [{b"ip": b"127.0.0.1", b"peer id": b"first", b"port": 1001}]
    assert other[b"peers"] == b""
    assert len(cast("bytes", limited[b"peers"])) == 6
    assert known == {("127.0.0.1", 1001), ("127.0.0.1", 258), ("127.0.0.1", 1003)}


@pytest.mark.anyio
async def test_who_stops_is_told_to_nobody() -> None:
    async with tracking() as tracker:
        await announce(tracker, f"info_hash={ESCAPED}&port=1001&left=0")
        await announce(tracker, f"info_hash={ESCAPED}&port=1001&left=0&event=stopped")
        answer = await announce(tracker, f"info_hash={ESCAPED}&port=1002&left=0")

    assert answer[b"peers"] == b""


@pytest.mark.anyio
@pytest.mark.parametrize(
    "query",
    ["", "info_hash=abc&port=1&left=0", f"info_hash={ESCAPED}", f"info_hash={ESCAPED}&port=x"],
)
async def test_a_request_that_lacks_something_is_answered_with_a_reason(query: str) -> None:
    async with tracking() as tracker:
        answer = await announce(tracker, query)

    assert list(answer) == [b"failure reason"]


@pytest.mark.anyio
@pytest.mark.parametrize("kind", list(TorrentKind))
async def test_a_seeder_is_known_while_it_seeds_and_not_after(
    tmp_path: Path, kind: TorrentKind
) -> None:
    (tmp_path / "film.mkv").write_bytes(b"x" * 100_000)
    async with tracking() as tracker:
        async with seeding(tmp_path / "film.mkv", tracker=tracker, kind=kind) as seed:
            with anyio.fail_after(LIMIT_S):
                found = [await tracker.seed_of(one[:40]) for one in seed.info_hashes]
            during = [tracker.peers(one[:40]) for one in seed.info_hashes]
        after = [tracker.peers(one[:40]) for one in seed.info_hashes]

    assert set(found) == {seed.address}
    assert during == [{seed.address}] * len(seed.info_hashes)
    assert after == [frozenset()] * len(seed.info_hashes)
