"""What is done to a torrent is done in the client that has it."""

from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.download.owning import has_it
from capabilities.kernel.faults import UnreachableError
from tests.capabilities.download.submitting import another_client
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def test_the_client_that_it_went_to_comes_before_others_that_have_it(
    scene: Scene, tmp_path: Path
) -> None:
    row = await scene.submitted()
    async with another_client(tmp_path, "attic") as attic:
        await attic.add(AddRequest(scene.stage.seed.torrent_bytes, tmp_path / "files"))
        both = Downloaders((attic, scene.client), "attic")
        found = await has_it(row, both)
        assert found is not None
        assert found[0].name == "embedded"
        await scene.client.remove(row.info_hash, delete_data=True)
        found = await has_it(row, both)
        assert found is not None
        assert found[0].name == "attic"
        await attic.remove(row.info_hash, delete_data=True)
        assert await has_it(row, both) is None


async def test_while_one_that_may_have_it_does_not_answer_it_is_not_known(
    scene: Scene, tmp_path: Path
) -> None:
    row = await scene.submitted()
    await scene.client.remove(row.info_hash, delete_data=True)
    async with another_client(tmp_path, "attic") as attic:
        pass
    with pytest.raises(UnreachableError):
        await has_it(row, Downloaders((attic, scene.client), "attic"))
