import anyio
import pytest

from ledger.stores import assets, libraries
from server.background import library_watch
from server.background.library_watch import LibraryWatch
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import Scene

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes are heard of at once: a test has no five seconds to gather them."""
    monkeypatch.setattr(library_watch, "QUIET_MS", 50)
    monkeypatch.setattr(library_watch, "LOOK_MS", 10)


async def test_a_file_that_moves_is_known_at_its_new_place_soon(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    moved = str(series / "Moved - S01E01.mkv")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(LibraryWatch(scene.ledger, pause_s=0, again_s=0.2).run)
        with anyio.fail_after(5):
            async with scene.ledger.feed.listening() as bell:
                (series / episode(1, "S01E01")).rename(moved)
                while moved not in await scene.read(lambda conn: assets.below(conn, str(series))):
                    (series / "touched").touch()  # in case it is not watched yet
                    with anyio.move_on_after(0.2):
                        await bell.receive()
        tasks.cancel_scope.cancel()


async def test_a_library_that_is_adopted_meanwhile_is_watched_too(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(LibraryWatch(scene.ledger, pause_s=0, again_s=0.1).run)
        await adopted(scene, series)
        (series / episode(1, "S01E02")).unlink()
        with anyio.fail_after(5):
            async with scene.ledger.feed.listening() as bell:
                while len(await scene.read(lambda conn: assets.below(conn, str(series)))) > 1:
                    (series / "touched").touch()  # in case it is not watched yet
                    with anyio.move_on_after(0.2):
                        await bell.receive()
        tasks.cancel_scope.cancel()
    assert len(await scene.read(libraries.adopted)) == 1
