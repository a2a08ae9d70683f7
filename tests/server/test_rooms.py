from pathlib import Path

import pytest
import svcs

from capabilities.adapters.downloader.port import Downloaders
from ledger.location import located
from server.rooms import Rooms
from server.settings import Settings
from tests.scene import Scene, base, scene

__all__ = ["base", "scene"]

pytestmark = pytest.mark.anyio


def rooms(scene: Scene, parts: svcs.Container, home: Path) -> Rooms:
    return Rooms(scene.ledger, scene.registry, parts, Settings(), located(home, None))


async def test_a_house_with_folders_and_clients_looks_after_space_seeding_and_recycling(
    scene: Scene, tmp_path: Path
) -> None:
    jobs = rooms(scene, scene.parts, tmp_path).jobs()
    assert sorted(job.kind for job in jobs) == ["recycling", "seeding", "space"]


async def test_without_a_client_only_the_recycle_folders_are_looked_after(
    scene: Scene, tmp_path: Path
) -> None:
    without = scene.having(without=[Downloaders]).parts
    assert [job.kind for job in rooms(scene, without, tmp_path).jobs()] == ["recycling"]


async def test_a_house_without_folders_has_nothing_of_its_own_that_recurs(
    scene: Scene, tmp_path: Path
) -> None:
    assert rooms(scene, svcs.Container(svcs.Registry()), tmp_path).jobs() == []
