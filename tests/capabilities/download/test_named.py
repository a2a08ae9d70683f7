import pytest

from capabilities.kernel.codes import Code
from tests.scene import Scene

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("capability", ["download.recheck", "download.remove"])
async def test_a_download_that_is_not_there_is_said_to_be_none(
    scene: Scene, capability: str
) -> None:
    failed = await scene.failure(Code.NOT_FOUND, capability, download="dl_none")
    assert "download" in failed.sentence
