import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.indexer.indexers import Indexers
from capabilities.download.acquisition import WantedFile
from capabilities.download.contents import Contents, contents
from capabilities.kernel.context import Context
from capabilities.kernel.faults import DeclinedError
from capabilities.kernel.outcomes import HaltError, Refused
from ledger.stores import releases
from ledger.stores.releases import ReleaseRow
from tests.capabilities.adapters.downloader.rig import hostile
from tests.scene import KEY, Scene
from tests.stage_set import torznab_of
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL


async def row_of(scene: Scene, title: str = RELEASE) -> ReleaseRow:
    id_ = await scene.id_of(await scene.release(title))
    row = await scene.read(lambda conn: releases.by_id(conn, id_))
    assert row is not None
    return row


def context(scene: Scene) -> Context:
    return Context(KEY, scene.ledger, scene.parts, "request", "call")


@pytest.mark.anyio
async def test_a_torrent_is_fetched_once_and_kept_with_its_hash(scene: Scene) -> None:
    row = await row_of(scene)
    first = await contents(row, context(scene))
    assert first.hashes.v1 == scene.stage.seed.v1
    assert [file.index for file in first.files] == [0, 1]
    assert first.size == sum(file.size for file in first.files)
    gone = scene.having(Indexers([torznab_of(scene.base, key="wrong")]))
    again = await contents(row, context(gone))
    assert (again.hashes, again.size) == (first.hashes, first.size)
    stored = await scene.read(lambda conn: releases.by_id(conn, row.id))
    assert stored is not None
    assert stored.info_hash == scene.stage.seed.v1


@pytest.mark.anyio
async def test_a_magnet_says_nothing_of_what_it_holds(scene: Scene) -> None:
    magnet = f"magnet:?xt=urn:btih:{'cd' * 20}"
    async with scene.offering(Offer(RELEASE, GB, magnet=magnet, tmdb_id=SINTEL)) as offered:
        row = await row_of(offered)
        with pytest.raises(HaltError, match="only a magnet"):
            await contents(row, context(offered))


@pytest.mark.anyio
async def test_a_dangerous_file_is_refused_and_shown_without_hidden_signs(scene: Scene) -> None:
    torrent = hostile("Sintel\u202egpj.exe".encode(), name=b"Sintel")
    async with scene.offering(Offer(RELEASE, GB, torrent=torrent, tmdb_id=SINTEL)) as offered:
        row = await row_of(offered)
        with pytest.raises(HaltError) as halted:
            await contents(row, context(offered))
    refused = halted.value.outcome
    assert isinstance(refused, Refused)
    shown = f"{refused.sentence} {refused.needs}"
    assert "gpj.exe" in shown
    assert "\u202e" not in shown


@pytest.mark.anyio
async def test_names_that_lead_elsewhere_are_declined_and_not_kept(scene: Scene) -> None:
    torrent = hostile(b"..", b"..", b"evil.mkv")
    async with scene.offering(Offer(RELEASE, GB, torrent=torrent, tmdb_id=SINTEL)) as offered:
        row = await row_of(offered)
        with pytest.raises(DeclinedError):
            await contents(row, context(offered))
    assert await scene.read(lambda conn: releases.torrent(conn, row.id)) is None


def test_a_part_of_a_torrent_is_as_large_as_its_files() -> None:
    files = tuple(WantedFile(index=n, path=f"{n}.mkv", size=10**n) for n in range(4))
    whole = Contents(InfoHashes("ab" * 20), 1_111, files)
    part = whole.only({"0.mkv", "2.mkv"})
    assert (part.files, part.size) == ((files[0], files[2]), 101)
    assert (part.left_out, part.size_left_out) == ((files[1], files[3]), 1_010)
    assert whole.only({file.path for file in files}) == whole
