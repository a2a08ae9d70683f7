"""P2: names that come from a peer are judged as those in a file, and again before placing."""

from pathlib import Path

import anyio
import anyio.to_thread
import libtorrent as lt
import pytest

from capabilities.adapters.downloader import embedded_entry
from capabilities.adapters.downloader.embedded import EmbeddedDownloader
from capabilities.adapters.downloader.embedded_kept import Intent
from capabilities.adapters.downloader.embedded_metadata import torrent_from
from capabilities.adapters.downloader.port import AddRequest, ClientState, FileProgress, Transfer
from capabilities.adapters.downloader.torrent_file import bare_uri, hashes_of, parse_magnet
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import DeclinedError, WorldFaultError
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.sources import frozen
from tests.capabilities.adapters.downloader.rig import embedded, until, until_complete
from tests.hostile.ground import Ground, count, laid_out, stored, write_unguarded
from tests.hostile.making import DATA, several, torrent
from tests.hostile.test_torrent_files import REFUSED, TAKEN, linked, sentence_of
from tests.hostile.vectors import Kind, Vector
from tests.promises.tally import Tally
from world.seeder import giving

INTENT = Intent(order=1, category="")


def read_by_libtorrent(vector: Vector) -> lt.add_torrent_params | None:
    """What libtorrent makes of metadata from a peer, which is all that anybody else is given."""
    try:
        return lt.load_torrent_buffer(torrent(vector.info))
    except RuntimeError:
        return None


ARRIVING = [vector for vector in REFUSED if read_by_libtorrent(vector) is not None]
"""Those that a peer can send at all; libtorrent itself drops the others."""
SENT = [
    next(v for v in ARRIVING if v.kind is kind)
    for kind in Kind
    if any(v.kind is kind for v in ARRIVING)
]
"""One of each kind, for the wire."""


@pytest.mark.parametrize("vector", ARRIVING, ids=lambda vector: vector.id)
def test_a_late_name_is_refused_by_the_same_function_with_the_same_sentence(
    vector: Vector,
) -> None:
    params = lt.load_torrent_buffer(torrent(vector.info))
    resume = lt.write_resume_data_buf(params)
    magnet = parse_magnet(bare_uri(hashes_of(params.info_hashes)))
    with pytest.raises(BadTorrentError) as running:
        embedded_entry.learned(resume, INTENT)
    with pytest.raises(BadTorrentError) as looked_up:
        torrent_from(resume, magnet)
    assert {running.value.sentence, looked_up.value.sentence} == {sentence_of(vector)}


@pytest.mark.anyio
@pytest.mark.promise("P2")
async def test_no_name_that_comes_from_a_peer_writes_outside_or_at_all(
    tmp_path: Path, tally: Tally
) -> None:
    ground = laid_out(tmp_path)
    async with embedded(tmp_path) as client, anyio.create_task_group() as group:
        for vector in SENT:
            group.start_soon(sent, vector, client, ground)
    assert list(ground.downloads.iterdir()) == []
    escapes = ground.escapes("theirs")
    count(tally, SENT, escapes)
    assert escapes == []


async def sent(vector: Vector, client: EmbeddedDownloader, ground: Ground) -> None:
    """Have the metadata of a magnet come from a real seeder, and see what the client says."""
    async with giving(torrent(vector.info), ground.folder / "theirs") as seed:
        with pytest.raises(DeclinedError) as looked_up:
            await client.metadata(parse_magnet(seed.magnet))
        key = (await client.add(AddRequest(seed.magnet, ground.downloads))).key
        failed = await until(client, key, lambda one: one.state is ClientState.FAILED)
    assert failed.error == looked_up.value.sentence == sentence_of(vector), vector.id
    assert failed.done_bytes == 0


@pytest.mark.anyio
@pytest.mark.promise("P2")
async def test_names_that_only_look_hostile_are_fetched_to_safe_places_from_a_magnet(
    tmp_path: Path, tally: Tally
) -> None:
    ground = laid_out(tmp_path)
    tried = [vector for vector in TAKEN if vector.kind in {Kind.CONTROL, Kind.SECOND}][:3]
    async with embedded(tmp_path) as client, anyio.create_task_group() as group:
        for vector in tried:
            group.start_soon(fetched, vector, client, ground)
    escapes = ground.escapes("theirs")
    count(tally, tried, escapes)
    assert escapes == []


async def fetched(vector: Vector, client: EmbeddedDownloader, ground: Ground) -> None:
    theirs = stored(vector, ground.folder / "theirs" / str(TAKEN.index(vector)))
    async with giving(torrent(vector.info), theirs) as seed:
        key = (await client.add(AddRequest(seed.magnet, ground.downloads))).key
        await until_complete(client, key)


@pytest.mark.anyio
@pytest.mark.promise("P2")
async def test_a_link_in_the_way_of_late_names_is_not_followed(
    tmp_path: Path, tally: Tally
) -> None:
    ground = linked(tmp_path, "Show", "outside")
    raw = torrent(several((b"a", b"film.mkv")))
    async with giving(raw, tmp_path / "theirs") as seed, embedded(tmp_path) as client:
        key = (await client.add(AddRequest(seed.magnet, ground.downloads))).key
        failed = await until(client, key, lambda one: one.state is ClientState.FAILED)
    assert "symbolic link" in (failed.error or "")
    tally.add(1, len(ground.escapes()), **{"links in the way": 1})
    assert ground.escapes() == []


LYING = [
    "../outside.mkv",
    "Show/../../outside.mkv",
    "/etc/matinee",
    "Show//film.mkv",
    "Show/./film.mkv",
    "..",
    "",
    "Show/film.mkv\0.exe",
    "Show/\udcff.mkv",
    "x" * 256,
    "link/film.mkv",
    "link",
]


@pytest.mark.anyio
@pytest.mark.promise("P2")
@pytest.mark.parametrize("path", LYING)
async def test_before_placing_the_path_that_a_client_reports_is_judged_once_more(
    tmp_path: Path, tally: Tally, path: str
) -> None:
    ground = linked(tmp_path, "link", "outside")
    file = FileProgress(0, path, len(DATA), len(DATA), wanted=True)
    transfer = transfer_of(file, ground.downloads)
    tally.add(1)
    with (
        Root(ground.downloads, "the download folder") as sources,
        pytest.raises((WorldFaultError, HaltError)) as refused,
    ):
        await frozen([path], sources, transfer)
    assert said(refused.value).endswith(".")
    assert ground.escapes() == []


def said(fault: BaseException) -> str:
    if isinstance(fault, HaltError):
        return fault.outcome.sentence
    assert isinstance(fault, WorldFaultError)
    return fault.sentence


def transfer_of(file: FileProgress, folder: Path) -> Transfer:
    """What a client says that is out of its mind, or not what it seems."""
    return Transfer(
        hashes=parse_magnet("ab" * 20).hashes,
        name="Show",
        state=ClientState.SEEDING,
        wanted_bytes=file.size,
        done_bytes=file.size,
        down_rate=0,
        up_rate=0,
        peers=0,
        save_path=folder,
        category="",
        files=(file,),
    )


@pytest.mark.anyio
@pytest.mark.promise("P2", control=True)
async def test_a_build_that_lets_late_names_pass_unseen_writes_outside(
    tmp_path: Path, tally: Tally
) -> None:
    ground = linked(tmp_path, "Show", "outside")
    raw = torrent(several((b"a", b"film.mkv")))
    (tmp_path / "theirs" / "Show" / "a").mkdir(parents=True)
    (tmp_path / "theirs" / "Show" / "a" / "film.mkv").write_bytes(DATA)
    async with giving(raw, tmp_path / "theirs") as seed:
        written = ground.outside / "a" / "film.mkv"
        params = lt.parse_magnet_uri(seed.magnet)
        await anyio.to_thread.run_sync(write_unguarded, params, ground, written)
    escapes = ground.escapes("theirs")
    tally.add(1, len(escapes))
    assert escapes == ["outside/a", "outside/a/film.mkv"]
