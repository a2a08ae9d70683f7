from dataclasses import replace

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acquisition import WantedSlot, acquisition
from capabilities.download.submission import Submission, record_submission
from capabilities.rules.under_way import ACTIVE
from ledger.stores import events, plans, shelf
from ledger.stores.copies import IN_FLIGHT, SATISFIED
from ledger.stores.downloads import DownloadRow
from ledger.stores.expected import WANTED, give_back
from ledger.writer import Transaction
from tests.scene import Scene


async def made(scene: Scene, id_: str = "dl_1", *, adopted: bool = False) -> Submission:
    plan = await scene.plan(await scene.id_of((await scene.drafted())["plan"]))
    wanted = acquisition(plan)
    hashes = InfoHashes(wanted.hash_v1, wanted.hash_v2)
    return Submission(id_, plan, wanted, "embedded", hashes, adopted)


@pytest.mark.anyio
async def test_a_first_submission_writes_download_slot_task_and_event(scene: Scene) -> None:
    new = await made(scene)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, new))
    row = await scene.download("dl_1")
    assert (row.plan, row.release, row.size, row.done) == (
        new.plan.id,
        new.wanted.release,
        new.wanted.size,
        0,
    )
    assert [slot.state for slot in await scene.slots()] == [IN_FLIGHT]
    assert list(await scene.tasks("dl_1")) == ["track"]
    (event,) = await scene.read(events.page)
    assert event.body["title"] == new.wanted.title


@pytest.mark.anyio
async def test_adopting_what_is_under_way_changes_nothing_but_the_plan(scene: Scene) -> None:
    first, second = await made(scene), await made(scene, adopted=True)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, first))
    await scene.turn("dl_1", "downloading", done=7)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, second))
    row = await scene.download("dl_1")
    assert (row.plan, row.state, row.done) == (first.plan.id, "downloading", 7)
    assert (await scene.plan(second.plan.id)).state == "submitted"
    assert [slot.revision for slot in await scene.slots()] == [1]


@pytest.mark.anyio
async def test_adding_anew_what_was_believed_under_way_begins_anew(scene: Scene) -> None:
    first, second = await made(scene), await made(scene)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, first))
    await scene.turn("dl_1", "downloading", done=7)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, second))
    row = await scene.download("dl_1")
    assert (row.plan, row.state, row.done) == (second.plan.id, "submitted", 0)


@pytest.mark.anyio
async def test_slots_are_given_back_unless_something_stands_in_them(scene: Scene) -> None:
    new = await made(scene)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, new))
    row = await scene.download("dl_1")
    await scene.write(lambda tx: give_back(tx, row, ACTIVE))
    assert [(slot.state, slot.revision) for slot in await scene.slots()] == [(WANTED, 2)]
    work = new.wanted.work
    await scene.write(
        lambda tx: shelf.move_slot(tx, work, 0, 0, state="satisfied", asset_id="asset_1")
    )
    await scene.write(lambda tx: give_back(tx, row, ACTIVE))
    assert [slot.state for slot in await scene.slots()] == ["satisfied"]


async def of_episodes(scene: Scene, id_: str, *numbers: int) -> DownloadRow:
    """A download under way, by a plan of its own for these episodes of the first season."""
    new = await made(scene, id_)
    slots = [WantedSlot(season=1, episode=number, revision=0) for number in numbers]
    wanted = new.wanted.model_copy(update={"slots": slots})
    plan = replace(new.plan, id=f"plan_{id_}", payload=wanted.payload())
    hashes = InfoHashes(f"{len(numbers):040x}")
    new = replace(new, plan=plan, wanted=wanted, hashes=hashes)

    def write(tx: Transaction) -> None:
        plans.add(tx, plan)
        record_submission(tx, scene.ledger, new)

    await scene.write(write)
    return await scene.download(id_)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("state", "then"),
    [
        ("downloading", [WANTED, IN_FLIGHT]),
        ("completed", [WANTED, IN_FLIGHT]),
        ("removed", [WANTED, WANTED]),
    ],
)
async def test_a_slot_that_another_download_is_on_its_way_to_is_not_given_back(
    scene: Scene, state: str, then: list[str]
) -> None:
    over = await of_episodes(scene, "dl_1", 1, 2)
    await of_episodes(scene, "dl_2", 2)
    await scene.turn("dl_1", "failed")
    await scene.turn("dl_2", state)
    await scene.write(lambda tx: give_back(tx, over, ACTIVE))
    assert [slot.state for slot in await scene.slots()] == then


@pytest.mark.anyio
async def test_a_slot_that_something_stands_in_stays_as_it_is_whatever_the_plan_says(
    scene: Scene,
) -> None:
    new = await made(scene)
    work = new.wanted.work
    both = [WantedSlot(season=1, episode=number, revision=0) for number in (1, 2)]
    new = replace(new, wanted=new.wanted.model_copy(update={"slots": both}))
    await scene.write(
        lambda tx: shelf.move_slot(tx, work, 1, 1, state=SATISFIED, asset_id="asset_1")
    )
    await scene.write(lambda tx: record_submission(tx, scene.ledger, new))
    assert [(slot.state, slot.asset, slot.revision) for slot in await scene.slots()] == [
        (SATISFIED, "asset_1", 1),
        (IN_FLIGHT, None, 1),
    ]
