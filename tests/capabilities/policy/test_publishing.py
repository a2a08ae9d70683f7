from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import anyio
import pytest

from capabilities.kernel.actors import owner
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.grant_making import make, withdraw
from capabilities.kernel.outcomes import AnyOutcome, HaltError, Refused, Succeeded
from capabilities.policy.publishing import Publication, foreseen, publish
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.policy_json import to_json
from ledger.clock import new_id
from ledger.stores import grants, plans, policies
from ledger.stores.grants import Grant, NewGrant, Scope, Terms
from ledger.stores.plans import Plan, PlanState
from tests.scene import KEY, OWNER, Scene

OTHER = owner("bea")
PATCH = {"acquire": True, "downloads_per_day": 3}


async def bound(scene: Scene, version: int = 1) -> str:
    """A grant of the owner that lasts as long as a version of the automation policy."""
    terms = Terms(Scope(), None, None, may_replace=False, expires_at=None)
    new = NewGrant("organize.execute", terms, "", "automation", version)
    made = await make(scene.ledger, scene.registry.specs, new, by=OWNER)
    assert isinstance(made, Succeeded)
    return made.data.id


async def drafted(scene: Scene, **patch: object) -> Plan:
    answer = await scene.answer(
        "policy.preview", OWNER, kind="automation", patch={**PATCH, **patch}
    )
    return await scene.plan(await scene.id_of(answer["plan"], OWNER))


def context(scene: Scene) -> Context:
    return Context(OWNER, scene.ledger, scene.parts, "request", new_id("call"))


async def done(scene: Scene, plan: Plan, made: Publication) -> None:
    await scene.write(lambda tx: publish(tx, context(scene), plan, made))


async def worked_out(scene: Scene, plan: Plan) -> Publication:
    return await scene.read(lambda conn: foreseen(conn, plan))


async def standing(scene: Scene) -> list[Grant]:
    at = scene.ledger.now()
    return await scene.read(lambda conn: grants.standing(conn, at))


async def version(scene: Scene) -> int:
    row = await scene.read(lambda conn: policies.published(conn, "automation"))
    assert row is not None
    return row.version


def conflict(halted: pytest.ExceptionInfo[HaltError]) -> str:
    outcome = halted.value.outcome
    assert isinstance(outcome, Refused)
    assert outcome.code is Code.CONFLICT
    assert outcome.sentence.endswith("Nothing was published.")
    assert outcome.needs == {"do": "Make a new draft with policy__preview."}
    return outcome.sentence


@pytest.mark.anyio
async def test_what_the_draft_was_to_grant_and_to_end_is_what_happens(scene: Scene) -> None:
    ending = await bound(scene)
    plan = await drafted(scene)
    assert plan.payload["lapsing"] == [ending]
    assert [one["action"] for one in plan.payload["grants"]] == ["download.submit"]
    made = await worked_out(scene, plan)
    assert (made.version, made.lapsing) == (plan.payload["version"], (ending,))
    await done(scene, plan, made)
    assert [(one.id, one.action) for one in await standing(scene)] == [
        (id_, grant.action) for id_, grant in made.granted
    ]
    assert (await scene.plan(plan.id)).state is PlanState.DONE


async def _drafted_anew(scene: Scene, ending: str) -> None:
    del ending
    await drafted(scene, downloads_per_day=9)


async def _published_anew(scene: Scene, ending: str) -> None:
    del ending
    at, body = scene.ledger.now(), to_json(AutomationPolicy(organize=True))
    await scene.write(lambda tx: policies.publish(tx, "automation", body, at))


async def _granted(scene: Scene, ending: str) -> None:
    del ending
    await bound(scene)


async def _withdrawn(scene: Scene, ending: str) -> None:
    assert isinstance(await withdraw(scene.ledger, ending, by=OWNER, reason="no"), Succeeded)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("meanwhile", "told"),
    [
        (_drafted_anew, "is superseded by now"),
        (_published_anew, "was published anew"),
        (_granted, "Other grants are bound to version 1"),
        (_withdrawn, "Other grants are bound to version 1"),
    ],
)
async def test_what_changed_after_it_was_worked_out_stops_it_whole(
    scene: Scene, meanwhile: Callable[[Scene, str], Awaitable[None]], told: str
) -> None:
    ending = await bound(scene)
    plan = await drafted(scene)
    made = await worked_out(scene, plan)
    await meanwhile(scene, ending)
    before = (await version(scene), await standing(scene))
    with pytest.raises(HaltError) as halted:
        await done(scene, plan, made)
    assert told in conflict(halted)
    assert (await version(scene), await standing(scene)) == before
    assert (await scene.plan(plan.id)).state is not PlanState.DONE


@pytest.mark.anyio
async def test_of_two_that_worked_it_out_only_the_first_publishes(scene: Scene) -> None:
    plan = await drafted(scene)
    first, second = await worked_out(scene, plan), await worked_out(scene, plan)
    await done(scene, plan, first)
    with pytest.raises(HaltError) as halted:
        await done(scene, plan, second)
    assert "is done by now" in conflict(halted)
    assert [one.id for one in await standing(scene)] == [id_ for id_, _ in first.granted]


@pytest.mark.anyio
async def test_two_owners_at_once_publish_one_draft_once(scene: Scene) -> None:
    plan = await drafted(scene)
    outcomes: list[AnyOutcome] = []

    async def call(by: Any) -> None:
        outcomes.append(await scene.call("policy.apply", by, plan=plan.id))

    async with anyio.create_task_group() as group:
        for by in (OWNER, OTHER, OWNER, OTHER):
            group.start_soon(call, by)
    answered = [one for one in outcomes if isinstance(one, Succeeded)]
    assert sum(not one.replayed for one in answered) == 1
    rest = [one for one in outcomes if not isinstance(one, Succeeded)]
    assert all(getattr(one, "code", None) in {Code.CONFLICT, Code.PRECONDITION} for one in rest)
    assert await version(scene) == 2
    assert [one.action for one in await standing(scene)] == ["download.submit"]


@pytest.mark.anyio
async def test_an_owner_who_drafts_while_another_publishes_never_has_their_own_published(
    scene: Scene,
) -> None:
    plan = await drafted(scene)
    outcomes: list[AnyOutcome] = []

    async def apply() -> None:
        outcomes.append(await scene.call("policy.apply", OWNER, plan=plan.id))

    async def draft() -> None:
        patch = {"acquire": True, "downloads_per_day": 9}
        await scene.call("policy.preview", OTHER, kind="automation", patch=patch)

    async with anyio.create_task_group() as group:
        group.start_soon(draft)
        group.start_soon(apply)
    (outcome,) = outcomes
    state = (await scene.plan(plan.id)).state
    limits = [one.calls_per_day for one in await standing(scene)]
    if isinstance(outcome, Succeeded):
        assert (state, limits) == (PlanState.DONE, [3])
    else:
        assert getattr(outcome, "code", None) in {Code.CONFLICT, Code.PRECONDITION}
        assert (state, limits, await version(scene)) == (PlanState.SUPERSEDED, [], 1)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("noted", "told"),
    [
        ({"grants": []}, "It would grant something else than it was drafted with."),
        ({"version": None}, "The draft of the automation policy is another one by now."),
        ({"lapsing": ["grant_other"]}, "Other grants are bound to version 1 by now"),
    ],
)
async def test_a_draft_that_says_something_else_than_would_be_done_is_not_published(
    scene: Scene, noted: dict[str, object], told: str
) -> None:
    plan = await drafted(scene)
    payload = {**plan.payload, **noted}
    other = replace(
        plan, id=new_id("plan"), payload=payload, payload_hash=plans.payload_hash(payload)
    )
    await scene.write(lambda tx: plans.add(tx, other))
    refused = await scene.refusal(Code.CONFLICT, "policy.apply", OWNER, plan=other.id)
    assert refused.sentence.startswith(told)
    assert (await version(scene), await standing(scene)) == (1, [])


@pytest.mark.anyio
async def test_a_new_draft_ends_the_grant_that_stopped_the_one_before(scene: Scene) -> None:
    plan = await drafted(scene)
    ending = await bound(scene)
    await scene.refusal(Code.CONFLICT, "policy.apply", OWNER, plan=plan.id)
    again = await scene.answer(
        "policy.apply", OWNER, plan=(await drafted(scene, downloads_per_day=4)).id
    )
    assert again["grants_lapsed"] == [ending]
    assert [one.calls_per_day for one in await standing(scene)] == [4]


@pytest.mark.anyio
async def test_without_anybodys_word_nothing_is_published(scene: Scene) -> None:
    plan = await drafted(scene)
    made = await worked_out(scene, plan)
    client = replace(context(scene), actor=KEY)
    with pytest.raises(HaltError) as halted:
        await scene.write(lambda tx: publish(tx, client, plan, made))
    outcome = halted.value.outcome
    assert isinstance(outcome, Refused)
    assert outcome.code is Code.NEEDS_APPROVAL
    assert await version(scene) == 1
