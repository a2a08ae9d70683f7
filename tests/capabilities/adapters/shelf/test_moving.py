import pytest

from capabilities.adapters.shelf.faults import CheckFailedError, SourceChangedError
from capabilities.adapters.shelf.moving import finish_move
from capabilities.adapters.shelf.placements import Mode, Placement, Step
from tests.capabilities.adapters.shelf.scene import FILM, TARGET, Scene, at

pytestmark = pytest.mark.anyio


async def moved_halfway(scene: Scene) -> Placement:
    """A move that ended when its target was on the disk and its source still there."""

    def stop() -> None:
        raise InterruptedError

    placement = await scene.planned(Mode.MOVE)
    with pytest.raises(InterruptedError):
        await scene.place(placement, journal=at(Step.FLUSHED, stop))
    return placement


async def finish(scene: Scene, placement: Placement) -> bool:
    return await finish_move(placement, sources=scene.sources, origin=FILM, shelf=scene.shelf)


async def test_what_is_left_of_a_proven_move_is_removed_once(scene: Scene) -> None:
    placement = await moved_halfway(scene)
    assert await finish(scene, placement)
    assert not scene.sources.path_of(FILM).exists()
    assert scene.on_shelf() == [TARGET]
    assert not await finish(scene, placement)


async def test_a_source_whose_target_is_not_proven_is_kept(scene: Scene) -> None:
    placement = await moved_halfway(scene)
    target = scene.shelf.path / TARGET
    target.unlink()
    target.write_bytes(b"another")
    with pytest.raises(CheckFailedError):
        await finish(scene, placement)
    assert len(scene.film()) == 3_000_000


async def test_a_new_file_under_the_sources_name_is_kept(scene: Scene) -> None:
    placement = await moved_halfway(scene)
    film = scene.sources.path_of(FILM)
    film.unlink()
    film.write_bytes(b"another")
    with pytest.raises(SourceChangedError):
        await finish(scene, placement)
    assert film.read_bytes() == b"another"
