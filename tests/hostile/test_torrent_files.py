"""P1: whatever the names in a torrent file, nothing is written outside of the download folder."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

import anyio
import anyio.to_thread
import libtorrent as lt
import pytest

from capabilities.adapters.downloader import (
    embedded_entry,
    qbittorrent_adding,
    transmission_entry,
)
from capabilities.adapters.downloader.bencoding import decode
from capabilities.adapters.downloader.embedded import EmbeddedDownloader
from capabilities.adapters.downloader.port import AddRequest
from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.adapters.downloader.torrent_names import MAX_FILES, BadTorrentError, check_info
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.downloader.rig import embedded, until_complete
from tests.hostile.ground import Ground, count, laid_out, stored, write_unguarded
from tests.hostile.making import DATA, entries, file, several, torrent
from tests.hostile.vectors import Kind, Vector, vectors
from tests.promises.tally import Tally
from world.seeder import giving

REFUSED = [vector for vector in vectors() if vector.refused]
TAKEN = [vector for vector in vectors() if not vector.refused]
FETCHED = [
    next(v for v in TAKEN if v.kind is kind) for kind in Kind if any(v.kind is kind for v in TAKEN)
]
"""One of each kind that is taken."""
READERS: dict[str, Callable[[AddRequest], object]] = {
    "embedded": lambda request: embedded_entry.requested(request, 1),
    "qbittorrent": qbittorrent_adding.judged,
    "transmission": lambda request: transmission_entry.requested(request, takes_hybrids=True),
}


def sentence_of(vector: Vector) -> str:
    """What a reader of the torrent file says against it."""
    with pytest.raises(BadTorrentError) as refused:
        read_torrent(torrent(vector.info))
    return refused.value.sentence


def test_the_table_is_large_and_every_line_is_another() -> None:
    assert len(vectors()) >= 60
    assert len({vector.id for vector in vectors()}) == len(vectors())
    assert len({vector.info for vector in vectors()}) == len(vectors())
    assert {vector.kind for vector in REFUSED} | {Kind.DIRECTION} == set(Kind)


@pytest.mark.parametrize("vector", REFUSED, ids=lambda vector: vector.id)
def test_a_hostile_name_is_refused_with_a_sentence_that_does_not_repeat_it(vector: Vector) -> None:
    sentence = sentence_of(vector)
    assert sentence.endswith(".")
    assert "outside" not in sentence
    assert sentence.isprintable()


@pytest.mark.parametrize("client", READERS)
def test_all_three_clients_refuse_the_same_before_anything_is_handed_over(
    client: str, tmp_path: Path
) -> None:
    for vector in REFUSED:
        request = AddRequest(torrent(vector.info), tmp_path)
        with pytest.raises(BadTorrentError) as refused:
            READERS[client](request)
        assert refused.value.sentence == sentence_of(vector), vector.id


@pytest.mark.parametrize("vector", TAKEN, ids=lambda vector: vector.id)
def test_a_name_that_only_looks_hostile_is_taken_under_a_safe_one(vector: Vector) -> None:
    for written in read_torrent(torrent(vector.info)).shown():
        assert os.path.normpath(f"/downloads/{written.path}") == f"/downloads/{written.path}"
        assert written.path.isprintable()
        for part in written.path.split("/"):
            assert len(part.encode()) <= 255
            assert not set(part) & {"\\", "\0"}


@pytest.mark.anyio
@pytest.mark.promise("P1")
async def test_no_torrent_file_writes_outside_of_the_download_folder(
    tmp_path: Path, tally: Tally
) -> None:
    ground = laid_out(tmp_path)
    async with embedded(tmp_path) as client:
        for vector in REFUSED:
            with pytest.raises(DeclinedError):
                await client.add(AddRequest(torrent(vector.info), ground.downloads))
        assert await client.transfers() == []
        assert list(ground.downloads.iterdir()) == []
        async with anyio.create_task_group() as group:
            for vector in FETCHED:
                group.start_soon(fetched, vector, client, ground)
    escapes = ground.escapes("theirs")
    count(tally, [*REFUSED, *FETCHED], escapes)
    assert escapes == []


async def fetched(vector: Vector, client: EmbeddedDownloader, ground: Ground) -> None:
    """Take the bytes of a torrent from somebody who has it, and look where they lie."""
    raw = torrent(vector.info)
    number = str(TAKEN.index(vector))
    theirs = stored(vector, ground.folder / "theirs" / number)
    ours = ground.downloads / number
    async with giving(raw, theirs) as seed:
        key = (await client.add(AddRequest(raw, ours, peers=(seed.address,)))).key
        await until_complete(client, key)
    for written in read_torrent(raw).shown():
        assert (ours / written.path).read_bytes() == DATA, vector.id


@pytest.mark.anyio
@pytest.mark.promise("P1")
@pytest.mark.parametrize("link", ["Show", "Show/a", "Show/a/film.mkv"])
@pytest.mark.parametrize("goal", ["outside", "outside/film.mkv", "outside/not there"])
async def test_a_link_in_the_way_is_not_followed(
    tmp_path: Path, tally: Tally, link: str, goal: str
) -> None:
    ground = linked(tmp_path, link, goal)
    raw = torrent(several((b"a", b"film.mkv")))
    async with embedded(tmp_path) as client:
        with pytest.raises(DeclinedError, match="symbolic link"):
            await client.add(AddRequest(raw, ground.downloads))
    tally.add(1, len(ground.escapes()), **{"links in the way": 1})
    assert ground.escapes() == []


def linked(folder: Path, link: str, goal: str) -> Ground:
    """A ground with a link in its download folder."""
    ground = laid_out(folder)
    place = ground.downloads / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(ground.folder / goal)
    return ground


@pytest.mark.anyio
async def test_a_pad_named_like_a_file_is_refused_by_the_client(tmp_path: Path) -> None:
    pad: dict[bytes, object] = {b"length": 6, b"attr": b"p", b"path": [b"film.mkv"]}
    raw = torrent(entries(file(b"film.mkv"), pad, file(b"b.mkv")))
    async with embedded(tmp_path) as client:
        with pytest.raises(DeclinedError, match="one name"):
            await client.add(AddRequest(raw, tmp_path / "ours"))


def test_more_files_than_a_hundred_thousand_are_refused() -> None:
    names = b"".join(b"d6:lengthi1e4:pathl6:%06dee" % number for number in range(MAX_FILES + 1))
    with pytest.raises(BadTorrentError, match="more than 100000 files"):
        check_info(b"d5:filesl" + names + b"e4:name4:Showe")


@pytest.mark.anyio
@pytest.mark.promise("P1", control=True)
async def test_builds_that_take_names_or_links_as_they_are_write_outside(
    tmp_path: Path, tally: Tally
) -> None:
    joined = laid_out(tmp_path / "joined")
    for vector in REFUSED:
        if vector.kind is Kind.TRAVERSAL:
            with suppress(OSError, ValueError):
                join_and_write(vector, joined.downloads)
    followed = linked(tmp_path / "followed", "Show", "outside")
    raw = torrent(several((b"a", b"film.mkv")))
    theirs = tmp_path / "theirs"
    (theirs / "Show" / "a").mkdir(parents=True)
    (theirs / "Show" / "a" / "film.mkv").write_bytes(DATA)
    async with giving(raw, theirs) as seed:
        params = lt.load_torrent_buffer(raw)
        params.peers = [seed.address]
        written = followed.outside / "a" / "film.mkv"
        await anyio.to_thread.run_sync(write_unguarded, params, followed, written)
    escapes = [*joined.escapes(), *followed.escapes()]
    tally.add(len(escapes), len(escapes))
    assert any("outside.mkv" in name for name in joined.escapes())
    assert followed.escapes() == ["outside/a", "outside/a/film.mkv"]


def join_and_write(vector: Vector, folder: Path) -> None:
    """A build that joins what the torrent says to the folder's path."""
    info = cast("dict[bytes, object]", decode(vector.info))
    files = cast("list[dict[bytes, list[bytes]]]", info.get(b"files", [{b"path": list[bytes]()}]))
    for each in files:
        path = folder.joinpath(os.fsdecode(cast("bytes", info[b"name"])))
        path = path.joinpath(*map(os.fsdecode, each[b"path"]))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(DATA)
