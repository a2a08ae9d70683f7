from datetime import timedelta

import pytest

from capabilities.kernel.owing import SURVEY
from ledger import segments
from ledger.segments import Standing
from ledger.stores import assets, libraries, shelf_works, surveys
from server.background.libraries import keep_libraries
from server.background.surveys import Surveyor
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def test_streams_are_read_and_what_follows_from_files_is_computed_along_the_way(
    scene: Scene,
) -> None:
    Surveyor(scene.ledger).attend()
    put(scene.folders.series, episode(1, "S01E01"))
    await adopted(scene, scene.folders.series)
    assert await scene.read(shelf_works.stale) != []
    await keep_libraries(scene.ledger)
    assert await scene.read(lambda conn: assets.unprobed(conn, limit=1)) == []
    assert await scene.read(shelf_works.stale) == []


async def test_a_library_of_an_earlier_version_is_looked_at_from_now_on(scene: Scene) -> None:
    Surveyor(scene.ledger).attend()
    path = str(scene.folders.series)
    at = scene.ledger.now() - timedelta(days=1)
    await scene.write(lambda tx: libraries.adopt(tx, path, by="owner:ada", at=at))
    for _ in range(2):
        await keep_libraries(scene.ledger)
        row = await scene.read(lambda conn: surveys.by_path(conn, path))
        assert row is not None
        standing = await scene.read(lambda conn, id_=row.id: segments.of(conn, SURVEY, id_))
        assert standing is not None
        assert (standing.state, standing.n) == (Standing.WAITING, 1)
