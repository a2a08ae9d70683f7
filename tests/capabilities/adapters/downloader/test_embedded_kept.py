"""What the embedded client knows after a crash."""

import sys
from pathlib import Path

import anyio
import pytest
from anyio.streams.text import TextReceiveStream

from capabilities.adapters.downloader.embedded_kept import Intent, Kept, KeptTorrents
from capabilities.adapters.downloader.port import Pauser
from capabilities.adapters.downloader.torrent_file import read_torrent
from tests.capabilities.adapters.downloader.rig import MIB, embedded, film, until_complete
from world.seeder import seeding
from world.tracker import tracking

VICTIM = "tests.capabilities.adapters.downloader.victim"
SIZE = 8 * MIB


async def killed_at(enough: int, *arguments: Path) -> int:
    """Run the victim, kill it once it has enough bytes; how many it said that it had."""
    command = [sys.executable, "-m", VICTIM, *map(str, arguments)]
    async with await anyio.open_process(command, stderr=None) as process:
        assert process.stdout
        heard, done = "", [-1]
        async for text in TextReceiveStream(process.stdout):
            heard += text
            done = [-1, *(int(line) for line in heard.split("\n")[:-1])]
            if done[-1] >= enough:
                process.kill()
                break
        await process.wait()
        assert process.returncode == -9
        return done[-1]


@pytest.mark.anyio
async def test_a_killed_download_goes_on_once_and_from_where_it_was(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs", size=SIZE)
    ours = tmp_path / "ours"
    torrent = tmp_path / "film.torrent"
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker, upload_limit=4 * MIB) as seed,
    ):
        torrent.write_bytes(seed.torrent_bytes)
        with anyio.fail_after(20):
            done = await killed_at(SIZE // 2, tmp_path / "state", ours, torrent)
        partial = ours / source.name
        seed.limit(0)
        assert SIZE // 2 <= done < SIZE
        [promise] = await KeptTorrents(tmp_path / "state").read_all()
        promised = sum(promise.params().have_pieces) * read_torrent(seed.torrent_bytes).piece_length
        assert promised > 0
        async with embedded(tmp_path) as client:
            [again] = await client.transfers()
            await until_complete(client, again.hashes.key)
            assert len(await client.transfers()) == 1

        assert partial.read_bytes() == source.read_bytes()
        # Lost is what came after the last time that it was written down, and what was on its way.
        assert seed.given_bytes < SIZE + (done - promised) + 2 * MIB


def kept(key: str, order: int = 1) -> Kept:
    intent = Intent(order=order, category="matinee", wanted=(1, 2), paused_by=Pauser.OWNER)
    resume = b"d11:file-format22:libtorrent resume file12:file-versioni1e9:info-hash20:"
    return Kept(key, intent, resume + bytes.fromhex(key) + b"e")


@pytest.mark.anyio
async def test_what_was_written_is_read_oldest_first(tmp_path: Path) -> None:
    folder = KeptTorrents(tmp_path / "state")
    second, first = kept("ab" * 20, order=2), kept("cd" * 20, order=1)
    assert await folder.read_all() == []
    await folder.write(second)
    await folder.write(first)

    assert await KeptTorrents(tmp_path / "state").read_all() == [first, second]

    await folder.forget(second.key)
    await folder.forget(second.key)

    assert await folder.read_all() == [first]


@pytest.mark.anyio
async def test_a_write_that_was_cut_short_leaves_what_was_there(tmp_path: Path) -> None:
    folder = KeptTorrents(tmp_path / "state")
    await folder.write(kept("ab" * 20))
    (tmp_path / "state" / "half.new").write_bytes(b"d6:intent")
    (tmp_path / "state" / "notes.txt").write_text("somebody else's")

    assert await folder.read_all() == [kept("ab" * 20)]
    assert {path.name for path in (tmp_path / "state").iterdir()} == {
        f"{'ab' * 20}.torrent-state",
        "notes.txt",
    }


@pytest.mark.anyio
async def test_a_write_that_fails_changes_nothing_and_is_noted(tmp_path: Path) -> None:
    folder = KeptTorrents(tmp_path / "state")
    taken = tmp_path / "state" / f"{'ab' * 20}.torrent-state"
    taken.mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        await folder.write(kept("ab" * 20))
    noted = folder.trouble
    await folder.write(kept("cd" * 20))

    assert noted
    assert folder.trouble is None
    assert sorted(path.name for path in (tmp_path / "state").iterdir()) == [
        taken.name,
        f"{'cd' * 20}.torrent-state",
    ]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"le",
        b"d6:intent2:{}6:resume2:dee",
        b'd6:intent36:{"order":1,"category":"x","odd":true}e',
    ],
)
async def test_an_unreadable_file_is_left_out_and_kept(tmp_path: Path, content: bytes) -> None:
    folder = KeptTorrents(tmp_path)
    path = tmp_path / f"{'ab' * 20}.torrent-state"
    path.write_bytes(content)

    assert await folder.read_all() == []
    assert folder.left_out
    assert path.read_bytes() == content
