import pytest

from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.port import MediaServers, Shown
from capabilities.rules.works import WorkKind
from tests.capabilities.adapters.outbound_bench import outbound


@pytest.mark.anyio
async def test_a_server_is_told_of_the_kinds_of_works_that_it_is_to_show() -> None:
    async with outbound() as out:
        both = jellyfin("both", "http://127.0.0.1:1", "key", outbound=out)
        films = jellyfin("films", "http://127.0.0.1:1", "key", outbound=out)
        servers = MediaServers((Shown(both), Shown(films, frozenset({WorkKind.FILM}))))

        assert [each.name for each in servers.showing(WorkKind.FILM)] == ["both", "films"]
        assert [each.name for each in servers.showing(WorkKind.SERIES)] == ["both"]
