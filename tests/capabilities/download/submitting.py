"""Plans to be submitted, and clients that have them already or do not answer."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from capabilities.adapters.downloader.embedded import EmbeddedDownloader, open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.kernel.actors import Actor
from tests.scene import KEY, Scene
from tests.stage_set import QUICK


async def drafted(scene: Scene, by: Actor = KEY) -> tuple[str, str]:
    """A draft: its reference and its id."""
    reference = (await scene.drafted(by=by))["plan"]
    return reference, await scene.id_of(reference, by)


async def add_by_hand(scene: Scene) -> str:
    """The owner hands the torrent to the client; its hash."""
    hashes = await scene.client.add(
        AddRequest(scene.stage.seed.torrent_bytes, scene.folders.downloads)
    )
    return hashes.key


@asynccontextmanager
async def another_client(folder: Path, name: str) -> AsyncGenerator[EmbeddedDownloader]:
    """A client that has nothing, under this name."""
    async with open_embedded(
        folder / name, folder, LoopbackProfile(), name=name, timing=QUICK
    ) as c:
        yield c


async def without_an_answer(scene: Scene, folder: Path) -> Scene:
    """The same house, whose client does not answer any more."""
    async with another_client(folder, "embedded") as closed:
        pass
    return scene.having(Downloaders((closed,), closed.name))
