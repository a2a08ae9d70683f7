from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import AddRequest, ClientState, Downloaders, Transfer
from capabilities.kernel.faults import UnreachableError
from tests.capabilities.adapters.downloader.rig import embedded, film
from world.seeder import make_torrent

TRANSFER = Transfer(
    hashes=InfoHashes(v1="ab" * 20),
    name="Sintel",
    state=ClientState.SEEDING,
    wanted_bytes=10,
    done_bytes=10,
    down_rate=0,
    up_rate=0,
    peers=0,
    save_path=Path("/downloads"),
    category="matinee",
)


@pytest.mark.parametrize(
    ("state", "wanted", "done", "complete"),
    [
        (ClientState.SEEDING, 10, 10, True),
        (ClientState.COMPLETED, 10, 10, True),
        (ClientState.COMPLETED, 0, 0, False),
        (ClientState.SEEDING, 10, 9, False),
        (ClientState.CHECKING, 10, 10, False),
        (ClientState.DOWNLOADING, 10, 10, False),
        (ClientState.MISSING_FILES, 10, 10, False),
        (ClientState.FAILED, 10, 10, False),
    ],
)
def test_complete_is_something_wanted_that_is_there_for_sure(
    state: ClientState, wanted: int, done: int, *, complete: bool
) -> None:
    transfer = replace(TRANSFER, state=state, wanted_bytes=wanted, done_bytes=done)

    assert transfer.complete is complete


@pytest.mark.parametrize("path", ["downloads", "D:downloads", "\\downloads"])
def test_a_save_path_that_depends_on_the_process_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="absolute"):
        AddRequest("ab" * 20, Path(path))


@pytest.mark.anyio
async def test_a_torrent_is_found_in_whichever_client_has_it(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with embedded(tmp_path / "a", name="a") as a, embedded(tmp_path / "b", name="b") as b:
        both = Downloaders((a, b), "a")
        hashes = await b.add(AddRequest(torrent, tmp_path / "ours"))
        found = await both.find(hashes.key)
        unknown = await both.find("cd" * 20)
        await a.aclose()
        found_in_the_other = await both.find(hashes.key)
        with pytest.raises(UnreachableError, match="a did not answer"):
            await both.find("cd" * 20)

    assert found
    assert found[0] is b
    assert found[1].hashes == hashes
    assert found_in_the_other
    assert unknown is None
    assert both.default is a
    assert both.named("b") is b
    with pytest.raises(LookupError, match="no download client named"):
        both.named("c")


@pytest.mark.anyio
async def test_names_of_clients_lead_to_one_client_each(tmp_path: Path) -> None:
    async with embedded(tmp_path / "a") as first, embedded(tmp_path / "b") as second:
        with pytest.raises(ValueError, match="one name"):
            Downloaders((first, second), "embedded")
        with pytest.raises(ValueError, match="does not exist"):
            Downloaders((first,), "other")
