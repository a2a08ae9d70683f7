from pathlib import Path

import pytest

from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.port import ServerKind
from tests.capabilities.adapters.media_server.bench import at_work
from world.jellyfin_double import KEY


@pytest.mark.anyio
async def test_it_signs_in_and_writes_lists_in_its_own_way(tmp_path: Path) -> None:
    async with at_work(tmp_path, jellyfin) as bench:
        await bench.sight(bench.film())
        asked = bench.double.requests[-1]

    assert bench.server.kind is ServerKind.JELLYFIN
    assert asked.headers["Authorization"] == f'MediaBrowser Token="{KEY}"'
    assert asked.query_params.getlist("fields") == ["Path", "ProviderIds", "MediaSources"]
