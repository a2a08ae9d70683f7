"""The staged house, with somebody who looks at libraries."""

import pytest

from server.background.surveys import Surveyor
from tests.scene import Scene, base
from tests.scene import scene as bare_scene

__all__ = ["bare_scene", "base"]


@pytest.fixture
def scene(bare_scene: Scene) -> Scene:
    """The house, with background work that gives looks at libraries."""
    Surveyor(bare_scene.ledger, soon_s=60).attend()
    return bare_scene
