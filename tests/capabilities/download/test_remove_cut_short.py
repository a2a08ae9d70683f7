"""A removal that was cut short is looked at first, and carried on by its own list alone."""

from collections.abc import Callable

import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Unknown
from ledger.stores.claims import ClaimState
from server.background.recovery import look_at_unknown
from tests.capabilities.download.removing import (
    REMOVE,
    dead_removal,
    imported,
    listing,
    lost_by_the_library,
    own,
    replaced,
    source,
    took,
)
from tests.scene import OWNER, Scene

pytestmark = pytest.mark.anyio


async def test_a_removal_that_had_not_begun_is_free_to_be_tried_again(scene: Scene) -> None:
    row = await imported(scene)
    before = listing(scene, links=True)
    await dead_removal(scene, row)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(REMOVE)
    assert (claim.state, claim.free_again) == (ClaimState.FAILED, True)
    assert listing(scene, links=True) == before


@pytest.mark.parametrize("deleted", [(), (".mkv",), (".mkv", ".en.srt")])
async def test_a_removal_that_died_in_the_middle_is_carried_to_its_end_once(
    scene: Scene, deleted: tuple[str, ...]
) -> None:
    row = await imported(scene)
    before = listing(scene)
    await dead_removal(scene, row)
    await scene.client.remove(row.info_hash, delete_data=False)
    for end in deleted:
        source(scene, end).unlink()
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(REMOVE)
    assert claim.state is ClaimState.SUCCEEDED
    gone = took(before, listing(scene))
    # Where every file had gone, its empty folder is all that is left, and it goes too.
    assert gone == own(".mkv", ".en.srt")
    assert (await scene.download(row.id)).state == "removed"


async def test_after_a_death_a_file_that_took_a_listed_name_is_left(scene: Scene) -> None:
    row = await imported(scene)
    await dead_removal(scene, row)
    await scene.client.remove(row.info_hash, delete_data=False)
    replaced(scene)
    before = listing(scene, links=True)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(REMOVE)
    assert (claim.state, claim.code) == (ClaimState.FAILED, Code.CONFLICT)
    assert "could not be deleted" in str(claim.sentence)
    assert listing(scene, links=True) == before
    assert (await scene.download(row.id)).state == "removed"


async def test_with_the_torrent_there_and_files_gone_nobody_can_tell(scene: Scene) -> None:
    row = await imported(scene)
    await dead_removal(scene, row)
    source(scene).unlink()
    assert await look_at_unknown(scene.ledger, scene.registry) == 0
    (claim,) = await scene.claims(REMOVE)
    assert claim.state is ClaimState.UNKNOWN
    outcome = await scene.call(REMOVE, OWNER, download=row.id)
    assert isinstance(outcome, Unknown)


def linked_to(scene: Scene) -> None:
    (scene.folders.series / "kept").symlink_to(source(scene))


@pytest.mark.parametrize("change", [lost_by_the_library, linked_to], ids=lambda one: one.__name__)
async def test_after_a_death_what_somebody_has_come_to_need_is_left(
    scene: Scene, change: Callable[[Scene], None]
) -> None:
    row = await imported(scene)
    await dead_removal(scene, row)
    await scene.client.remove(row.info_hash, delete_data=False)
    source(scene, ".en.srt").unlink()
    change(scene)
    before = listing(scene, links=True)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(REMOVE)
    assert (claim.state, claim.code) == (ClaimState.FAILED, Code.CONFLICT)
    assert "has come to need" in str(claim.sentence)
    assert listing(scene, links=True) == before
    assert (await scene.download(row.id)).state == "removed"
