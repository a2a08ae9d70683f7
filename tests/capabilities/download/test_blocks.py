"""What is blocked between its plan and its submission is not fetched any more."""

from dataclasses import replace
from datetime import timedelta

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acquisition import acquisition
from capabilities.download.blocks import blocks_on, refuse_newly_blocked
from capabilities.download.submit import Input, submit
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError
from capabilities.rules.found import Found
from ledger.stores import blocklist
from ledger.stores.blocklist import NewBlock
from tests.capabilities.download.submitting import drafted
from tests.left_behind import SUBMIT
from tests.scene import KEY, OWNER, Scene
from world.stage import RELEASE

FAKE = NewBlock("a fake", title=RELEASE)


def context(scene: Scene, by: Actor = KEY) -> Context:
    return Context(by, scene.ledger, scene.parts, "request", "call")


async def block(scene: Scene, new: NewBlock = FAKE) -> str:
    at = scene.ledger.now()
    return await scene.write(lambda tx: blocklist.add(tx, new, at, by="owner:ada"))


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, OWNER], ids=str)
async def test_what_was_blocked_since_it_was_planned_is_refused_before_anything_is_claimed(
    scene: Scene, by: Actor
) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    entry = await block(scene)
    refused = await scene.refusal(Code.PRECONDITION, SUBMIT, by, plan=id_)
    assert "put on the blocklist after it was planned: a fake." in refused.sentence
    assert await scene.claims(SUBMIT) == []
    assert await scene.client.transfers() == []
    at = scene.ledger.now()
    await scene.write(lambda tx: blocklist.remove(tx, entry, at, by="owner:ada"))
    assert (await scene.answer(SUBMIT, plan=plan))["state"] == "submitted"


@pytest.mark.anyio
@pytest.mark.parametrize("named", ["hash", "title"])
async def test_each_way_to_name_it_is_looked_at_when_it_is_about_to_be_sent(
    scene: Scene, named: str
) -> None:
    _, id_ = await drafted(scene)
    plan = await scene.plan(id_)
    await refuse_newly_blocked(acquisition(plan), context(scene))
    await block(scene, replace(FAKE, title="Another"))
    await refuse_newly_blocked(acquisition(plan), context(scene))
    by_hash = NewBlock("a fake", info_hash=scene.stage.seed.v1)
    await block(scene, by_hash if named == "hash" else FAKE)
    with pytest.raises(HaltError, match="on the blocklist after"):
        await refuse_newly_blocked(acquisition(plan), context(scene))


@pytest.mark.anyio
async def test_what_is_blocked_after_the_check_is_not_sent_either(scene: Scene) -> None:
    _, id_ = await drafted(scene)
    await block(scene)
    with pytest.raises(HaltError, match="on the blocklist after"):
        await submit(Input(plan=id_), context(scene))
    assert await scene.client.transfers() == []


@pytest.mark.anyio
async def test_what_the_owner_planned_although_it_was_blocked_goes_on(scene: Scene) -> None:
    release = await scene.identified(by=OWNER)
    await block(scene)
    plan = (await scene.answer("download.plan", OWNER, release=release))["plan"]
    assert (await scene.answer(SUBMIT, OWNER, plan=plan))["state"] == "submitted"


@pytest.mark.anyio
async def test_a_block_that_bears_an_earlier_time_than_the_plan_counts(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    long_ago = scene.ledger.now() - timedelta(hours=1)
    await scene.write(lambda tx: blocklist.add(tx, FAKE, long_ago, by="owner:ada"))
    await scene.refusal(Code.PRECONDITION, SUBMIT, plan=plan)


@pytest.mark.anyio
async def test_the_owner_overrules_the_blocks_that_stood_and_no_other(scene: Scene) -> None:
    release = await scene.identified(by=OWNER)
    first = await block(scene)
    drafted_ = await scene.answer("download.plan", OWNER, release=release)
    id_ = await scene.id_of(drafted_["plan"], OWNER)
    assert (await scene.plan(id_)).payload["blocks_overruled"] == [first]
    await block(scene, NewBlock("dead", info_hash=scene.stage.seed.v1))
    refused = await scene.refusal(Code.PRECONDITION, SUBMIT, OWNER, plan=id_)
    assert "after it was planned: dead." in refused.sentence


@pytest.mark.anyio
async def test_what_is_under_way_already_is_followed_all_the_same(scene: Scene) -> None:
    first, _ = await drafted(scene)
    second, _ = await drafted(scene)
    for plan in (first, second):
        await scene.approved(SUBMIT, plan=plan)
    await scene.answer(SUBMIT, plan=first)
    await block(scene)
    assert (await scene.answer(SUBMIT, plan=second))["adopted"]


@pytest.mark.anyio
async def test_a_block_of_another_work_says_nothing(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    await block(scene, replace(FAKE, work="work_of_nobody"))
    assert (await scene.answer(SUBMIT, plan=plan))["state"] == "submitted"


@pytest.mark.anyio
async def test_all_entries_that_hit_are_found_by_each_hash_of_a_hybrid(scene: Scene) -> None:
    entries = [
        NewBlock("by its second hash", info_hash="cd" * 32),
        NewBlock("by its title", title="A.Title"),
        NewBlock("another", info_hash="ef" * 20),
    ]
    for one in entries:
        await block(scene, one)
    found = Found("A.Title", "loopback", "1")
    hits = await blocks_on([found], InfoHashes("ab" * 20, "cd" * 32), "work_1", context(scene))
    assert [one.reason for one in hits] == ["by its second hash", "by its title"]
