from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from capabilities.adapters.downloader.metadata_source import metadata_of
from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.downloader.torrent_file import parse_magnet, read_torrent
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.downloader.rig import embedded, film
from world.seeder import seeding

OTHER: Any = SimpleNamespace(name="other", kind="a client of another kind")


@pytest.mark.anyio
async def test_the_first_client_that_can_is_asked(tmp_path: Path) -> None:
    async with seeding(film(tmp_path / "theirs")) as seed, embedded(tmp_path) as client:
        clients = Downloaders((OTHER, client), OTHER.name)
        raw = await metadata_of(parse_magnet(seed.magnet), clients)

    assert read_torrent(raw).hashes.v1 == seed.v1


@pytest.mark.anyio
async def test_where_no_client_can_the_torrent_file_is_asked_for() -> None:
    with pytest.raises(DeclinedError, match="Give the torrent file instead"):
        await metadata_of(parse_magnet("ab" * 20), Downloaders((OTHER,), OTHER.name))
