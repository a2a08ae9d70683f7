"""A house for the package, and for every test a scene in it with a model that says nothing yet."""

from collections.abc import AsyncGenerator

import pytest

from tests.agent.house import House, opened_house
from tests.agent.scene import Scene, set_scene
from world.model import scripted_model
from world.scripts import say


@pytest.fixture(scope="package")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    """A ledger whose engine works; launching one takes a second or two, so it is shared."""
    async with opened_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture
async def scene(house: House) -> AsyncGenerator[Scene]:
    """A scene with the usual limits; set ``scene.model.script`` before starting a run."""
    async with scripted_model(say("That was all.")) as model:
        yield set_scene(house, model)
        await house.close_upstreams()
