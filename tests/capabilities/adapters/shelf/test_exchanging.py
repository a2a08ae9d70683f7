from contextlib import ExitStack, closing

import anyio.to_thread
import pytest

from capabilities.adapters.shelf.exchanging import Exchange
from capabilities.adapters.shelf.faults import SourceChangedError
from capabilities.adapters.shelf.freezing import Frozen, freeze
from capabilities.adapters.shelf.placements import Mode
from capabilities.adapters.shelf.recycling import keep, place_for
from capabilities.adapters.shelf.threads import off_loop
from tests.capabilities.adapters.shelf.scene import FILM, TARGET, Scene

pytestmark = pytest.mark.anyio


async def old_file(scene: Scene) -> Frozen:
    there = scene.shelf.path / TARGET
    await anyio.to_thread.run_sync(lambda: there.parent.mkdir(exist_ok=True))
    await anyio.to_thread.run_sync(there.write_bytes, b"the old one")
    return await freeze(scene.shelf, TARGET)


@pytest.mark.parametrize("mode", [Mode.HARDLINK, Mode.COPY])
async def test_the_new_file_has_the_name_and_the_old_one_its_second(
    scene: Scene, mode: Mode
) -> None:
    old = await old_file(scene)
    place = place_for(scene.shelf, TARGET)
    with closing(ExitStack()) as held:
        exchange = Exchange(
            await scene.planned(mode), scene.sources, FILM, scene.shelf, "one", held
        )
        checked = await off_loop(exchange.write)
        assert (scene.shelf.path / TARGET).read_bytes() == b"the old one"
        assert (scene.shelf.path / exchange.temporary).exists()
        keep(scene.shelf, TARGET, old, place)
        now = await off_loop(exchange.exchange, old)
    assert now.inode == checked.file.inode
    assert (scene.shelf.path / TARGET).read_bytes() == scene.film()
    assert (scene.shelf.path / place).read_bytes() == b"the old one"
    assert not (scene.shelf.path / exchange.temporary).exists()


async def test_another_file_under_the_name_has_it_again(scene: Scene) -> None:
    old = await old_file(scene)
    with closing(ExitStack()) as held:
        exchange = Exchange(
            await scene.planned(Mode.COPY), scene.sources, FILM, scene.shelf, "one", held
        )
        await off_loop(exchange.write)
        (scene.shelf.path / TARGET).rename(scene.shelf.path / "kept.mkv")
        (scene.shelf.path / TARGET).write_bytes(b"somebody was faster")
        with pytest.raises(SourceChangedError):
            await off_loop(exchange.exchange, old)
    assert (scene.shelf.path / TARGET).read_bytes() == b"somebody was faster"
    assert scene.on_shelf() == [TARGET, "kept.mkv"]
