from pathlib import Path

import anyio
import pytest
from anyio.lowlevel import checkpoint

from ledger.ledger import opened
from ledger.stores import assets, libraries, surveys, workers
from ledger.writer import Transaction
from server.background import library_watch
from server.background.library_watch import FLOOD, LibraryWatch
from server.background.surveys import Surveyor
from tests.capabilities.inventory.library import adopted, episode, put
from tests.postgres import Server
from tests.scene import Scene

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes are heard of at once: a test has no five seconds to gather them."""
    monkeypatch.setattr(library_watch, "QUIET_MS", 50)
    monkeypatch.setattr(library_watch, "LOOK_MS", 10)


@pytest.fixture(autouse=True)
async def looked_at(scene: Scene) -> None:
    """Somebody gives the looks that the watch asks for, in a process that is known to live."""
    Surveyor(scene.ledger, soon_s=60).attend()
    me, at = scene.ledger.worker, scene.ledger.now()
    await scene.write(lambda tx: workers.register(tx, me, role="all", host="box", at=at))


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


async def heard(scene: Scene, folder: Path) -> int:
    row = await scene.read(lambda conn: surveys.by_path(conn, str(folder)))
    return 0 if row is None else row.heard


async def test_what_changed_while_nobody_watched_is_looked_for_at_the_start(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    await adopted(scene, series)
    (series / episode(1, "S01E02")).unlink()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(LibraryWatch(scene.ledger, pause_s=0, again_s=0.1).run)
        with anyio.fail_after(4):
            async with scene.ledger.feed.listening() as bell:
                while len(await scene.read(lambda conn: assets.below(conn, str(series)))) > 1:
                    await bell.receive()
        tasks.cancel_scope.cancel()


async def test_where_much_happens_at_once_all_libraries_are_looked_at(scene: Scene) -> None:
    films, series = scene.folders.films, scene.folders.series
    put(films, "Sintel (2010)/Sintel (2010).mkv")
    put(series, episode(1, "S01E01"))
    await adopted(scene, films)
    await adopted(scene, series)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(LibraryWatch(scene.ledger, pause_s=0, again_s=0.1).run)
        with anyio.fail_after(4):
            while await heard(scene, series) < 1:
                await checkpoint()
            put(films, *(f"Flood/{number}.txt" for number in range(2 * FLOOD)))
            while await heard(scene, series) < 2:
                await checkpoint()
        tasks.cancel_scope.cancel()


async def test_one_process_watches_and_another_one_once_that_died(
    postgres: Server, tmp_path: Path
) -> None:
    place, library = postgres.create(), tmp_path / "Series"
    library.mkdir()
    path = str(library)
    async with opened(tmp_path, location=place) as one, opened(tmp_path, location=place) as two:
        for each in (one, two):
            Surveyor(each).attend()
            await each.engine.connect()
        at = one.now()
        await one.write(lambda tx: libraries.adopt(tx, path, by="owner:ada", at=at))

        async def told() -> int:
            row = await two.read(lambda conn: surveys.by_path(conn, path))
            return 0 if row is None else row.heard

        def bury(tx: Transaction) -> bool:
            seen = workers.by_id(tx.conn, one.worker)
            return seen is not None and workers.bury(tx, one.worker, seen.beat, two.now())

        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(LibraryWatch(one, pause_s=0, again_s=0.1).run)
                while await told() < 1:
                    await checkpoint()
                tasks.start_soon(LibraryWatch(two, pause_s=0, again_s=0.1).run)
                for _ in range(50):
                    assert await told() == 1  # the other one heard of nothing, nor began
                assert await two.write(bury)
                while await told() < 2:
                    await checkpoint()
                tasks.cancel_scope.cancel()
    postgres.drop(place)
