"""What failed and is looked at again has its slots again, so that nothing else is taken as well."""

import pytest

from capabilities.download.failing import Failure, record_failure
from capabilities.kernel.owing import TRACK
from capabilities.rules.holding import Hold
from ledger.stores import decisions
from ledger.stores.decisions import DecisionKind, NewDecision, Option, offered
from ledger.stores.downloads import DownloadRow
from tests.scene import OWNER, Scene

pytestmark = pytest.mark.anyio


async def looked_at_again(scene: Scene, why: Failure) -> DownloadRow:
    row = await scene.submitted()
    await scene.write(lambda tx: record_failure(tx, scene.ledger, row, why))
    assert [slot.state for slot in await scene.slots()] == ["wanted"]
    kind = DecisionKind.DOWNLOAD_FAILED
    options = offered(Option.RE_EVALUATE, Option.DISMISS)
    new = NewDecision(kind, f"{kind}:{row.id}", "It failed", options=options)
    id_ = await scene.write(lambda tx: decisions.raise_(tx, new, scene.ledger.now()))
    await scene.answer("decision.resolve", OWNER, decision=id_, option=Option.RE_EVALUATE)
    return row


async def test_its_slots_are_its_own_again_and_are_given_back_where_it_fails_once_more(
    scene: Scene,
) -> None:
    row = await looked_at_again(scene, Failure("The disk was full.", "failed", asks_next=False))
    assert [slot.state for slot in await scene.slots()] == ["in_flight"]
    assert (await scene.tasks(row.id))[TRACK].state == "queued"
    again = await scene.download(row.id)
    failure = Failure("The disk was full.", "failed", asks_next=False)
    await scene.write(lambda tx: record_failure(tx, scene.ledger, again, failure))
    assert [slot.state for slot in await scene.slots()] == ["wanted"]


@pytest.mark.parametrize(
    "why",
    [
        Failure("It is gone.", "removed", asks_next=False),
        Failure("It was given up.", "failed", Hold.GIVEN_UP, asks_next=False),
    ],
    ids=["removed", "given up"],
)
async def test_what_does_not_go_on_leaves_its_slots_to_another_one(
    scene: Scene, why: Failure
) -> None:
    await looked_at_again(scene, why)
    assert [slot.state for slot in await scene.slots()] == ["wanted"]
