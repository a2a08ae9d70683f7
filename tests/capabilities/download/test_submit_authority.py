"""Who may have a plan submitted: the owner by hand, others under a yes to this very plan."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from ledger.stores import decisions
from ledger.stores.decisions import DecisionKind
from tests.capabilities.download.submitting import drafted
from tests.left_behind import SUBMIT, approve
from tests.scene import IMPORT, KEY, OWNER, Scene, run_of


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, run_of("run_1"), IMPORT], ids=str)
async def test_without_an_approval_the_owner_is_asked_and_nothing_is_added(
    scene: Scene, by: Actor
) -> None:
    plan, id_ = await drafted(scene, by)
    refused = await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, by, plan=plan)
    stored = await scene.plan(id_)
    assert refused.needs["payload_hash"] == stored.payload_hash
    assert refused.needs["revision"] == 1
    (asked,) = await scene.decisions()
    assert (asked.kind, asked.id) == (
        DecisionKind.APPROVAL_REQUIRED,
        refused.needs["decision"],
    )
    assert asked.approval == refused.needs["approval"]
    assert asked.title == "Download Sintel (2010), Bluray-1080p, to Films"
    assert await scene.client.transfers() == []
    assert await scene.downloads() == []
    assert await scene.claims(SUBMIT) == []


@pytest.mark.anyio
async def test_asking_twice_is_one_question(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    first = await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    again = await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    assert again.needs["approval"] == first.needs["approval"]
    assert len(await scene.decisions()) == 1


@pytest.mark.anyio
async def test_the_owner_by_hand_needs_no_approval(scene: Scene) -> None:
    plan, id_ = await drafted(scene, OWNER)
    await scene.answer(SUBMIT, OWNER, plan=plan)
    assert await scene.approvals_of(id_) == []
    (claim,) = await scene.claims(SUBMIT)
    assert claim.authority == "owner:ada"


@pytest.mark.anyio
@pytest.mark.parametrize("changed", [{"payload_hash": "0" * 64}, {"revision": 2}])
async def test_an_approval_of_another_plan_is_none(scene: Scene, changed: dict[str, Any]) -> None:
    plan, id_ = await drafted(scene)
    pin = (await scene.plan(id_)).pin
    await approve(scene, replace(pin, **changed))
    await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    assert await scene.client.transfers() == []


@pytest.mark.anyio
async def test_an_approval_that_ran_out_is_none(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    scene.base.time.ahead = timedelta(days=1, seconds=1)
    await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    assert len(await scene.approvals_of(id_)) == 2
    assert await scene.client.transfers() == []


@pytest.mark.anyio
async def test_a_plan_that_was_declined_is_not_submitted(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    asked = await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    await scene.decided(asked, yes=False)
    refused = await scene.refusal(Code.DENIED, SUBMIT, plan=plan)
    assert refused.sentence.startswith("The owner declined it: ")
    assert len(await scene.approvals_of(id_)) == 1
    assert await scene.read(lambda conn: decisions.listing(conn, limit=1)) == ([], 0)
    assert await scene.client.transfers() == []


@pytest.mark.anyio
async def test_a_hash_that_is_not_the_plans_is_a_conflict(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    refused = await scene.refusal(Code.CONFLICT, SUBMIT, plan=plan, payload_hash="0" * 64)
    assert refused.needs["payload_hash"] == (await scene.plan(id_)).payload_hash
    answer = await scene.answer(SUBMIT, plan=plan, payload_hash=refused.needs["payload_hash"])
    assert answer["state"] == "submitted"


@pytest.mark.anyio
async def test_a_key_without_the_scope_does_not_see_it(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    reader = replace(KEY, scopes=frozenset({"read", "plan"}))
    failed = await scene.failure(Code.NOT_FOUND, SUBMIT, reader, plan=plan)
    assert "no capability" in failed.sentence
    assert await scene.read(lambda conn: decisions.listing(conn, limit=1)) == ([], 0)
