"""Downloads that seed, one look at them, and what the owner answers."""

from pathlib import Path

import anyio

from capabilities.adapters.downloader.embedded import EmbeddedDownloader
from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.outcomes import Refused, Succeeded
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.seeding import SeedingGoals, WhenSeeded
from ledger.stores.decisions import Decision
from ledger.stores.downloads import DownloadRow
from server.background.seeding import Seeding
from tests.capabilities.download.removing import (
    imported,
)
from tests.capabilities.download.submitting import another_client
from tests.scene import OWNER, Scene

AT_ONCE = SeedingGoals(ratio=0.0001, minutes=1, then=WhenSeeded.ASK_TO_REMOVE)


async def goals(scene: Scene, wanted: SeedingGoals) -> None:
    await scene.publish(AcquisitionPolicy(seeding=wanted))


async def turn(scene: Scene) -> list[Decision]:
    """One look at all that seeds; what the owner is asked then."""
    seeding = Seeding(scene.ledger, scene.parts.get(Downloaders), scene.parts.get(Folders))
    await seeding.turn()
    return await scene.decisions()


async def choose(scene: Scene, asked: Decision, option: str) -> Refused | None:
    outcome = await scene.call("decision.resolve", OWNER, decision=asked.id, option=option)
    if isinstance(outcome, Refused):
        return outcome
    assert isinstance(outcome, Succeeded), outcome
    return None


async def given(scene: Scene, folder: Path) -> DownloadRow:
    """An imported download of which somebody else has taken all."""
    row = await imported(scene)
    scene.stage.seed.limit(1)
    try:
        async with another_client(folder, "friend") as friend:
            await friend.add(AddRequest(scene.stage.seed.torrent_bytes, folder / "theirs"))
            with anyio.fail_after(20):
                async with scene.client.changes(), friend.changes() as changes:
                    while not await complete(friend, row):
                        await anext(changes)
            await ratio_above(scene, row)
    finally:
        scene.stage.seed.limit(0)
    return row


async def complete(client: EmbeddedDownloader, row: DownloadRow) -> bool:
    transfer = await client.transfer(row.info_hash)
    return transfer is not None and transfer.complete


async def ratio_above(scene: Scene, row: DownloadRow) -> None:
    """Until our client has counted what it gave."""
    with anyio.fail_after(5):
        while True:
            transfer = await scene.client.transfer(row.info_hash)
            if transfer is not None and transfer.ratio > 0.001:
                return
