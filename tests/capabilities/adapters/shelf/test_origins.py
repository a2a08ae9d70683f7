import os

import pytest

from capabilities.adapters.shelf.faults import SourceChangedError
from capabilities.adapters.shelf.freezing import freeze
from capabilities.adapters.shelf.origins import Origin
from capabilities.adapters.shelf.threads import off_loop
from tests.capabilities.adapters.shelf.scene import FILM, Scene

pytestmark = pytest.mark.anyio


async def test_the_bytes_read_are_the_planned_file(scene: Scene) -> None:
    origin = Origin(scene.sources, FILM, await freeze(scene.sources, FILM))
    assert await off_loop(lambda: b"".join(origin.read())) == scene.film()


async def test_a_file_that_changes_while_it_is_read_is_noticed_at_its_end(scene: Scene) -> None:
    film = scene.sources.path_of(FILM)
    origin = Origin(scene.sources, FILM, await freeze(scene.sources, FILM))

    def read() -> None:
        for _ in origin.read():
            os.utime(film, (1, 1))

    with pytest.raises(SourceChangedError):
        await off_loop(read)
