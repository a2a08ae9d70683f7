from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import Downloader, Downloaders
from ledger.database import Snapshot
from ledger.ledger import Ledger, opened
from ledger.stores import downloads
from ledger.stores.downloads import DownloadRow
from server.background import watching
from server.background.importing import Importer
from server.background.tasks import TaskRunner
from server.background.tracking import Tracker
from server.background.watching import Watcher
from tests.scene import VIDEO, Scene
from tests.stage_set import QUICK


def set_to_work(scene: Scene) -> Watcher:
    """Tasks are attended to from now on; returns who wakes them."""
    clients = scene.parts.get(Downloaders)
    tracker = Tracker(scene.ledger, clients)
    importer = Importer(scene.ledger, scene.registry, clients)
    runner = TaskRunner(scene.ledger, {"track": tracker.attend, "import": importer.attend})
    scene.base.segments["task"] = runner.segment
    return Watcher(clients, tracker)


def in_state(state: str) -> Callable[[Snapshot], DownloadRow | None]:
    def look(conn: Snapshot) -> DownloadRow | None:
        return next((row for row in downloads.listing(conn) if row.state == state), None)

    return look


class _Counting(Tracker):
    """A tracker that counts how often it was asked."""

    looks = 0

    def __init__(self, ledger: Ledger, clients: Downloaders) -> None:
        super().__init__(ledger, clients)
        self.several = anyio.Event()

    async def note(self, client: Downloader) -> bool:
        self.looks += 1
        if self.looks > 2:
            self.several.set()
        return await super().note(client)


@pytest.mark.anyio
async def test_a_download_comes_home_without_anybody_polling(scene: Scene) -> None:
    watcher = set_to_work(scene)
    async with anyio.create_task_group() as group:
        group.start_soon(watcher.run)
        await scene.submitted()
        await scene.until(in_state("imported"))
        group.cancel_scope.cancel()
    assert VIDEO in scene.on_shelf()


@pytest.mark.anyio
async def test_what_completed_while_nobody_listened_is_seen_at_once(scene: Scene) -> None:
    row = await scene.arrived()
    watcher = set_to_work(scene)
    async with anyio.create_task_group() as group:
        group.start_soon(watcher.run)
        await scene.until(in_state("seeding"))
        group.cancel_scope.cancel()
    assert (await scene.download(row.id)).done == row.size


@pytest.mark.anyio
async def test_it_ends_with_the_client(scene: Scene, tmp_path: Path) -> None:
    ended = anyio.Event()
    async with anyio.create_task_group() as group:
        async with open_embedded(
            tmp_path / "state", tmp_path, LoopbackProfile(), timing=QUICK
        ) as client:
            clients = Downloaders((client,), client.name)
            watcher = Watcher(clients, Tracker(scene.ledger, clients))

            async def watch() -> None:
                await watcher.run()
                ended.set()

            group.start_soon(watch)
            await anyio.wait_all_tasks_blocked()
        with anyio.fail_after(5):
            await ended.wait()


@pytest.mark.anyio
async def test_a_ledger_that_is_away_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "AGAIN_S", 0.01)
    home = tmp_path / "home"
    home.mkdir()
    async with opened(home) as closed:
        pass
    async with open_embedded(
        tmp_path / "state", tmp_path, LoopbackProfile(), timing=QUICK
    ) as client:
        clients = Downloaders((client,), client.name)
        looks = _Counting(closed, clients)
        async with anyio.create_task_group() as group:
            group.start_soon(Watcher(clients, looks).run)
            with anyio.fail_after(5):
                await looks.several.wait()
            group.cancel_scope.cancel()


class _Missing(Tracker):
    """A tracker whose tasks are at work whenever it is asked first."""

    looks = 0

    def __init__(self, ledger: Ledger, clients: Downloaders) -> None:
        super().__init__(ledger, clients)
        self.twice = anyio.Event()

    async def note(self, client: Downloader) -> bool:
        self.looks += 1
        if self.looks > 1:
            self.twice.set()
        return await super().note(client) or self.looks == 1


@pytest.mark.anyio
async def test_what_came_while_a_task_was_at_work_is_noted_once_more(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "AT_MOST_EVERY_S", 0.01)
    clients = scene.parts.get(Downloaders)
    looks = _Missing(scene.ledger, clients)
    async with anyio.create_task_group() as group:
        group.start_soon(Watcher(clients, looks).run)
        with anyio.fail_after(5):
            await looks.twice.wait()
        group.cancel_scope.cancel()
