"""A submission that was cut short, or whose client does not answer, is found out about first."""

from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Unknown
from ledger.stores.approvals import ApprovalState
from ledger.stores.claims import ClaimState
from ledger.stores.decisions import DecisionKind
from ledger.stores.plans import PlanState
from server.background.recovery import look_at_unknown
from tests.capabilities.download.submitting import (
    add_by_hand,
    another_client,
    drafted,
    without_an_answer,
)
from tests.left_behind import SUBMIT, dead_submission
from tests.scene import Scene


@pytest.mark.anyio
async def test_cut_off_behind_the_add_it_is_unknown_until_a_look_finds_it(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    async with scene.client.changes() as changes, anyio.create_task_group() as group:

        async def submit() -> None:
            await scene.call(SUBMIT, plan=plan)

        group.start_soon(submit)
        await anext(changes)
        group.cancel_scope.cancel()
    (claim,) = await scene.claims(SUBMIT)
    assert claim.state is ClaimState.UNKNOWN
    assert await scene.downloads() == []
    answer = await scene.answer(SUBMIT, plan=plan)
    assert answer["adopted"]
    (claim,) = await scene.claims(SUBMIT)
    assert claim.state is ClaimState.SUCCEEDED
    assert claim.evidence is not None
    assert claim.evidence["verified_by"] == "probe"
    assert len(await scene.client.transfers()) == 1
    (row,) = await scene.downloads()
    assert row.id == await scene.id_of(answer["download"])


@pytest.mark.anyio
async def test_what_a_dead_process_had_added_is_found_and_recorded(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await add_by_hand(scene)
    before = await dead_submission(scene, id_)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(SUBMIT)
    assert (claim.id, claim.state) == (before.id, ClaimState.SUCCEEDED)
    (row,) = await scene.downloads()
    assert row.plan == id_
    assert (await scene.plan(id_)).state is PlanState.SUBMITTED
    (approval,) = await scene.approvals_of(id_)
    assert approval.state == ApprovalState.CONSUMED
    answer = await scene.answer(SUBMIT, plan=plan)
    assert answer["replayed"]
    assert await scene.id_of(answer["download"]) == row.id


@pytest.mark.anyio
async def test_what_a_dead_process_had_not_added_may_be_tried_again(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await dead_submission(scene, id_)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(SUBMIT)
    assert (claim.state, claim.free_again) == (ClaimState.FAILED, True)
    answer = await scene.answer(SUBMIT, plan=plan)
    assert not answer["adopted"]
    (claim,) = await scene.claims(SUBMIT)
    assert (claim.state, claim.attempt) == (ClaimState.SUCCEEDED, 2)
    assert len(await scene.client.transfers()) == 1


@pytest.mark.anyio
async def test_while_the_client_cannot_be_asked_it_stays_unknown_and_the_owner_is_told(
    scene: Scene, tmp_path: Path
) -> None:
    plan, id_ = await drafted(scene)
    await dead_submission(scene, id_)
    away = await without_an_answer(scene, tmp_path)
    for _ in range(2):
        outcome = await away.call(SUBMIT, plan=plan)
        assert isinstance(outcome, Unknown)
    (told,) = await scene.decisions()
    assert told.kind is DecisionKind.OTHER
    assert told.evidence["not_answering"] == ["embedded"]
    assert (await scene.answer(SUBMIT, plan=plan))["adopted"] is False
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_without_any_client_a_start_leaves_it_unknown(scene: Scene) -> None:
    _, id_ = await drafted(scene)
    await dead_submission(scene, id_)
    bare = scene.having(without=[Downloaders])
    assert await look_at_unknown(scene.ledger, bare.registry) == 0
    (told,) = await scene.decisions()
    assert told.evidence["verdict"] == "cannot_tell"


@pytest.mark.anyio
async def test_a_client_that_does_not_answer_is_tried_again_under_the_same_approval(
    scene: Scene, tmp_path: Path
) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    away = await without_an_answer(scene, tmp_path)
    failed = await away.failure(Code.UNAVAILABLE, SUBMIT, plan=plan)
    assert failed.retry
    assert (await scene.plan(id_)).state is PlanState.DRAFT
    assert (await scene.answer(SUBMIT, plan=plan))["state"] == "submitted"


@pytest.mark.anyio
async def test_a_client_that_is_no_longer_configured_fails_with_nothing_done(
    scene: Scene, tmp_path: Path
) -> None:
    plan, _ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    async with another_client(tmp_path, "other") as other:
        elsewhere = scene.having(Downloaders((other,), other.name))
        failed = await elsewhere.failure(Code.PRECONDITION, SUBMIT, plan=plan)
    assert "'embedded'" in failed.sentence
