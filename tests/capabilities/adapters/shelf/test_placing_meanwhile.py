"""What another program does to source or target while a file is placed."""

import shutil

import pytest

from capabilities.adapters.shelf.faults import SourceChangedError
from capabilities.adapters.shelf.placements import Mode, Step
from capabilities.kernel.faults import DeclinedError, WorldFaultError
from tests.capabilities.adapters.shelf.scene import FILM, TARGET, Scene, at

pytestmark = pytest.mark.anyio
HERE = (Mode.HARDLINK, Mode.COPY, Mode.MOVE)


@pytest.mark.parametrize("mode", HERE)
@pytest.mark.parametrize("step", [Step.TEMPORARY_WRITTEN, Step.CHECKED])
async def test_a_target_folder_that_vanishes_costs_nothing_but_the_attempt(
    scene: Scene, mode: Mode, step: Step
) -> None:
    before = scene.film()
    folder = scene.shelf.path / "Film (2009)"
    with pytest.raises(WorldFaultError) as fault:
        await scene.place(mode, journal=at(step, lambda: shutil.rmtree(folder)))
    assert fault.value.sentence.endswith(".")
    assert scene.film() == before
    assert scene.on_shelf() == []
    await scene.place(mode, attempt="two")
    assert scene.on_shelf() == [TARGET]


@pytest.mark.parametrize("mode", [Mode.HARDLINK, Mode.MOVE])
async def test_a_source_that_is_written_to_while_it_is_linked_is_not_placed(
    scene: Scene, mode: Mode
) -> None:
    film = scene.sources.path_of(FILM)

    def write_on() -> None:
        with film.open("ab") as file:
            file.write(b"more")

    with pytest.raises(SourceChangedError):
        await scene.place(mode, journal=at(Step.TEMPORARY_WRITTEN, write_on))
    assert film.exists()
    assert scene.on_shelf() == []


async def test_a_source_that_vanishes_before_it_is_read_is_told(scene: Scene) -> None:
    film = scene.sources.path_of(FILM)
    with pytest.raises(DeclinedError) as fault:
        await scene.place(Mode.COPY, journal=at(Step.PLANNED, film.unlink))
    assert fault.value.sentence.endswith(".")
    assert scene.on_shelf() == []
